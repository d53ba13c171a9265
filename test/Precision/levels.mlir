// RUN: amp-opt %s --amp='dtype=f16 level=O1' | FileCheck %s --check-prefix=O1
// RUN: amp-opt %s --amp='dtype=f16 level=O2' | FileCheck %s --check-prefix=O2
// RUN: amp-opt %s --amp='dtype=f16 level=O3 loss-scale=none' | FileCheck %s --check-prefix=O3

// O1: @w.f16
// O2: train.variable @w : tensor<8x8xf32>
// O2: half_copy @w.f16
// O3: train.variable @w : tensor<8x8xf16> = #train.he<normal>
// O3-NOT: half_copy
// O3: optimizer_state @w.exp_avg : tensor<8x8xf16>
// O3: optimizer_state @w.exp_avg_sq : tensor<8x8xf16>
// O3: counter @count : tensor<i64>
train.variable @w : tensor<8x8xf32> = #train.he<normal>
train.variable optimizer_state @w.exp_avg : tensor<8x8xf32> = #train.zeros
train.variable optimizer_state @w.exp_avg_sq : tensor<8x8xf32> = #train.zeros
train.variable counter @count : tensor<i64> = #train.zeros
train.variable frozen @p : tensor<8xf32> = #train.constant<2.0>

// From O2 on, ops on arguments are low as well; a sum and the loss stay f32.
// O1-LABEL: func.func @forward
// O1: train.tanh %{{.*}} : (tensor<?x8xf32>) -> tensor<?x8xf32>
// O1: train.mul %{{.*}} -> tensor<?x8xf32>
// O2-LABEL: func.func @forward
// O2-SAME: (%[[X:.*]]: tensor<?x8xf32>, %{{.*}})
// O2: %[[X16:.*]] = amp.cast %[[X]]
// O2: train.tanh %[[X16]] : (tensor<?x8xf16>) -> tensor<?x8xf16>
// O2: train.mul %[[X16]], %{{.*}} : (tensor<?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
// O2: train.relu %[[X16]] : (tensor<?x8xf16>) -> tensor<?x8xf16>
// O2: train.reduce sum %{{.*}} -> tensor<8xf32>
// A clear op keeps its operand's type: the sum is cast before its maximum is taken.
// O2: %[[S16:.*]] = amp.cast %{{.*}} : tensor<8xf32> to tensor<8xf16>
// O2: train.reduce max %[[S16]] {{.*}} : (tensor<8xf16>) -> tensor<f16>
// O2: train.sigmoid %{{.*}} : (tensor<?x8xf16>) -> tensor<?x8xf32>
// O2: train.mse %{{.*}} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<f32>
func.func @forward(%x: tensor<?x8xf32>, %t: tensor<?x8xf32>) -> (tensor<f32>, tensor<f32>) {
  %w = train.read @w : tensor<8x8xf32>
  %a = train.tanh %x : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %m = train.mul %x, %a : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = train.relu %x : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %s = train.reduce sum %r dimensions [0] : (tensor<?x8xf32>) -> tensor<8xf32>
  %q = train.reduce max %s dimensions [0] : (tensor<8xf32>) -> tensor<f32>
  %z = train.matmul %m, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %g = train.sigmoid %z : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %l = train.mse %g, %t : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<f32>
  return %l, %q : tensor<f32>, tensor<f32>
}

// A constant that does not fit is no user's choice: the op stays f32 at every level.
// O2-LABEL: func.func @unfit
// O2: train.add %{{.*}} -> tensor<8xf32>
func.func @unfit(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant dense<1.0e-8> : tensor<8xf32>
  %y = train.add %x, %c : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// At O3 parameters and states are low; gradients still leave their matmul in f32.
// O2-LABEL: func.func @update
// O2: train.matmul {{.*}} -> tensor<8x8xf32>
// O2: train.adam {{.*}} -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
// O3-LABEL: func.func @update
// O3: %[[W:.*]] = train.read @w : tensor<8x8xf16>
// O3: train.matmul {{.*}} -> tensor<8x8xf32>
// O3: %[[W1:.*]], %[[M1:.*]], %[[V1:.*]] = train.adam %[[W]], {{.*}} : (tensor<8x8xf16>, tensor<8x8xf32>, tensor<8x8xf16>, tensor<8x8xf16>, tensor<i64>) -> (tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>)
// O3: train.assign @w, %[[W1]] : tensor<8x8xf16>
func.func @update(%x: tensor<?x8xf32>, %dy: tensor<?x8xf32>) {
  %w = train.read @w : tensor<8x8xf32>
  %m = train.read @w.exp_avg : tensor<8x8xf32>
  %v = train.read @w.exp_avg_sq : tensor<8x8xf32>
  %n = train.read @count : tensor<i64>
  %dw = train.matmul %x, %dy {transpose_lhs} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<8x8xf32>
  %w1, %m1, %v1 = train.adam %w, %dw, %m, %v, %n
      {learning_rate = 1.0e-3 : f64, beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<i64>)
      -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
  train.assign @w, %w1 : tensor<8x8xf32>
  train.assign @w.exp_avg, %m1 : tensor<8x8xf32>
  train.assign @w.exp_avg_sq, %v1 : tensor<8x8xf32>
  return
}

// What is assigned to a low parameter without an optimizer is rounded.
// O3-LABEL: func.func @load
// O3-NEXT: %[[C:.*]] = amp.cast
// O3-NEXT: train.assign @w, %[[C]] : tensor<8x8xf16>
func.func @load(%new: tensor<8x8xf32>) {
  train.assign @w, %new : tensor<8x8xf32>
  return
}
