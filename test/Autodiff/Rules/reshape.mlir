// RUN: amp-opt %s --amp-build-gradient=function=f --amp-build-gradient=function=mixed | FileCheck %s
// RUN: amp-grad-check %s --function=f,g

// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %[[SEED:[^:]*]]: tensor<?x6xf64>)
// CHECK: %[[DX:.*]] = train.reshape %[[SEED]] : (tensor<?x6xf64>) -> tensor<?x2x3xf64>
// CHECK-NEXT: return %[[DX]]
func.func @f(%x: tensor<?x2x3xf64>) -> tensor<?x6xf64> {
  %0 = train.reshape %x : (tensor<?x2x3xf64>) -> tensor<?x6xf64>
  return %0 : tensor<?x6xf64>
}

// CHECK-LABEL: func.func @mixed.grad(
// CHECK: train.reshape {{.*}} : (tensor<6xf16>) -> tensor<2x3xf32>
func.func @mixed(%x: tensor<2x3xf32>) -> tensor<6xf16> {
  %0 = train.reshape %x : (tensor<2x3xf32>) -> tensor<6xf16>
  return %0 : tensor<6xf16>
}

func.func @g(%x: tensor<4x3xf64>) -> tensor<2x6xf64> {
  %0 = train.reshape %x : (tensor<4x3xf64>) -> tensor<2x6xf64>
  %1 = train.mul %0, %0 : (tensor<2x6xf64>, tensor<2x6xf64>) -> tensor<2x6xf64>
  return %1 : tensor<2x6xf64>
}
