// RUN: amp-opt %s --amp-build-gradient=function=f --amp-build-gradient=function=out_in --amp-build-gradient=function=no_bias --amp-build-gradient=function=mixed | FileCheck %s
// RUN: amp-grad-check %s --function=f,out_in,no_bias

// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x4xf64>, %[[W:[^:]*]]: tensor<4x3xf64>, %{{.*}}: tensor<3xf64>, %[[SEED:[^:]*]]: tensor<?x3xf64>)
// CHECK: %[[DX:.*]] = train.matmul %[[SEED]], %[[W]] {transpose_rhs}
// CHECK-NEXT: %[[DW:.*]] = train.matmul %[[X]], %[[SEED]] {transpose_lhs}
// CHECK-NEXT: %[[DB:.*]] = train.reduce sum %[[SEED]] dimensions [0]
// CHECK-NEXT: return %[[DX]], %[[DW]], %[[DB]]
func.func @f(%x: tensor<?x4xf64>, %w: tensor<4x3xf64>, %b: tensor<3xf64>) -> tensor<?x3xf64> {
  %0 = train.linear %x, %w bias %b : (tensor<?x4xf64>, tensor<4x3xf64>, tensor<3xf64>) -> tensor<?x3xf64>
  return %0 : tensor<?x3xf64>
}

// CHECK-LABEL: func.func @out_in.grad(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x4xf64>, %[[W:[^:]*]]: tensor<3x4xf64>, %{{.*}}: tensor<3xf64>, %[[SEED:[^:]*]]: tensor<?x3xf64>)
// CHECK: %[[DX:.*]] = train.matmul %[[SEED]], %[[W]] :
// CHECK-NEXT: %[[DW:.*]] = train.matmul %[[SEED]], %[[X]] {transpose_lhs} : {{.*}} -> tensor<3x4xf64>
// CHECK-NEXT: %[[DB:.*]] = train.reduce sum %[[SEED]] dimensions [0]
// CHECK-NEXT: return %[[DX]], %[[DW]], %[[DB]]
func.func @out_in(%x: tensor<?x4xf64>, %w: tensor<3x4xf64>, %b: tensor<3xf64>) -> tensor<?x3xf64> {
  %0 = train.linear %x, %w bias %b {transpose_weight} : (tensor<?x4xf64>, tensor<3x4xf64>, tensor<3xf64>) -> tensor<?x3xf64>
  return %0 : tensor<?x3xf64>
}

// CHECK-LABEL: func.func @no_bias.grad(
// CHECK-NOT: train.reduce
// CHECK: return
func.func @no_bias(%x: tensor<?x4xf64>, %w: tensor<4x3xf64>) -> tensor<?x3xf64> {
  %0 = train.linear %x, %w : (tensor<?x4xf64>, tensor<4x3xf64>) -> tensor<?x3xf64>
  return %0 : tensor<?x3xf64>
}

// The weight's gradient has the weight's type, the bias's the bias's.

// CHECK-LABEL: func.func @mixed.grad(
// CHECK: train.matmul {{.*}} -> tensor<?x4xbf16>
// CHECK: train.matmul {{.*}} -> tensor<4x3xf32>
// CHECK: train.reduce sum {{.*}} : (tensor<?x3xbf16>) -> tensor<3xf32>
func.func @mixed(%x: tensor<?x4xbf16>, %w: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<?x3xbf16> {
  %0 = train.linear %x, %w bias %b : (tensor<?x4xbf16>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<?x3xbf16>
  return %0 : tensor<?x3xbf16>
}
