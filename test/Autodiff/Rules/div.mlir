// RUN: amp-opt %s --amp-build-gradient=function=f --amp-build-gradient=function=mixed --amp-build-gradient=function=constant_dividend | FileCheck %s
// RUN: amp-grad-check %s --function=f,constant_dividend --low=0.5 --high=2

// With q = dy / b: da = q and db = -(q * y).

// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x4xf64>, %[[B:[^:]*]]: tensor<?x4xf64>, %[[SEED:[^:]*]]: tensor<?x4xf64>)
// CHECK-NEXT: %[[Y:.*]] = train.div %[[A]], %[[B]]
// CHECK-NEXT: %[[DA:.*]] = train.div %[[SEED]], %[[B]]
// CHECK-NEXT: %[[PRODUCT:.*]] = train.mul %[[DA]], %[[Y]]
// CHECK-NEXT: %[[DB:.*]] = train.neg %[[PRODUCT]]
// CHECK-NEXT: return %[[DA]], %[[DB]]
func.func @f(%a: tensor<?x4xf64>, %b: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %0 = train.div %a, %b : (tensor<?x4xf64>, tensor<?x4xf64>) -> tensor<?x4xf64>
  return %0 : tensor<?x4xf64>
}

// The quotient is shared only if it has the type of both.

// CHECK-LABEL: func.func @mixed.grad(
// CHECK: %[[DA:.*]] = train.div {{.*}} -> tensor<4xf16>
// CHECK-NEXT: %[[Q:.*]] = train.div {{.*}} -> tensor<4xf32>
// CHECK-NEXT: train.mul %[[Q]], {{.*}} -> tensor<4xf32>
// CHECK-NEXT: train.neg {{.*}} -> tensor<4xf32>
func.func @mixed(%a: tensor<4xf16>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = train.div %a, %b : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @constant_dividend.grad(
// CHECK: %[[Q:.*]] = train.div
// CHECK: %[[Q:.*]] = train.div
// CHECK-NEXT: train.mul %[[Q]]
// CHECK-NEXT: train.neg
// CHECK-NEXT: return
func.func @constant_dividend(%b: tensor<4xf64>) -> tensor<4xf64> {
  %one = arith.constant dense<1.0> : tensor<4xf64>
  %0 = train.div %one, %b : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
