// RUN: amp-opt %s --amp-build-gradient=function=sum --amp-build-gradient=function=mean --amp-build-gradient=function=max --amp-build-gradient=function=min --amp-build-gradient=function=rounded_sum --amp-build-gradient=function=rounded_max | FileCheck %s
// RUN: amp-grad-check %s --function=sum,mean,max,min

// CHECK-LABEL: func.func @sum.grad(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x2x3xf64>, %[[SEED:[^:]*]]: tensor<2xf64>)
// CHECK-NEXT: %[[Y:.*]] = train.reduce sum %[[X]]
// CHECK-NEXT: %[[DX:.*]] = train.reduce_grad sum %[[SEED]], %[[X]], %[[Y]] dimensions [0, 2]
// CHECK-NEXT: return %[[DX]]
func.func @sum(%x: tensor<?x2x3xf64>) -> tensor<2xf64> {
  %0 = train.reduce sum %x dimensions [0, 2] : (tensor<?x2x3xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// CHECK-LABEL: func.func @mean.grad(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x2x3xf64>, %[[SEED:[^:]*]]: tensor<2xf64>)
// CHECK-NEXT: %[[Y:.*]] = train.reduce mean %[[X]]
// CHECK-NEXT: %[[DX:.*]] = train.reduce_grad mean %[[SEED]], %[[X]], %[[Y]] dimensions [0, 2]
// CHECK-NEXT: return %[[DX]]
func.func @mean(%x: tensor<?x2x3xf64>) -> tensor<2xf64> {
  %0 = train.reduce mean %x dimensions [0, 2] : (tensor<?x2x3xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// CHECK-LABEL: func.func @max.grad(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x2x3xf64>, %[[SEED:[^:]*]]: tensor<2xf64>)
// CHECK-NEXT: %[[Y:.*]] = train.reduce max %[[X]]
// CHECK-NEXT: %[[DX:.*]] = train.reduce_grad max %[[SEED]], %[[X]], %[[Y]] dimensions [0, 2]
// CHECK-NEXT: return %[[DX]]
func.func @max(%x: tensor<?x2x3xf64>) -> tensor<2xf64> {
  %0 = train.reduce max %x dimensions [0, 2] : (tensor<?x2x3xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// CHECK-LABEL: func.func @min.grad(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x2x3xf64>, %[[SEED:[^:]*]]: tensor<2xf64>)
// CHECK-NEXT: %[[Y:.*]] = train.reduce min %[[X]]
// CHECK-NEXT: %[[DX:.*]] = train.reduce_grad min %[[SEED]], %[[X]], %[[Y]] dimensions [0, 2]
// CHECK-NEXT: return %[[DX]]
func.func @min(%x: tensor<?x2x3xf64>) -> tensor<2xf64> {
  %0 = train.reduce min %x dimensions [0, 2] : (tensor<?x2x3xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// CHECK-LABEL: func.func @rounded_sum.grad(
// CHECK: train.reduce_grad sum {{.*}} : (tensor<f32>, tensor<4xf16>, tensor<f32>) -> tensor<4xf16>
func.func @rounded_sum(%x: tensor<4xf16>) -> tensor<f32> {
  %0 = train.reduce sum %x dimensions [0] : (tensor<4xf16>) -> tensor<f32>
  return %0 : tensor<f32>
}

// A maximum that was rounded equals no element of the input.

// CHECK-LABEL: func.func @rounded_max.grad(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xf32>, %[[SEED:[^:]*]]: tensor<f16>)
// CHECK: %[[Y:.*]] = train.reduce max %[[X]] dimensions [0] : (tensor<4xf32>) -> tensor<f32>
// CHECK-NEXT: train.reduce_grad max %[[SEED]], %[[X]], %[[Y]] {{.*}} -> tensor<4xf32>
func.func @rounded_max(%x: tensor<4xf32>) -> tensor<f16> {
  %0 = train.reduce max %x dimensions [0] : (tensor<4xf32>) -> tensor<f16>
  return %0 : tensor<f16>
}
