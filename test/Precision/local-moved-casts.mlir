// RUN: amp-opt %s --amp-stage-autodiff --amp='dtype=f16' | FileCheck %s
// RUN: amp-opt %s --amp-stage-autodiff --amp='dtype=f16 level=O2' | FileCheck %s

// The cast of what only a low op reads moves before the reshape, though the constant does not fit
// and level O2 would keep the reshape f32 for it: the user asks for the low matmul.
// CHECK-LABEL: func.func @unfit_leaf
// CHECK: train.reshape %{{.*}} : (tensor<16xf16>) -> tensor<4x4xf16>
func.func @unfit_leaf(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %c = arith.constant dense<1.0e6> : tensor<16xf32>
  %r = train.reshape %c : (tensor<16xf32>) -> tensor<4x4xf32>
  %y = train.matmul %x, %r {amp.precision = "low"} : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// A user's mark binds the backward op: the gradient of the marked reshape is one in f32, although
// the backward contraction alone reads it.
// CHECK-LABEL: func.func @t.step
// CHECK: train.reshape %{{.*}} {amp.precision = "f32"{{.*}} : (tensor<1x1xf32>) -> tensor<f32>
// CHECK: %[[DY:.*]] = train.reshape %{{.*}} : (tensor<f32>) -> tensor<1x1xf32>
// CHECK: amp.cast %[[DY]] : tensor<1x1xf32> to tensor<1x1xf16>
train.variable @w : tensor<4x1xf32> = #train.constant<0.5>
func.func @loss(%x: tensor<1x4xf32>) -> tensor<f32> {
  %w = train.read @w : tensor<4x1xf32>
  %y = train.matmul %x, %w : (tensor<1x4xf32>, tensor<4x1xf32>) -> tensor<1x1xf32>
  %l = train.reshape %y {amp.precision = "f32"} : (tensor<1x1xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
train.task @t loss(@loss) optimizer(#train.sgd<learning_rate = 0.1>)
