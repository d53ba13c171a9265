// RUN: amp-opt %s --amp-build-gradient=function=f --amp-build-gradient=function=mixed | FileCheck %s
// RUN: amp-grad-check %s --function=f,same

// The gradient of a sum goes to both operands as it is.

// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %[[SEED:[^:]*]]: tensor<?x4xf64>)
// CHECK-NEXT: train.add
// CHECK-NEXT: return %[[SEED]], %[[SEED]]
func.func @f(%a: tensor<?x4xf64>, %b: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %0 = train.add %a, %b : (tensor<?x4xf64>, tensor<?x4xf64>) -> tensor<?x4xf64>
  return %0 : tensor<?x4xf64>
}

// An operand of another type gets its gradient in that type.

// CHECK-LABEL: func.func @mixed.grad(
// CHECK-SAME: %[[SEED:[^:]*]]: tensor<4xf32>)
// CHECK: %[[DA:.*]] = train.cast %[[SEED]] : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT: return %[[DA]], %[[SEED]]
func.func @mixed(%a: tensor<4xf16>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = train.add %a, %b : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @same(%a: tensor<5xf64>) -> tensor<5xf64> {
  %0 = train.add %a, %a : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
  return %0 : tensor<5xf64>
}
