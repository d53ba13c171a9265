// RUN: amp-opt %s --amp='dtype=f16' --split-input-file | FileCheck %s
// RUN: amp-opt %s --amp='dtype=bf16' --split-input-file | FileCheck %s --check-prefix=BF16

// A gradient that is low because the backward pass goes on from it: check and unscale read it as it is. Without a scale
// the optimizer gets it in f32.
// The attribute that names the gradients is missing: the optimizer's parameter does.
// CHECK-LABEL: func.func @low_gradient
// CHECK-SAME: train.gradients = ["w"]
// CHECK: %[[DW:.*]] = train.matmul {{.*}} {train.gradient_of = 2 : i64} : {{.*}} -> tensor<8x8xf16>
// CHECK-NOT: amp.cast %[[DW]]
// CHECK: amp.check_gradients %[[DW]] by %{{.*}} : (tensor<8x8xf16>, tensor<f32>)
// CHECK-NOT: amp.cast %[[DW]]
// CHECK: amp.unscale %[[DW]] by %{{.*}} : (tensor<8x8xf16>, tensor<f32>) -> tensor<8x8xf32>
// CHECK-NOT: amp.cast %[[DW]]
// BF16-LABEL: func.func @low_gradient
// BF16: %[[DW:.*]] = train.matmul {{.*}} {train.gradient_of = 2 : i64} : {{.*}} -> tensor<8x8xbf16>
// BF16-NEXT: %[[DW32:.*]] = amp.cast %[[DW]]
// BF16: train.sgd %{{.*}}, %[[DW32]]

