// RUN: amp-opt %s --amp-build-gradient=function=f --split-input-file | FileCheck %s

// Gradients of all float arguments, in their order; zeros where there is no dependence.

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: call @square
// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32> {train.name = "x"}, %{{.*}}: tensor<?xi32>, %[[UNUSED:.*]]: tensor<?x3xf16>, %[[SCALAR:.*]]: tensor<f64>, %[[SEED:.*]]: tensor<?x4xf32>)
// CHECK-SAME: -> (tensor<?x4xf32>, tensor<?x3xf16>, tensor<f64>)
// CHECK-NEXT: train.mul %[[X]], %[[X]]
// CHECK-NEXT: %[[D0:.*]] = train.mul %[[SEED]], %[[X]]
// CHECK-NEXT: %[[D1:.*]] = train.mul %[[SEED]], %[[X]]
// CHECK-NEXT: %[[DX:.*]] = train.add %[[D0]], %[[D1]]
// CHECK-NEXT: %[[ZERO16:.*]] = arith.constant dense<0.000000e+00> : tensor<f16>
// CHECK-NEXT: %[[ZEROS:.*]] = train.broadcast %[[ZERO16]] like %[[UNUSED]] dimensions [0, 1] : (tensor<f16>, tensor<?x3xf16>) -> tensor<?x3xf16>
// CHECK-NEXT: %[[ZERO64:.*]] = arith.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: return %[[DX]], %[[ZEROS]], %[[ZERO64]]
// CHECK-LABEL: func.func private @square(
func.func @f(%x: tensor<?x4xf32> {train.name = "x"}, %labels: tensor<?xi32>, %unused: tensor<?x3xf16>, %scalar: tensor<f64>) -> tensor<?x4xf32> {
  %0 = call @square(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
func.func private @square(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = train.mul %x, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// The gradient of the identity is the seed.

// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %{{.*}}: tensor<4xf32>, %[[SEED:.*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[SEED]]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// A variable counts as a constant, and the function stays as it was.

train.variable @w : tensor<4xf32> = #train.zeros

// CHECK-LABEL: func.func @f(
// CHECK-NEXT: train.read @w
// CHECK-NEXT: train.mul
// CHECK-NEXT: return
// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %{{.*}}: tensor<4xf32>, %[[SEED:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[W:.*]] = train.read @w
// CHECK: %[[DX:.*]] = train.mul %[[SEED]], %[[W]]
// CHECK-NEXT: return %[[DX]]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = train.read @w : tensor<4xf32>
  %0 = train.mul %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
