// RUN: amp-opt %s --amp-cpu-separate-destinations | FileCheck %s

// CHECK-LABEL: func @shared_empty
func.func @shared_empty(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[E0:.*]] = tensor.empty()
  // CHECK: %[[E1:.*]] = tensor.empty()
  // CHECK: linalg.exp {{.*}} outs(%[[E1]]
  // CHECK: linalg.log {{.*}} outs(%[[E0]]
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.exp ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.log ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @shared_fill
func.func @shared_fill(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[E0:.*]] = tensor.empty()
  // CHECK: %[[F0:.*]] = linalg.fill {{.*}} outs(%[[E0]]
  // CHECK: %[[E1:.*]] = tensor.empty()
  // CHECK: %[[F1:.*]] = linalg.fill {{.*}} outs(%[[E1]]
  // CHECK: linalg.matmul {{.*}} outs(%[[F1]]
  // CHECK: linalg.matmul {{.*}} outs(%[[F0]]
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.matmul ins(%b, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}
