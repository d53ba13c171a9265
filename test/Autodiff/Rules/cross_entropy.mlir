// RUN: amp-opt %s --amp-build-gradient=function=f --amp-build-gradient=function=half | FileCheck %s
// RUN: amp-grad-check %s --function=f --low=-3 --high=3 --labels=5 --dim=7

// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x5xf64>, %[[T:[^:]*]]: tensor<?xi32>, %[[SEED:[^:]*]]: tensor<f64>) -> tensor<?x5xf64>
// CHECK: %[[DX:.*]] = train.cross_entropy_grad %[[SEED]], %[[X]], %[[T]]
// CHECK-NEXT: return %[[DX]]
func.func @f(%x: tensor<?x5xf64>, %t: tensor<?xi32>) -> tensor<f64> {
  %0 = train.cross_entropy %x, %t : (tensor<?x5xf64>, tensor<?xi32>) -> tensor<f64>
  return %0 : tensor<f64>
}

// Half logits get their gradient in one rounding.

// CHECK-LABEL: func.func @half.grad(
// CHECK: train.cross_entropy_grad {{.*}} -> tensor<?x5xf16>
// CHECK-NEXT: return
func.func @half(%x: tensor<?x5xf16>, %t: tensor<?xi32>) -> tensor<f32> {
  %0 = train.cross_entropy %x, %t : (tensor<?x5xf16>, tensor<?xi32>) -> tensor<f32>
  return %0 : tensor<f32>
}
