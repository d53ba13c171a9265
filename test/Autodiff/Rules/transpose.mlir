// RUN: amp-opt %s --amp-build-gradient=function=f | FileCheck %s
// RUN: amp-grad-check %s --function=f,matrix

// The gradient is permuted back. This permutation is not its own inverse.

// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %[[SEED:[^:]*]]: tensor<3x?x2xf64>)
// CHECK: %[[DX:.*]] = train.transpose %[[SEED]] permutation [1, 2, 0] : (tensor<3x?x2xf64>) -> tensor<?x2x3xf64>
// CHECK-NEXT: return %[[DX]]
func.func @f(%x: tensor<?x2x3xf64>) -> tensor<3x?x2xf64> {
  %0 = train.transpose %x permutation [2, 0, 1] : (tensor<?x2x3xf64>) -> tensor<3x?x2xf64>
  return %0 : tensor<3x?x2xf64>
}

func.func @matrix(%x: tensor<?x3xf64>) -> tensor<3x?xf64> {
  %0 = train.transpose %x permutation [1, 0] : (tensor<?x3xf64>) -> tensor<3x?xf64>
  return %0 : tensor<3x?xf64>
}
