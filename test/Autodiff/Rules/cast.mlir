// RUN: amp-opt %s --amp-build-gradient=function=f --amp-build-gradient=function=refined | FileCheck %s
// RUN: amp-grad-check %s --function=g

// The adjoint of a cast is the cast back.

// CHECK-LABEL: func.func @f.grad(
// CHECK-SAME: %[[SEED:[^:]*]]: tensor<?x4xbf16>)
// CHECK: %[[DX:.*]] = train.cast %[[SEED]] : (tensor<?x4xbf16>) -> tensor<?x4xf64>
// CHECK-NEXT: return %[[DX]]
func.func @f(%x: tensor<?x4xf64>) -> tensor<?x4xbf16> {
  %0 = train.cast %x : (tensor<?x4xf64>) -> tensor<?x4xbf16>
  return %0 : tensor<?x4xbf16>
}

// The gradient has the shape of the operand as its type says it.

// CHECK-LABEL: func.func @refined.grad(
// CHECK: train.cast %{{.*}} : (tensor<2x4xf32>) -> tensor<?x4xf32>
func.func @refined(%x: tensor<?x4xf32>) -> tensor<2x4xf32> {
  %0 = train.cast %x : (tensor<?x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// A rounding has no useful difference quotient: the numbers are those of a cast that does not round.

func.func @g(%x: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %0 = train.cast %x : (tensor<?x4xf64>) -> tensor<?x4xf64>
  %1 = train.mul %0, %x : (tensor<?x4xf64>, tensor<?x4xf64>) -> tensor<?x4xf64>
  return %1 : tensor<?x4xf64>
}
