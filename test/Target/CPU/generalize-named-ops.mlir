// RUN: amp-opt %s --amp-cpu-generalize-named-ops | FileCheck %s

// CHECK-LABEL: func @elementwise
func.func @elementwise(%x: tensor<4x8xf32>, %b: tensor<8xf32>, %e: tensor<4x8xf32>,
                       %r: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NOT: linalg.{{add|map|broadcast|reduce}}
  // CHECK-COUNT-4: linalg.generic
  %0 = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %1 = linalg.add ins(%x, %0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.map { math.exp } ins(%1 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
  %3 = linalg.reduce { arith.addf } ins(%2 : tensor<4x8xf32>) outs(%r : tensor<4xf32>) dimensions = [1]
  return %3 : tensor<4xf32>
}

// CHECK-LABEL: func @named
func.func @named(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  // CHECK: linalg.fill
  // CHECK: linalg.matmul
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
