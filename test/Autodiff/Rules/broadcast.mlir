// RUN: amp-opt %s --amp-build-gradient=function=f --amp-build-gradient=function=none | FileCheck %s
// RUN: amp-grad-check %s --function=f,scalar

// What was repeated is summed up; of %like only the shape is read.

// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %{{.*}}: tensor<?x3xf64>, %[[LIKE:[^:]*]]: tensor<2x?x3xf64>, %[[SEED:[^:]*]]: tensor<2x?x3xf64>)
// CHECK: %[[DX:.*]] = train.reduce sum %[[SEED]] dimensions [0] : (tensor<2x?x3xf64>) -> tensor<?x3xf64>
// CHECK: %[[DLIKE:.*]] = train.broadcast %{{.*}} like %[[LIKE]] dimensions [0, 1, 2]
// CHECK-NEXT: return %[[DX]], %[[DLIKE]]
func.func @f(%x: tensor<?x3xf64>, %like: tensor<2x?x3xf64>) -> tensor<2x?x3xf64> {
  %0 = train.broadcast %x like %like dimensions [0] : (tensor<?x3xf64>, tensor<2x?x3xf64>) -> tensor<2x?x3xf64>
  return %0 : tensor<2x?x3xf64>
}

// CHECK-LABEL: func.func @none.grad(
// CHECK-SAME: %[[SEED:[^:]*]]: tensor<3xf64>)
// CHECK-NOT: train.reduce
// CHECK: return %[[SEED]]
func.func @none(%x: tensor<3xf64>, %like: tensor<3xf64>) -> tensor<3xf64> {
  %0 = train.broadcast %x like %like dimensions [] : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

func.func @scalar(%x: tensor<f64>, %like: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %0 = train.broadcast %x like %like dimensions [0, 1] : (tensor<f64>, tensor<?x3xf64>) -> tensor<?x3xf64>
  %1 = train.mul %0, %like : (tensor<?x3xf64>, tensor<?x3xf64>) -> tensor<?x3xf64>
  return %1 : tensor<?x3xf64>
}
