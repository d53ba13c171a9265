// RUN: amp-opt %s --amp-build-gradient=function=mixed | FileCheck %s
// RUN: amp-grad-check %s --function=f,rank3 --low=-3 --high=3 --dim=8

// CHECK-LABEL: func.func @mixed.grad(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x4xf32>, %[[SEED:[^:]*]]: tensor<?x4xf16>)
// CHECK-NEXT: %[[Y:.*]] = train.log_softmax %[[X]]
// CHECK-NEXT: %[[DX:.*]] = train.log_softmax_grad %[[SEED]], %[[Y]]{{.*}} -> tensor<?x4xf32>
// CHECK-NEXT: return %[[DX]]
func.func @mixed(%x: tensor<?x4xf32>) -> tensor<?x4xf16> {
  %0 = train.log_softmax %x : (tensor<?x4xf32>) -> tensor<?x4xf16>
  return %0 : tensor<?x4xf16>
}

func.func @f(%x: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %0 = train.log_softmax %x : (tensor<?x4xf64>) -> tensor<?x4xf64>
  return %0 : tensor<?x4xf64>
}

func.func @rank3(%x: tensor<2x3x5xf64>) -> tensor<2x3x5xf64> {
  %0 = train.log_softmax %x : (tensor<2x3x5xf64>) -> tensor<2x3x5xf64>
  return %0 : tensor<2x3x5xf64>
}
