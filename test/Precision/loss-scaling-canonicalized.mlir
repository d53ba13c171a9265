// Passes between autodiff and amp do not take the seed away: the loss is scaled all the same.

// RUN: amp-opt %s --amp-stage-autodiff --canonicalize --cse --amp='dtype=f16' | FileCheck %s
// RUN: amp-opt %s --amp-stage-autodiff --canonicalize --cse --amp='dtype=f16' --amp='dtype=f16' | FileCheck %s

// CHECK-LABEL: func.func @t.step
// CHECK:         %[[SCALE:.*]] = train.read @amp.scale
// CHECK:         train.mse_grad %[[SCALE]],
// CHECK:         amp.check_gradients
// CHECK:         return %{{.*}}, %{{.*}}, %[[SCALE]],

train.variable @w : tensor<4x4xf32> = #train.he<normal>

// The constant 1 of the loss looks like a seed.
func.func @loss(%x: tensor<?x4xf32> {train.name = "x"}, %y: tensor<?x4xf32> {train.name = "y"}) -> tensor<f32> {
  %w = train.read @w : tensor<4x4xf32>
  %h = train.matmul %x, %w : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  %l = train.mse %h, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %loss = train.add %l, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}

train.task @t loss(@loss) optimizer(#train.sgd<learning_rate = 1.0e-1>)
