// RUN: amp-opt %s --amp='dtype=f16 strategy=local' | FileCheck %s
// RUN: amp-opt %s --amp='dtype=f16 strategy=local' > %t.once
// RUN: amp-opt %t.once --amp='dtype=f16 strategy=local' | diff - %t.once

// Block arguments keep their types; an op may stand before the block that defines its operand.
// CHECK-LABEL: func.func @branches
// CHECK: cf.br ^[[FIRST:.*]](%{{.*}} : tensor<8x8xf32>)
// CHECK: train.relu %{{.*}} : (tensor<8x8xf16>) -> tensor<8x8xf16>
// CHECK: return %{{.*}} : tensor<8x8xf32>
// CHECK: ^[[FIRST]](%[[A:.*]]: tensor<8x8xf32>):
// CHECK-NEXT: %[[A16:.*]] = amp.cast %[[A]]
// CHECK-NEXT: train.matmul %[[A16]], %[[A16]]
func.func @branches(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  cf.br ^first(%x : tensor<8x8xf32>)
^second:
  %r = train.relu %y : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
^first(%a: tensor<8x8xf32>):
  %y = train.matmul %a, %a : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  cf.br ^second
}

// An argument of a loop is no leaf: it is whatever the last turn made of it.
// CHECK-LABEL: func.func @loop
// CHECK: %[[Y:.*]] = train.matmul {{.*}} -> tensor<8x8xf16>
// CHECK: train.add %[[Y]], %{{.*}} : (tensor<8x8xf16>, tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @loop(%x: tensor<8x8xf32>, %c: i1) -> tensor<8x8xf32> {
  cf.br ^turn(%x : tensor<8x8xf32>)
^turn(%a: tensor<8x8xf32>):
  %y = train.matmul %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = train.add %y, %a : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  cf.cond_br %c, ^turn(%s : tensor<8x8xf32>), ^end
^end:
  return %s : tensor<8x8xf32>
}

// A block that nothing reaches is valid as well.
// CHECK-LABEL: func.func @unreached
// CHECK: %[[Y:.*]] = train.matmul {{.*}} -> tensor<8x8xf16>
// CHECK-NEXT: %[[Y32:.*]] = amp.cast %[[Y]]
// CHECK: return %{{.*}} : tensor<8x8xf32>
func.func @unreached(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  return %x : tensor<8x8xf32>
^nowhere:
  %y = train.matmul %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
