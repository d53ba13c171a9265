// RUN: amp-opt %s --amp-insert-shape-checks --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @matmul
// CHECK: amp.assert %{{.*}}, "'train.matmul' op dimension 1 of operand 1 has size {0}, expected {1} as in dimension 0 of operand 0"
// CHECK-NEXT: train.matmul
func.func @matmul(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = train.matmul %x, %y {transpose_lhs, transpose_rhs} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @linear
// CHECK: "'train.linear' op dimension 1 of operand 1 has size {0}, expected {1} as in operand 0"
// CHECK: "'train.linear' op dimension 0 of operand 2 has size {0}, expected {1} as in operand 1"
// CHECK-NOT: amp.assert
func.func @linear(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = train.linear %x, %w bias %b {transpose_weight} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @bias_add
// CHECK: "'train.bias_add' op dimension 0 of operand 1 has size {0}, expected {1} as in dimension 1 of operand 0"
func.func @bias_add(%x: tensor<2x?xf32>, %b: tensor<?xf32>) -> tensor<2x?xf32> {
  %0 = train.bias_add %x, %b : (tensor<2x?xf32>, tensor<?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @cross_entropy
// CHECK: "'train.cross_entropy' op dimension 0 of operand 1 has size {0}, expected {1} as in operand 0"
// CHECK-NOT: amp.assert
func.func @cross_entropy(%x: tensor<?x4xf32>, %l: tensor<?xi32>, %g: tensor<f32>)
    -> (tensor<f32>, tensor<?x4xf32>, tensor<f32>) {
  %0 = train.cross_entropy %x, %l : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<f32>
  %1 = train.cross_entropy_grad %g, %x, %l : (tensor<f32>, tensor<?x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
  %2 = train.accuracy %1, %l : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<?x4xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @cross_entropy_grad
// CHECK: "'train.cross_entropy_grad' op dimension 0 of operand 2 has size {0}, expected {1} as in operand 1"
func.func @cross_entropy_grad(%x: tensor<?x4xf32>, %l: tensor<?xi32>, %g: tensor<f32>) -> tensor<?x4xf32> {
  %1 = train.cross_entropy_grad %g, %x, %l : (tensor<f32>, tensor<?x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @mse
// CHECK: "'train.mse' op dimension 0 of operand 1 has size {0}, expected {1} as in operand 0"
// CHECK-NOT: amp.assert
func.func @mse(%x: tensor<?xf32>, %y: tensor<?xf32>, %g: tensor<f32>) -> (tensor<f32>, tensor<?xf32>) {
  %0 = train.mse %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>
  %1 = train.mse_grad %g, %x, %y : (tensor<f32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<f32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @broadcast
// CHECK: "'train.broadcast' op dimension 1 of operand 1 has size {0}, expected {1} as in dimension 0 of operand 0"
func.func @broadcast(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = train.broadcast %x like %y dimensions [0] : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// The sizes of results are known from operands: of a transposed one, and of a sum along rows.
// CHECK-LABEL: func.func @results
// CHECK-NOT: amp.assert
func.func @results(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = train.transpose %x permutation [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = train.reduce sum %0 dimensions [0] : (tensor<?x?xf32>) -> tensor<?xf32>
  %2 = train.reduce mean %x dimensions [1] : (tensor<?x?xf32>) -> tensor<?xf32>
  %3 = train.reduce_grad sum %1, %x, %2 dimensions [1] : (tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %4 = train.softmax %3 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %5 = train.add %4, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %6 = train.reduce max %5 dimensions [1] : (tensor<?x?xf32>) -> tensor<?xf32>
  %7 = train.add %6, %1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %7 : tensor<?xf32>
}

// CHECK-LABEL: func.func @static_result
// CHECK: "'train.relu' op dimension 0 of operand 0 has size {0}, expected {1} as in result 0"
// CHECK: "'train.transpose' op dimension 1 of operand 0 has size {0}, expected {1} as in dimension 0 of result 0"
func.func @static_result(%x: tensor<?x?xf32>) -> tensor<8x4xf32> {
  %0 = train.relu %x : (tensor<?x?xf32>) -> tensor<4x?xf32>
  %1 = train.transpose %0 permutation [1, 0] : (tensor<4x?xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @optimizer
// CHECK: "'train.adam' op dimension 0 of operand 1 has size {0}, expected {1} as in operand 0"
// CHECK-NOT: amp.assert
func.func @optimizer(%p: tensor<4xf32>, %g: tensor<?xf32>, %step: tensor<i64>) -> tensor<4xf32> {
  %0:3 = train.adam %p, %g, %p, %p, %step {learning_rate = 1.0e-3 : f64, beta1 = 9.0e-1 : f64, beta2 = 9.99e-1 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4xf32>
}

// Shapes that always divide need no check.
// CHECK-LABEL: func.func @reshape
// CHECK-NEXT: train.reshape
// CHECK-NEXT: return
func.func @reshape(%x: tensor<?x8xf32>) -> tensor<?x4xf32> {
  %0 = train.reshape %x : (tensor<?x8xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @reshape_odd
// CHECK: %[[ODD:.*]] = arith.remui %[[COUNT:.*]], %c8
// CHECK: arith.cmpi eq, %[[ODD]], %c0
// CHECK: "'train.reshape' op operand 0 has {0} elements, expected a multiple of {1} for the shape ?x8 of result 0"(%[[COUNT]], %c8)
func.func @reshape_odd(%x: tensor<?x4xf32>) -> tensor<?x8xf32> {
  %0 = train.reshape %x : (tensor<?x4xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
