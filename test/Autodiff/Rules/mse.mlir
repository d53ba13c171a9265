// RUN: amp-opt %s --amp-build-gradient=function=f --amp-build-gradient=function=target --amp-build-gradient=function=half --amp-build-gradient=function=wide | FileCheck %s
// RUN: amp-grad-check %s --function=f,target

// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %[[Y:[^:]*]]: tensor<?x2xf64>, %[[T:[^:]*]]: tensor<?x2xf64>, %[[SEED:[^:]*]]: tensor<f64>)
// CHECK: %[[DY:.*]] = train.mse_grad %[[SEED]], %[[Y]], %[[T]]
// CHECK-NEXT: %[[DT:.*]] = train.neg %[[DY]]
// CHECK-NEXT: return %[[DY]], %[[DT]]
func.func @f(%y: tensor<?x2xf64>, %t: tensor<?x2xf64>) -> tensor<f64> {
  %0 = train.mse %y, %t : (tensor<?x2xf64>, tensor<?x2xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// CHECK-LABEL: func.func @target.grad(
// CHECK: %[[D:.*]] = train.mse_grad
// CHECK-NEXT: %[[DT:.*]] = train.neg %[[D]]
// CHECK-NEXT: return %[[DT]]
func.func @target(%t: tensor<3x2xf64>) -> tensor<f64> {
  %y = arith.constant dense<5.0e-1> : tensor<3x2xf64>
  %0 = train.mse %y, %t : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// A gradient is rounded once, into its operand's type.

// CHECK-LABEL: func.func @half.grad(
// CHECK: %[[DY:.*]] = train.mse_grad {{.*}} -> tensor<3xf16>
// CHECK-NEXT: %[[D:.*]] = train.mse_grad {{.*}} -> tensor<3xbf16>
// CHECK-NEXT: %[[DT:.*]] = train.neg %[[D]] : (tensor<3xbf16>) -> tensor<3xbf16>
// CHECK-NEXT: return %[[DY]], %[[DT]]
func.func @half(%y: tensor<3xf16>, %t: tensor<3xbf16>) -> tensor<f32> {
  %0 = train.mse %y, %t : (tensor<3xf16>, tensor<3xbf16>) -> tensor<f32>
  return %0 : tensor<f32>
}

// An op that computes in f64 has an f64 result.

// CHECK-LABEL: func.func @wide.grad(
// CHECK: %[[DY:.*]] = train.mse_grad {{.*}} -> tensor<3xf64>
// CHECK-NEXT: train.cast %[[DY]] : (tensor<3xf64>) -> tensor<3xf32>
// CHECK-NEXT: %[[DT:.*]] = train.mse_grad {{.*}} -> tensor<3xf64>
// CHECK-NEXT: train.neg %[[DT]] : (tensor<3xf64>) -> tensor<3xf64>
func.func @wide(%y: tensor<3xf32>, %t: tensor<3xf64>) -> tensor<f64> {
  %0 = train.mse %y, %t : (tensor<3xf32>, tensor<3xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}
