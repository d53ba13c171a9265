// RUN: amp-opt %s --amp='dtype=f16' | FileCheck %s
// RUN: amp-opt %s --amp='dtype=f16 loss-scale=static static-scale=1024 growth-interval=7' | FileCheck %s --check-prefix=STATIC
// RUN: amp-opt %s --amp='dtype=f16 init-scale=32 growth-factor=4 backoff-factor=0.25 growth-interval=100 hysteresis=3 min-scale=2 max-scale=4096' | FileCheck %s --check-prefix=OPTIONS
// RUN: amp-opt %s --amp='dtype=bf16' | FileCheck %s --check-prefix=NONE
// RUN: amp-opt %s --amp='dtype=f16 loss-scale=none' | FileCheck %s --check-prefix=NONE
// RUN: amp-opt %s --amp='dtype=bf16 loss-scale=dynamic' | FileCheck %s --check-prefix=ASKED

train.variable @w : tensor<8x4xf32> = #train.zeros
train.variable optimizer_state @w.velocity : tensor<8x4xf32> = #train.zeros
train.variable counter @t.step_count : tensor<i64> = #train.zeros

// CHECK-DAG: train.variable scale_state @amp.scale : tensor<f32> = #train.constant<6.553600e+04>
// CHECK-DAG: train.variable scale_state @amp.growth_tracker : tensor<i32> = #train.zeros
// CHECK-DAG: train.variable scale_state @amp.hysteresis_tracker : tensor<i32> = #train.constant<1.000000e+00>
// CHECK-DAG: train.variable scale_state @amp.consecutive_skips : tensor<i32> = #train.zeros
// CHECK-DAG: train.variable scale_state @amp.total_skips : tensor<i32> = #train.zeros

// CHECK-LABEL: func.func @t.step
// CHECK-SAME: tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}, tensor<f32> {train.name = "grad_norm"}, tensor<1xi1> {train.name = "nonfinite"})
// CHECK-SAME: train.gradients = ["w"]
// CHECK-NEXT: %[[SCALE:.*]] = train.read @amp.scale : tensor<f32>
// CHECK: %[[COUNT:.*]] = train.read @t.step_count
// CHECK: %[[LOSS:.*]] = train.cross_entropy
// CHECK-NEXT: train.cross_entropy_grad %[[SCALE]],
// CHECK: %[[DW:.*]] = train.matmul {{.*}} -> tensor<8x4xf32>
// CHECK-NEXT: %[[INV:.*]] = amp.inverse_scale %[[SCALE]]
// CHECK-NEXT: %[[FINITE:.*]], %[[NONFINITE:.*]], %[[NORM:.*]] = amp.check_gradients %[[DW]] by %[[INV]]
// CHECK-NEXT: amp.guarded %[[FINITE]]
// CHECK-NEXT: %[[ONE:.*]] = arith.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[STEP:.*]] = arith.addi %[[COUNT]], %[[ONE]]
// CHECK-NEXT: %[[G:.*]] = amp.unscale %[[DW]] by %[[INV]]
// CHECK-NEXT: %[[CLIPPED:.*]] = train.clip %[[G]] norm %[[NORM]]
// CHECK-NEXT: %[[W1:.*]], %[[V1:.*]] = train.momentum %{{.*}}, %[[CLIPPED]],
// CHECK-NEXT: %[[W1H:.*]] = amp.cast %[[W1]]
// CHECK-NEXT: train.assign @w, %[[W1]]
// CHECK-NEXT: train.assign @w.f16, %[[W1H]]
// CHECK-NEXT: train.assign @w.velocity, %[[V1]]
// CHECK-NEXT: train.assign @t.step_count, %[[STEP]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[GROWTH:.*]] = train.read @amp.growth_tracker
// CHECK-NEXT: %[[HYST:.*]] = train.read @amp.hysteresis_tracker
// CHECK-NEXT: %[[SKIPS:.*]] = train.read @amp.consecutive_skips
// CHECK-NEXT: %[[TOTAL:.*]] = train.read @amp.total_skips
// CHECK-NEXT: %[[S1:.*]], %[[G1:.*]], %[[H1:.*]], %[[C1:.*]], %[[T1:.*]] = amp.update_scale %[[FINITE]], %[[SCALE]], %[[GROWTH]], %[[HYST]], %[[SKIPS]], %[[TOTAL]]
// CHECK-SAME: {backoff_factor = 5.000000e-01 : f64, growth_factor = 2.000000e+00 : f64, growth_interval = 2000 : i32, hysteresis = 1 : i32}
// CHECK-NEXT: train.assign @amp.scale, %[[S1]]
// CHECK-NEXT: train.assign @amp.growth_tracker, %[[G1]]
// CHECK-NEXT: train.assign @amp.hysteresis_tracker, %[[H1]]
// CHECK-NEXT: train.assign @amp.consecutive_skips, %[[C1]]
// CHECK-NEXT: train.assign @amp.total_skips, %[[T1]]
// CHECK-NEXT: return %[[LOSS]], %[[FINITE]], %[[SCALE]], %[[NORM]], %[[NONFINITE]]

