// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16' --split-input-file | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=mincut' --split-input-file | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=paint' --split-input-file | FileCheck %s

// Casts of the weight: one for both products, outside of the loop, before the broadcast and after the gather (families F
// and G).
// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%{{.*}}: index, %[[X:.*]]: tensor<4x4xf32>, %[[W:.*]]: tensor<4x4xf32>)
// CHECK-NEXT: %[[W16:.*]] = arith.truncf %[[W]] : tensor<4x4xf32> to tensor<4x4xf16>
// CHECK-NOT: arith.truncf %[[W]]
// CHECK: scf.for
// CHECK: linalg.matmul ins(%{{.*}}, %[[W16]] :
// CHECK: linalg.matmul ins(%{{.*}}, %[[W16]] :
func.func @loop(%n: index, %x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> tensor<4x4xf32> {
    %y = linalg.matmul ins(%v, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
    %z = linalg.matmul ins(%y, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
    %e = math.exp %z : tensor<4x4xf32>
    scf.yield %e : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast
// CHECK: %[[B:.*]] = "stablehlo.convert"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf16>
// CHECK: "stablehlo.broadcast_in_dim"(%[[B]]) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf16>) -> tensor<4x4xf16>
func.func @broadcast(%x: tensor<4x4xf32>, %b: tensor<4xf32>) -> tensor<4x4xf32> {
  %wide = "stablehlo.broadcast_in_dim"(%b) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<4x4xf32>
  %y = "stablehlo.dot_general"(%x, %wide) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @gather
// CHECK: %[[ROWS:.*]] = tensor.gather %{{.*}} : (tensor<1000x4xf32>, tensor<8x1xindex>) -> tensor<8x1x4xf32>
// CHECK: arith.truncf %[[ROWS]] : tensor<8x1x4xf32> to tensor<8x1x4xf16>
func.func @gather(%table: tensor<1000x4xf32>, %rows: tensor<8x1xindex>, %w: tensor<4x4xf32>, %init: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %g = tensor.gather %table[%rows] gather_dims([0]) : (tensor<1000x4xf32>, tensor<8x1xindex>) -> tensor<8x1x4xf32>
  %x = tensor.collapse_shape %g [[0, 1], [2]] : tensor<8x1x4xf32> into tensor<8x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// A constant that two ops read is rounded once.
// CHECK-LABEL: func.func @constant
// CHECK: arith.constant dense<{{.*}}> : tensor<4x4xf16>
// CHECK-NOT: arith.constant
// CHECK: return
func.func @constant(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]]> : tensor<4x4xf32>
  %y = linalg.matmul ins(%x, %c : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = linalg.matmul ins(%c, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y, %z : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// What is only moved from an argument is not rounded for who reads it in f32, but by strategy paint.
// CHECK-LABEL: func.func @both
// EXACT: %[[T:.*]] = "stablehlo.transpose"(%arg0) {{.*}}: (tensor<4x4xf32>) -> tensor<4x4xf32>
// EXACT: "stablehlo.exponential"(%[[T]]) : (tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @both(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %t = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = "stablehlo.dot_general"(%t, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = "stablehlo.dot_general"(%t, %t) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %e = "stablehlo.exponential"(%t) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y, %z, %e : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Of a destination that is only written to nothing is cast: it is another tensor of its shape.
// CHECK-LABEL: func.func @destination
// CHECK-SAME: (%{{.*}}: tensor<?x4xf32>, %[[TO:[a-z0-9]*]]: tensor<?x4xf32>
// CHECK: %[[ROWS:.*]] = tensor.dim %[[TO]], %{{.*}} : tensor<?x4xf32>
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty(%[[ROWS]]) : tensor<?x4xf16>
// CHECK-NOT: truncf %[[TO]]
// CHECK: linalg.abs ins(%{{.*}} : tensor<?x4xf16>) outs(%[[EMPTY]] : tensor<?x4xf16>)
// CHECK: linalg.negf ins(%{{.*}} : tensor<?x4xf16>) outs(%[[EMPTY]] : tensor<?x4xf16>)
func.func @destination(%x: tensor<?x4xf32>, %to: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x4xf32>) outs(%to : tensor<?x4xf32>) -> tensor<?x4xf32>
  %a = linalg.abs ins(%y : tensor<?x4xf32>) outs(%to : tensor<?x4xf32>) -> tensor<?x4xf32>
  %n = linalg.negf ins(%a : tensor<?x4xf32>) outs(%to : tensor<?x4xf32>) -> tensor<?x4xf32>
  %z = linalg.matmul ins(%n, %w : tensor<?x4xf32>, tensor<4x4xf32>) outs(%to : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}
