// RUN: amp-opt %s --amp-build-gradient=function=f --amp-build-gradient=function=mixed | FileCheck %s
// RUN: amp-grad-check %s --function=f,same

// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x4xf64>, %[[B:[^:]*]]: tensor<?x4xf64>, %[[SEED:[^:]*]]: tensor<?x4xf64>)
// CHECK: %[[DA:.*]] = train.mul %[[SEED]], %[[B]]
// CHECK-NEXT: %[[DB:.*]] = train.mul %[[SEED]], %[[A]]
// CHECK-NEXT: return %[[DA]], %[[DB]]
func.func @f(%a: tensor<?x4xf64>, %b: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %0 = train.mul %a, %b : (tensor<?x4xf64>, tensor<?x4xf64>) -> tensor<?x4xf64>
  return %0 : tensor<?x4xf64>
}

// CHECK-LABEL: func.func @mixed.grad(
// CHECK: train.mul {{.*}} : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf16>
// CHECK: train.mul {{.*}} : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf32>
func.func @mixed(%a: tensor<4xf16>, %b: tensor<4xf32>) -> tensor<4xf16> {
  %0 = train.mul %a, %b : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

func.func @same(%a: tensor<5xf64>) -> tensor<5xf64> {
  %0 = train.mul %a, %a : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
  %1 = train.mul %0, %a : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
  return %1 : tensor<5xf64>
}