// A static scale skips on an overflow too, but never changes.
// STATIC: @amp.scale : tensor<f32> = #train.constant<1.024000e+03>
// STATIC: amp.update_scale
// STATIC-SAME: {backoff_factor = 1.000000e+00 : f64, growth_factor = 1.000000e+00 : f64, growth_interval = 7 : i32, hysteresis = 1 : i32}

// OPTIONS: @amp.scale : tensor<f32> = #train.constant<3.200000e+01>
// OPTIONS: @amp.hysteresis_tracker : tensor<i32> = #train.constant<3.000000e+00>
// OPTIONS: amp.update_scale
// OPTIONS-SAME: {backoff_factor = 2.500000e-01 : f64, growth_factor = 4.000000e+00 : f64, growth_interval = 100 : i32, hysteresis = 3 : i32, max_scale = 4.096000e+03 : f32, min_scale = 2.000000e+00 : f32}

// Without a scale the step keeps its form: no op of the scale, no guard, a seed of 1.
// NONE-NOT: amp.scale
// NONE-LABEL: func.func @t.step
// NONE-SAME: tensor<f32> {train.name = "grad_norm"})
// NONE-NOT: amp.{{[d-z]}}
// NONE: %[[SEED:.*]] = train.seed
// NONE: train.cross_entropy_grad %[[SEED]],
// NONE-NOT: amp.{{[d-z]}}
// NONE: train.global_norm
// NONE-NOT: amp.{{[d-z]}}
// NONE: return

// ASKED: func.func @t.step
// ASKED: amp.check_gradients
func.func @t.step(%x: tensor<?x8xf32> {train.name = "x"}, %t: tensor<?xi32> {train.name = "t"})
    -> (tensor<f32> {train.name = "loss"}, tensor<i1> {train.name = "stepped"},
        tensor<f32> {train.name = "scale"}, tensor<f32> {train.name = "grad_norm"})
    attributes {train.step_of = @t} {
  %w = train.read @w : tensor<8x4xf32>
  %v = train.read @w.velocity : tensor<8x4xf32>
  %count = train.read @t.step_count : tensor<i64>
  %z = train.linear %x, %w {train.forward = 0 : i64} : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  %loss = train.cross_entropy %z, %t {train.forward = 1 : i64} : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<f32>
  %seed = train.seed : tensor<f32>
  %dz = train.cross_entropy_grad %seed, %z, %t {train.gradient_of = 1 : i64} : (tensor<f32>, tensor<?x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
  %dw = train.matmul %x, %dz {train.gradient_of = 0 : i64, transpose_lhs} : (tensor<?x8xf32>, tensor<?x4xf32>) -> tensor<8x4xf32>
  %norm = train.global_norm %dw : (tensor<8x4xf32>) -> tensor<f32>
  %true = arith.constant dense<true> : tensor<i1>
  %one = arith.constant dense<1.0> : tensor<f32>
  %i1 = arith.constant dense<1> : tensor<i64>
  %step = arith.addi %count, %i1 : tensor<i64>
  %g = train.clip %dw norm %norm {max_norm = 1.0 : f64} : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  %w1, %v1 = train.momentum %w, %g, %v {learning_rate = 0.1 : f64, momentum = 0.9 : f64, nesterov = false, weight_decay = 0.0 : f64}
      : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  train.assign @w, %w1 : tensor<8x4xf32>
  train.assign @w.velocity, %v1 : tensor<8x4xf32>
  train.assign @t.step_count, %step : tensor<i64>
  return %loss, %true, %one, %norm : tensor<f32>, tensor<i1>, tensor<f32>, tensor<f32>
}
