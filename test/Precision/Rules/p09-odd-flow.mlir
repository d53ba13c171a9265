// RUN: amp-opt %s --amp='dtype=f16' --split-input-file | FileCheck %s
// RUN: amp-opt %s --amp='dtype=f16 strategy=local' --split-input-file -o /dev/null
// RUN: amp-opt %s --amp='dtype=f16 strategy=paint' --split-input-file -o /dev/null

// Control flow of all kinds: what the verifier takes, and what runs again unchanged (graphs.test), with one type an edge.
// CHECK-LABEL: func.func @while
// CHECK: scf.while ({{.*}}) : (index, tensor<4x4xf16>) -> (tensor<4x4xf16>, index) {
// CHECK: ^bb0(%{{.*}}: tensor<4x4xf16>, %{{.*}}: index):
// CHECK: scf.yield %{{.*}} : index, tensor<4x4xf16>

// A function that is referred to keeps its signature, whatever calls it.
// CHECK-LABEL: func.func private @taken(%{{.*}}: tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-LABEL: func.func @take
// CHECK: call @taken(%{{.*}}) : (tensor<4x4xf32>) -> tensor<4x4xf32>

// In a module in a module, too.
// CHECK: module @inner
// CHECK: func.func private @p(%{{.*}}: tensor<4x4xf16>)
// CHECK: call @p(%{{.*}}) : (tensor<4x4xf16>)

// CHECK-LABEL: func.func @cf
// CHECK: linalg.matmul ins(%{{.*}} : tensor<4x4xf16>, tensor<4x4xf16>)
// CHECK-LABEL: func.func @switch
// CHECK-LABEL: func.func @forall
// CHECK: tensor.parallel_insert_slice %{{.*}} : tensor<4x4xf32> into tensor<8x4xf32>
// CHECK-LABEL: func.func @slices

// Named ops whose bodies follow from their types.
// CHECK-LABEL: func.func @ops
// CHECK: linalg.conv_2d_nhwc_hwcf ins(%{{.*}} : tensor<1x8x8x4xf16>, tensor<3x3x4x4xf16>) outs(%{{.*}} : tensor<1x6x6x4xf32>)
// CHECK: linalg.pooling_nhwc_max {{.*}} ins(%{{.*}} : tensor<1x6x6x4xf16>, tensor<2x2x{{f16|f32}}>) outs(%{{.*}} : tensor<1x3x3x4xf16>)
// CHECK: linalg.abs ins(%{{.*}} : tensor<1x3x3x4xf16>)
func.func @while(%n: index, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0 : index
  %r:2 = scf.while (%i = %n, %v = %x) : (index, tensor<4x4xf32>) -> (tensor<4x4xf32>, index) {
    %c = arith.cmpi sgt, %i, %zero : index
    %y = linalg.matmul ins(%v, %v : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.condition(%c) %y, %i : tensor<4x4xf32>, index
  } do {
  ^bb0(%v: tensor<4x4xf32>, %i: index):
    %one = arith.constant 1 : index
    %j = arith.subi %i, %one : index
    scf.yield %j, %v : index, tensor<4x4xf32>
  }
  return %r#0 : tensor<4x4xf32>
}
// -----
func.func private @rec(%n: index, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.cmpi eq, %n, %zero : index
  %r = scf.if %c -> tensor<4x4xf32> {
    scf.yield %x : tensor<4x4xf32>
  } else {
    %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
    %m = arith.subi %n, %one : index
    %z = func.call @rec(%m, %y) : (index, tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %z : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
func.func @main(%n: index, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %z = func.call @rec(%n, %x) : (index, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}
// -----
func.func private @noone(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
func.func private @taken(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
func.func @take(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %f = func.constant @taken : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = func.call_indirect %f(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = func.call @taken(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}
// -----
module { module @inner { func.func private @p(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = arith.negf %x : tensor<4x4xf32>
  return %y : tensor<4x4xf32> }
 func.func @q(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = func.call @p(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32> } } }
// -----
func.func @cf(%c: i1, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  cf.br ^head(%x : tensor<4x4xf32>)
^head(%v: tensor<4x4xf32>):
  %y = linalg.matmul ins(%v, %v : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  cf.cond_br %c, ^head(%y : tensor<4x4xf32>), ^end(%y, %x : tensor<4x4xf32>, tensor<4x4xf32>)
^end(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
  %s = arith.addf %a, %b : tensor<4x4xf32>
  %z = linalg.matmul ins(%s, %s : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
^dead(%d: tensor<4x4xf32>):
  %e = linalg.matmul ins(%d, %d : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  cf.br ^dead(%e : tensor<4x4xf32>)
}
// -----
func.func @switch(%i: index, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = scf.index_switch %i -> tensor<4x4xf32>
  case 1 {
    %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %y : tensor<4x4xf32>
  }
  default { scf.yield %x : tensor<4x4xf32> }
  %e = scf.execute_region -> tensor<4x4xf32> {
    %y = linalg.matmul ins(%r, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %y : tensor<4x4xf32>
  }
  %z = linalg.matmul ins(%e, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}
// -----
func.func @forall(%x: tensor<4x4xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = scf.forall (%i) in (2) shared_outs(%out = %o) -> tensor<8x4xf32> {
    %off = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
    %n = arith.negf %y : tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %out[%off, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
    }
  }
  return %r : tensor<8x4xf32>
}
// -----
func.func @slices(%x: tensor<4x4xf32>, %o: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<8x4xf32>) {
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  %i = tensor.insert_slice %y into %o[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
  %e = tensor.extract_slice %i[2, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  %z = linalg.matmul ins(%e, %e : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z, %i : tensor<4x4xf32>, tensor<8x4xf32>
}
// -----
func.func @ops(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x4xf32>, %o: tensor<1x6x6x4xf32>, %p: tensor<1x3x3x4xf32>, %k: tensor<2x2xf32>) -> tensor<1x3x3x4xf32> {
  %f = arith.constant -3.4028235e38 : f32
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) outs(%o : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %init = linalg.fill ins(%f : f32) outs(%p : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %m = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%y, %k : tensor<1x6x6x4xf32>, tensor<2x2xf32>) outs(%init : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %a = linalg.abs ins(%m : tensor<1x3x3x4xf32>) outs(%p : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %b = linalg.add ins(%a, %m : tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>) outs(%p : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %s = linalg.softmax dimension(3) ins(%b : tensor<1x3x3x4xf32>) outs(%p : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %c = linalg.map { arith.addf } ins(%s, %a : tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>) outs(%p : tensor<1x3x3x4xf32>)
  %e = linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%c, %b : tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>) outs(%p : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  return %e : tensor<1x3x3x4xf32>
}
