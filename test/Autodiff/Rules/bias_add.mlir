// RUN: amp-opt %s --amp-build-gradient=function=f --amp-build-gradient=function=vector | FileCheck %s
// RUN: amp-grad-check %s --function=f,vector

// The bias's gradient sums up the dimensions that the bias was repeated along.

// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %[[SEED:[^:]*]]: tensor<?x2x3xf64>)
// CHECK: %[[DB:.*]] = train.reduce sum %[[SEED]] dimensions [0, 1]
// CHECK-NEXT: return %[[SEED]], %[[DB]]
func.func @f(%x: tensor<?x2x3xf64>, %b: tensor<3xf64>) -> tensor<?x2x3xf64> {
  %0 = train.bias_add %x, %b : (tensor<?x2x3xf64>, tensor<3xf64>) -> tensor<?x2x3xf64>
  return %0 : tensor<?x2x3xf64>
}

// CHECK-LABEL: func.func @vector.grad(
// CHECK-SAME: %[[SEED:[^:]*]]: tensor<3xf64>)
// CHECK-NEXT: train.bias_add
// CHECK-NEXT: return %[[SEED]], %[[SEED]]
func.func @vector(%x: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<3xf64> {
  %0 = train.bias_add %x, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
