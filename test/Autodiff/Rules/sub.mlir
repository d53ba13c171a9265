// RUN: amp-opt %s --amp-build-gradient=function=f --amp-build-gradient=function=mixed | FileCheck %s
// RUN: amp-grad-check %s --function=f

// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %[[SEED:[^:]*]]: tensor<?x4xf64>)
// CHECK-NEXT: train.sub
// CHECK-NEXT: %[[DB:.*]] = train.neg %[[SEED]]
// CHECK-NEXT: return %[[SEED]], %[[DB]]
func.func @f(%a: tensor<?x4xf64>, %b: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %0 = train.sub %a, %b : (tensor<?x4xf64>, tensor<?x4xf64>) -> tensor<?x4xf64>
  return %0 : tensor<?x4xf64>
}

// The negation rounds into the operand's type: no cast is needed.

// CHECK-LABEL: func.func @mixed.grad(
// CHECK-SAME: %[[SEED:[^:]*]]: tensor<4xf32>)
// CHECK: %[[DB:.*]] = train.neg %[[SEED]] : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-NEXT: return %[[SEED]], %[[DB]]
func.func @mixed(%a: tensor<4xf32>, %b: tensor<4xbf16>) -> tensor<4xf32> {
  %0 = train.sub %a, %b : (tensor<4xf32>, tensor<4xbf16>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
