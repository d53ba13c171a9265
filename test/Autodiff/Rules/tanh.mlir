// RUN: amp-opt %s --amp-build-gradient=function=mixed | FileCheck %s
// RUN: amp-grad-check %s --function=f --low=-3 --high=3 --dim=8

// CHECK-LABEL: func.func @mixed.grad(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x4xf32>, %[[SEED:[^:]*]]: tensor<?x4xf16>)
// CHECK-NEXT: %[[Y:.*]] = train.tanh %[[X]]
// CHECK-NEXT: %[[DX:.*]] = train.tanh_grad %[[SEED]], %[[Y]]{{.*}} -> tensor<?x4xf32>
// CHECK-NEXT: return %[[DX]]
func.func @mixed(%x: tensor<?x4xf32>) -> tensor<?x4xf16> {
  %0 = train.tanh %x : (tensor<?x4xf32>) -> tensor<?x4xf16>
  return %0 : tensor<?x4xf16>
}

func.func @f(%x: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %0 = train.tanh %x : (tensor<?x4xf64>) -> tensor<?x4xf64>
  return %0 : tensor<?x4xf64>
}
