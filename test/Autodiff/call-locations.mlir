// An op of a function that was inlined says where it stands, and through which calls it came there.

// RUN: amp-opt %s --amp-stage-autodiff --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

train.variable @w : tensor<4xf32> = #train.zeros
func.func private @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = train.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("mul")
  return %0 : tensor<4xf32>
}
func.func private @both(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @square(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("inner")
  return %0 : tensor<4xf32>
}
func.func @loss(%x: tensor<4xf32> {train.name = "x"}) -> tensor<f32> {
  %w = train.read @w : tensor<4xf32>
  %0 = func.call @both(%w) : (tensor<4xf32>) -> tensor<4xf32> loc("outer")
  %1 = train.mse %0, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32> loc("mse")
  return %1 : tensor<f32>
}
train.task @t loss(@loss) optimizer(#train.sgd<learning_rate = 1.0e-1>)

// CHECK-LABEL: func.func @t.step
// CHECK:         train.mul {{.*}}train.forward = 0{{.*}} loc(callsite("mul" at callsite("inner" at "outer")))
// CHECK:         train.mse {{.*}} loc("mse")