train.variable @w : tensor<8x8xf32> = #train.zeros
train.variable @u : tensor<8x8xf32> = #train.zeros
func.func @low_gradient(%x: tensor<8x8xf32>, %one: tensor<f32>) -> (tensor<f32> {train.name = "loss"}, tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}, tensor<f32> {train.name = "grad_norm"}, tensor<8x8xf32>) attributes {train.step_of = @t} {
  %w = train.read @w : tensor<8x8xf32>
  %u = train.read @u : tensor<8x8xf32>
  %h = train.matmul %x, %u {train.forward = 0 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = train.add %h, %w {train.forward = 1 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = train.matmul %s, %s {train.forward = 2 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %loss = train.mse %y, %x {train.forward = 3 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
  %seed = train.seed : tensor<f32>
  %dy = train.mse_grad %seed, %y, %x {train.gradient_of = 3 : i64} : (tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw = train.matmul %dy, %s {train.gradient_of = 2 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %du = train.matmul %x, %dw {train.gradient_of = 0 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %norm = train.global_norm %dw : (tensor<8x8xf32>) -> tensor<f32>
  %true = arith.constant dense<true> : tensor<i1>
  %w1 = train.sgd %w, %dw {learning_rate = 0.1 : f64, weight_decay = 0.0 : f64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  train.assign @w, %w1 : tensor<8x8xf32>
  return %loss, %true, %one, %norm, %du : tensor<f32>, tensor<i1>, tensor<f32>, tensor<f32>, tensor<8x8xf32>
}

// -----

// A constant of the forward pass that equals the seed stays one.
// CHECK-LABEL: func.func @one_in_forward
// CHECK: %[[SCALE:.*]] = train.read @amp.scale
// CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
// CHECK: train.add %{{.*}}, %[[ONE]] {train.forward = 2 : i64}
// CHECK: train.mse_grad %[[SCALE]],
// CHECK: return %{{.*}}, %{{.*}}, %[[SCALE]],
train.variable @w : tensor<8x8xf32> = #train.zeros
func.func @one_in_forward(%x: tensor<8x8xf32>) -> (tensor<f32> {train.name = "loss"}, tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}, tensor<f32> {train.name = "grad_norm"}) attributes {train.gradients = ["w"], train.step_of = @t} {
  %w = train.read @w : tensor<8x8xf32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %seed = train.seed : tensor<f32>
  %y = train.matmul %x, %w {train.forward = 0 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %l = train.mse %y, %x {train.forward = 1 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
  %loss = train.add %l, %one {train.forward = 2 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %dy = train.mse_grad %seed, %y, %x {train.gradient_of = 1 : i64} : (tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw = train.matmul %x, %dy {transpose_lhs, train.gradient_of = 0 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %norm = train.global_norm %dw : (tensor<8x8xf32>) -> tensor<f32>
  %true = arith.constant dense<true> : tensor<i1>
  %w1 = train.sgd %w, %dw {learning_rate = 0.1 : f64, weight_decay = 0.0 : f64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  train.assign @w, %w1 : tensor<8x8xf32>
  return %loss, %true, %one, %norm : tensor<f32>, tensor<i1>, tensor<f32>, tensor<f32>
}

// -----

// Two tasks share one scale.
// CHECK-COUNT-1: train.variable scale_state @amp.scale
// CHECK-NOT: train.variable scale_state @amp.scale
// CHECK: func.func @a.step
// CHECK: amp.update_scale
// CHECK: train.assign @amp.scale
// CHECK: func.func @b.step
// CHECK: amp.update_scale
// CHECK: train.assign @amp.scale
train.variable @w : tensor<8x8xf32> = #train.zeros
func.func @a.step(%x: tensor<8x8xf16>, %true: tensor<i1>, %one: tensor<f32>) -> (tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}) attributes {train.gradients = ["w"], train.step_of = @a} {
  %w = train.read @w : tensor<8x8xf32>
  %seed = train.seed : tensor<f32>
  %dw = train.broadcast %seed like %x dimensions [0, 1] {train.gradient_of = 0 : i64} : (tensor<f32>, tensor<8x8xf16>) -> tensor<8x8xf32>
  %y = train.matmul %x, %w : (tensor<8x8xf16>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %norm = train.global_norm %dw : (tensor<8x8xf32>) -> tensor<f32>
  %w1 = train.sgd %w, %dw {learning_rate = 0.1 : f64, weight_decay = 0.0 : f64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  train.assign @w, %w1 : tensor<8x8xf32>
  return %true, %one : tensor<i1>, tensor<f32>
}
func.func @b.step(%x: tensor<8x8xf16>, %true: tensor<i1>, %one: tensor<f32>) -> (tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}) attributes {train.gradients = ["w"], train.step_of = @b} {
  %w = train.read @w : tensor<8x8xf32>
  %seed = train.seed : tensor<f32>
  %dw = train.broadcast %seed like %x dimensions [0, 1] {train.gradient_of = 0 : i64} : (tensor<f32>, tensor<8x8xf16>) -> tensor<8x8xf32>
  %y = train.matmul %x, %w : (tensor<8x8xf16>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %norm = train.global_norm %dw : (tensor<8x8xf32>) -> tensor<f32>
  %w1 = train.sgd %w, %dw {learning_rate = 0.1 : f64, weight_decay = 0.0 : f64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  train.assign @w, %w1 : tensor<8x8xf32>
  return %true, %one : tensor<i1>, tensor<f32>
}

// -----

// A step in which nothing is low stays unscaled, unless a scale is asked for.
// CHECK-LABEL: func.func @nothing_low
// CHECK: train.global_norm
// CHECK-NOT: amp.guarded
train.variable @w : tensor<8xf32> = #train.zeros
func.func @nothing_low(%dw: tensor<8xf32>, %true: tensor<i1>, %one: tensor<f32>) -> (tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}) attributes {train.gradients = ["w"], train.step_of = @t} {
  %w = train.read @w : tensor<8xf32>
  %norm = train.global_norm %dw : (tensor<8xf32>) -> tensor<f32>
  %w1 = train.sgd %w, %dw {learning_rate = 0.1 : f64, weight_decay = 0.0 : f64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  train.assign @w, %w1 : tensor<8xf32>
  return %true, %one : tensor<i1>, tensor<f32>
}

// -----

// One op gives both results that are replaced; it goes once.
// CHECK-LABEL: func.func @pair
// CHECK: %[[SCALE:.*]] = train.read @amp.scale
// CHECK: %[[FINITE:.*]], %[[NONFINITE:.*]], %{{.*}} = amp.check_gradients
// CHECK-NOT: scf.if
// CHECK: return %[[FINITE]], %[[SCALE]], %[[NONFINITE]]
// BF16-LABEL: func.func @pair
// BF16: scf.if
train.variable @w : tensor<8x8xf32> = #train.zeros
func.func @pair(%x: tensor<8x8xf32>, %c: i1, %true: tensor<i1>, %one: tensor<f32>) -> (tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}) attributes {train.step_of = @t} {
  %w = train.read @w : tensor<8x8xf32>
  %y = train.matmul %x, %w {train.forward = 0 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %seed = train.seed : tensor<f32>
  %dy = train.mse_grad %seed, %y, %x : (tensor<f32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw = train.matmul %x, %dy {transpose_lhs, train.gradient_of = 0 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %norm = train.global_norm %dw : (tensor<8x8xf32>) -> tensor<f32>
  %flags:2 = scf.if %c -> (tensor<i1>, tensor<f32>) {
    scf.yield %true, %one : tensor<i1>, tensor<f32>
  } else {
    scf.yield %true, %norm : tensor<i1>, tensor<f32>
  }
  %w1 = train.sgd %w, %dw {learning_rate = 0.1 : f64, weight_decay = 0.0 : f64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  train.assign @w, %w1 : tensor<8x8xf32>
  return %flags#0, %flags#1 : tensor<i1>, tensor<f32>
}
