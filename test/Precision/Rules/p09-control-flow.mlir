// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=mincut' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=paint' --split-input-file | FileCheck %s

// What goes around a loop has one type (family S): low, for a product makes it.
// CHECK-LABEL: func.func @while
// CHECK: "stablehlo.while"(%{{.*}}, %{{.*}}) ({
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %{{.*}}: tensor<4x4xf16>):
// CHECK: ^bb0(%{{.*}}: tensor<i32>, %[[X:.*]]: tensor<4x4xf16>):
// CHECK: %[[Y:.*]] = "stablehlo.dot_general"(%[[X]], %{{.*}}) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf32>
// CHECK-NEXT: %[[LOW:.*]] = "stablehlo.convert"(%[[Y]])
// CHECK: "stablehlo.return"(%{{.*}}, %[[LOW]]) : (tensor<i32>, tensor<4x4xf16>) -> ()
// CHECK: }) : (tensor<i32>, tensor<4x4xf16>) -> (tensor<i32>, tensor<4x4xf16>)
func.func @while(%n: tensor<i32>, %x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r:2 = "stablehlo.while"(%n, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>):
    %c = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %more = "stablehlo.compare"(%i, %c) <{direction = "GT"}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<4x4xf32>):
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %y = "stablehlo.dot_general"(%v, %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %j = "stablehlo.subtract"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j, %y) : (tensor<i32>, tensor<4x4xf32>) -> ()
  }) : (tensor<i32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>)
  return %r#1 : tensor<4x4xf32>
}

// -----

// One branch gives what was computed in f32: both do.
// CHECK-LABEL: func.func @branches
// CHECK: cf.cond_br
// CHECK: ^bb1:
// CHECK: cf.br ^bb3(%{{.*}} : tensor<4x4xf32>)
// CHECK: ^bb2:
// CHECK: cf.br ^bb3(%{{.*}} : tensor<4x4xf32>)
// CHECK: ^bb3(%{{.*}}: tensor<4x4xf32>):
func.func @branches(%c: i1, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  cf.cond_br %c, ^product, ^power
^product:
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  cf.br ^end(%y : tensor<4x4xf32>)
^power:
  %e = math.exp %x : tensor<4x4xf32>
  cf.br ^end(%e : tensor<4x4xf32>)
^end(%r: tensor<4x4xf32>):
  %z = linalg.matmul ins(%r, %r : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}

// -----

// The signature of a private function follows its callers, that of a public one stays.
// CHECK-LABEL: func.func private @private
// CHECK-SAME: (%{{.*}}: tensor<4x4xf16>) -> tensor<4x4xf16>
func.func private @private(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = arith.negf %x : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @public
// CHECK-SAME: (%{{.*}}: tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @public(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = arith.negf %x : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @calls
// CHECK: call @private(%{{.*}}) : (tensor<4x4xf16>) -> tensor<4x4xf16>
// CHECK: call @public(%{{.*}}) : (tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @calls(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = call @private(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = call @public(%z) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}
