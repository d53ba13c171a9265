// RUN: amp-opt %s --amp='dtype=f16' --split-input-file | FileCheck %s
// RUN: amp-opt %s --amp='dtype=f16 level=O2' --split-input-file | FileCheck %s
// RUN: amp-opt %s --amp='dtype=f16' --split-input-file -o %t.once
// RUN: amp-opt %t.once --amp='dtype=f16' --split-input-file | diff %t.once -
// RUN: amp-opt %s --amp='dtype=f16 level=O2' --split-input-file -o %t.once
// RUN: amp-opt %t.once --amp='dtype=f16 level=O2' --split-input-file | diff %t.once -
// RUN: amp-opt %s --amp='dtype=f16 level=O3' --split-input-file -o %t.once
// RUN: amp-opt %t.once --amp='dtype=f16 level=O3' --split-input-file | diff %t.once -

// What is made from the seed by clear ops stays f32, for the scale that takes its place may be more than f16 holds.
// Where a contraction reads it, it is a gradient like any other.
// CHECK-LABEL: func.func @broadcast
// CHECK: %[[SCALE:.*]] = train.read @amp.scale
// CHECK: train.broadcast %[[SCALE]] like %{{.*}} : (tensor<f32>, tensor<8x8xf16>) -> tensor<8x8xf32>
// CHECK-NEXT: amp.cast %{{.*}} : tensor<8x8xf32> to tensor<8x8xf16>
// CHECK: train.reshape %[[SCALE]] : (tensor<f32>) -> tensor<1xf32>
// CHECK: train.reshape %{{.*}} : (tensor<1xf32>) -> tensor<1x1xf32>
train.variable @w : tensor<8x8xf32> = #train.zeros
func.func @broadcast(%x: tensor<8x8xf32>, %c: tensor<1xf16>) -> (tensor<f32> {train.name = "loss"}, tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}, tensor<f32> {train.name = "grad_norm"}, tensor<1xf32>, tensor<1x1xf32>) attributes {train.step_of = @t} {
  %w = train.read @w : tensor<8x8xf32>
  %y = train.matmul %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %loss = train.reduce sum %y dimensions [0, 1] : (tensor<8x8xf32>) -> tensor<f32>
  %seed = train.seed : tensor<f32>
  %dy = train.broadcast %seed like %y dimensions [0, 1] : (tensor<f32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw = train.matmul %x, %dy {transpose_lhs} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %norm = train.global_norm %dw : (tensor<8x8xf32>) -> tensor<f32>
  %true = arith.constant dense<true> : tensor<i1>
  %one = arith.constant dense<1.0> : tensor<f32>
  %w1 = train.sgd %w, %dw {learning_rate = 0.1 : f64, weight_decay = 0.0 : f64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  train.assign @w, %w1 : tensor<8x8xf32>
  %r = train.reshape %seed : (tensor<f32>) -> tensor<1xf32>
  %p = train.mul %r, %c : (tensor<1xf32>, tensor<1xf16>) -> tensor<1xf32>
  %s = train.reshape %r : (tensor<1xf32>) -> tensor<1x1xf32>
  return %loss, %true, %one, %norm, %p, %s : tensor<f32>, tensor<i1>, tensor<f32>, tensor<f32>, tensor<1xf32>, tensor<1x1xf32>
}

// -----

// Every seed is the scale, also one in a region: none of its gradients would come out unscaled else.
// CHECK-LABEL: func.func @two_seeds
// CHECK: %[[SCALE:.*]] = train.read @amp.scale
// CHECK-NOT: train.seed
// CHECK: train.mse_grad %[[SCALE]],
// CHECK-NOT: train.seed
// CHECK: scf.if
// CHECK: train.mse_grad %[[SCALE]],
// CHECK-NOT: train.seed
train.variable @w : tensor<8x8xf32> = #train.zeros
func.func @two_seeds(%x: tensor<8x8xf32>, %c: i1) -> (tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}) attributes {train.step_of = @t} {
  %w = train.read @w : tensor<8x8xf32>
  %y = train.matmul %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %first = train.seed : tensor<f32>
  %dy1 = train.mse_grad %first, %y, %x : (tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %dy2 = scf.if %c -> tensor<8x8xf32> {
    %second = train.seed : tensor<f32>
    %0 = train.mse_grad %second, %y, %y : (tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %0 : tensor<8x8xf32>
  } else {
    scf.yield %dy1 : tensor<8x8xf32>
  }
  %dy = train.add %dy1, %dy2 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw = train.matmul %x, %dy {transpose_lhs} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %norm = train.global_norm %dw : (tensor<8x8xf32>) -> tensor<f32>
  %true = arith.constant dense<true> : tensor<i1>
  %one = arith.constant dense<1.0> : tensor<f32>
  %w1 = train.sgd %w, %dw {learning_rate = 0.1 : f64, weight_decay = 0.0 : f64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  train.assign @w, %w1 : tensor<8x8xf32>
  return %true, %one : tensor<i1>, tensor<f32>
}
