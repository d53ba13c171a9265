// RUN: amp-opt %s --amp-build-gradient=function=mixed --amp-build-gradient=function=approximate | FileCheck %s
// RUN: amp-grad-check %s --function=f,approximate --low=-3 --high=3 --dim=8

// CHECK-LABEL: func.func @mixed.grad(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x4xf32>, %[[SEED:[^:]*]]: tensor<?x4xf16>)
// CHECK-NEXT: %[[Y:.*]] = train.gelu %[[X]]
// CHECK-NEXT: %[[DX:.*]] = train.gelu_grad %[[SEED]], %[[X]] :{{.*}} -> tensor<?x4xf32>
// CHECK-NEXT: return %[[DX]]
func.func @mixed(%x: tensor<?x4xf32>) -> tensor<?x4xf16> {
  %0 = train.gelu %x : (tensor<?x4xf32>) -> tensor<?x4xf16>
  return %0 : tensor<?x4xf16>
}

func.func @f(%x: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %0 = train.gelu %x : (tensor<?x4xf64>) -> tensor<?x4xf64>
  return %0 : tensor<?x4xf64>
}

// The gradient is that of the form that was chosen.

// CHECK-LABEL: func.func @approximate.grad(
// CHECK: train.gelu_grad %{{.*}}, %{{.*}} approximate tanh
func.func @approximate(%x: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %0 = train.gelu %x approximate tanh : (tensor<?x4xf64>) -> tensor<?x4xf64>
  return %0 : tensor<?x4xf64>
}
