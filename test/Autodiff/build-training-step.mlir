// RUN: amp-opt %s --amp-build-training-step --split-input-file | FileCheck %s
// RUN: amp-opt %s --amp-stage-autodiff --split-input-file | FileCheck %s

// Nothing that was there changes; states come after the variables, functions at the end.

// CHECK: train.variable {{.*}}@w : tensor<8x4xf32>
// CHECK-NEXT: train.variable {{.*}}@b : tensor<4xf32>
// CHECK-NEXT: train.variable frozen @shift
// CHECK-NEXT: train.variable optimizer_state @w.exp_avg : tensor<8x4xf32> = #train.zeros
// CHECK-NEXT: train.variable optimizer_state @w.exp_avg_sq : tensor<8x4xf32> = #train.zeros
// CHECK-NEXT: train.variable optimizer_state @b.exp_avg : tensor<4xf32> = #train.zeros
// CHECK-NEXT: train.variable optimizer_state @b.exp_avg_sq : tensor<4xf32> = #train.zeros
// CHECK-NEXT: train.variable counter @t.step_count : tensor<i64> = #train.zeros
train.variable @w : tensor<8x4xf32> = #train.glorot<uniform>
train.variable @b : tensor<4xf32> = #train.zeros
train.variable frozen @shift : tensor<4xf32> = #train.constant<1.0>

// CHECK-LABEL: func.func private @model(
// CHECK: train.read @w : tensor<8x4xf32>
// CHECK-NOT: train.forward
// CHECK: return
func.func private @model(%x: tensor<?x8xf32>) -> tensor<?x4xf32> {
  %w = train.read @w : tensor<8x4xf32>
  %b = train.read @b : tensor<4xf32>
  %y = train.linear %x, %w bias %b : (tensor<?x8xf32>, tensor<8x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  %shift = train.read @shift : tensor<4xf32>
  %z = train.bias_add %y, %shift : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @loss(
// CHECK-NEXT: call @model
// CHECK-NEXT: train.cross_entropy %{{.*}}, %{{.*}} : (
// CHECK-NEXT: return
func.func @loss(%x: tensor<?x8xf32> {train.name = "x"}, %t: tensor<?xi32> {train.name = "t"}) -> tensor<f32> {
  %y = call @model(%x) : (tensor<?x8xf32>) -> tensor<?x4xf32>
  %l = train.cross_entropy %y, %t : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<f32>
  return %l : tensor<f32>
}

// CHECK-LABEL: func.func @accuracy(
// CHECK-NEXT: call @model
// CHECK-NEXT: train.accuracy
// CHECK-NEXT: return
func.func @accuracy(%x: tensor<?x8xf32>, %t: tensor<?xi32>) -> tensor<f32> {
  %y = call @model(%x) : (tensor<?x8xf32>) -> tensor<?x4xf32>
  %a = train.accuracy %y, %t : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<f32>
  return %a : tensor<f32>
}

train.task @t loss(@loss) metric(@accuracy) optimizer(#train.adam<learning_rate = 1.0e-2>) clip_norm(2.0)

// CHECK-LABEL: func.func @t.step(
// CHECK-SAME: %[[X:.*]]: tensor<?x8xf32> {train.name = "x"}, %[[T:.*]]: tensor<?xi32> {train.name = "t"})
// CHECK-SAME: -> (tensor<f32> {train.name = "loss"}, tensor<i1> {train.name = "stepped"}, tensor<f32> {train.name = "scale"}, tensor<f32> {train.name = "grad_norm"})
// CHECK-SAME: attributes {train.gradients = ["w", "b"], train.step_of = @t}
// CHECK-NEXT: %[[W:.*]] = train.read @w
// CHECK-NEXT: %[[B:.*]] = train.read @b
// CHECK-NEXT: %[[SHIFT:.*]] = train.read @shift
// CHECK-NEXT: %[[WM:.*]] = train.read @w.exp_avg
// CHECK-NEXT: %[[WV:.*]] = train.read @w.exp_avg_sq
// CHECK-NEXT: %[[BM:.*]] = train.read @b.exp_avg
// CHECK-NEXT: %[[BV:.*]] = train.read @b.exp_avg_sq
// CHECK-NEXT: %[[COUNT:.*]] = train.read @t.step_count : tensor<i64>
// CHECK-NEXT: %[[Y:.*]] = train.linear %[[X]], %[[W]] bias %[[B]] {train.forward = 0 : i64}
// CHECK-NEXT: %[[Z:.*]] = train.bias_add %[[Y]], %[[SHIFT]] {train.forward = 1 : i64}
// CHECK-NEXT: %[[LOSS:.*]] = train.cross_entropy %[[Z]], %[[T]] {train.forward = 2 : i64}
// CHECK-NEXT: %[[SEED:.*]] = train.seed : tensor<f32>
// CHECK-NEXT: %[[DZ:.*]] = train.cross_entropy_grad %[[SEED]], %[[Z]], %[[T]] {train.gradient_of = 2 : i64}
// CHECK-NEXT: %[[DW:.*]] = train.matmul %[[X]], %[[DZ]] {train.gradient_of = 0 : i64, transpose_lhs}
// CHECK-NEXT: %[[DB:.*]] = train.reduce sum %[[DZ]] dimensions [0] {train.gradient_of = 0 : i64}
// CHECK-NEXT: %[[NORM:.*]] = train.global_norm %[[DW]], %[[DB]]
// CHECK-NEXT: %[[STEPPED:.*]] = arith.constant dense<true> : tensor<i1>
// CHECK-NEXT: %[[SCALE:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[ONE:.*]] = arith.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[STEP:.*]] = arith.addi %[[COUNT]], %[[ONE]] : tensor<i64>
// CHECK-NEXT: %[[DWC:.*]] = train.clip %[[DW]] norm %[[NORM]] {max_norm = 2.0{{.*}}}
// CHECK-NEXT: %[[W1:.*]], %[[WM1:.*]], %[[WV1:.*]] = train.adam %[[W]], %[[DWC]], %[[WM]], %[[WV]], %[[STEP]]
// CHECK-SAME: beta1 = 9.000000e-01 : f64, beta2 = 0.99899999999999999 : f64, epsilon = 1.000000e-08 : f64, learning_rate = 1.000000e-02 : f64, weight_decay = 0.000000e+00 : f64
// CHECK-NEXT: %[[DBC:.*]] = train.clip %[[DB]] norm %[[NORM]]
// CHECK-NEXT: %[[B1:.*]], %[[BM1:.*]], %[[BV1:.*]] = train.adam %[[B]], %[[DBC]], %[[BM]], %[[BV]], %[[STEP]]
// CHECK-NEXT: train.assign @w, %[[W1]]
// CHECK-NEXT: train.assign @w.exp_avg, %[[WM1]]
// CHECK-NEXT: train.assign @w.exp_avg_sq, %[[WV1]]
// CHECK-NEXT: train.assign @b, %[[B1]]
// CHECK-NEXT: train.assign @b.exp_avg, %[[BM1]]
// CHECK-NEXT: train.assign @b.exp_avg_sq, %[[BV1]]
// CHECK-NEXT: train.assign @t.step_count, %[[STEP]]
// CHECK-NEXT: return %[[LOSS]], %[[STEPPED]], %[[SCALE]], %[[NORM]]

// The model that loss and metric share is computed once.

// CHECK-LABEL: func.func @t.eval(
// CHECK-SAME: -> (tensor<f32> {train.name = "loss"}, tensor<f32> {train.name = "metric"})
// CHECK-SAME: attributes {train.eval_of = @t, train.metric = "accuracy"}
// CHECK: %[[LOGITS:.*]] = train.bias_add
// CHECK-NEXT: %[[LOSS:.*]] = train.cross_entropy %[[LOGITS]]
// CHECK-NEXT: %[[ACCURACY:.*]] = train.accuracy %[[LOGITS]]
// CHECK-NEXT: return %[[LOSS]], %[[ACCURACY]]

// -----

// In f64, with momentum, without a metric; a variable is read once however often the loss reads it, and its gradient
// is the sum over its uses, the last one first.

train.variable @v : tensor<3xf64> = #train.constant<5.0e-1>

func.func @loss(%x: tensor<3xf64>) -> tensor<f64> {
  %v = train.read @v : tensor<3xf64>
  %0 = train.mul %v, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %again = train.read @v : tensor<3xf64>
  %1 = train.mul %0, %again : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %2 = train.reduce sum %1 dimensions [0] : (tensor<3xf64>) -> tensor<f64>
  return %2 : tensor<f64>
}

train.task @square loss(@loss) optimizer(#train.momentum<learning_rate = 1.0e-1, nesterov = true>)

// CHECK-LABEL: func.func @square.step(
// CHECK-SAME: %[[X:.*]]: tensor<3xf64>) -> (tensor<f64> {{.*}}, tensor<i1> {{.*}}, tensor<f32> {{.*}}, tensor<f64> {train.name = "grad_norm"})
// CHECK-NEXT: %[[V:.*]] = train.read @v : tensor<3xf64>
// CHECK-NEXT: %[[VELOCITY:.*]] = train.read @v.velocity
// CHECK-NEXT: train.read @square.step_count
// CHECK-NEXT: %[[XV:.*]] = train.mul %[[V]], %[[X]]
// CHECK-NEXT: train.mul %[[XV]], %[[V]]
// CHECK: train.seed : tensor<f64>
// CHECK: %[[DY:.*]] = train.reduce_grad sum
// CHECK-NEXT: %[[DXV:.*]] = train.mul %[[DY]], %[[V]] {train.gradient_of = 1 : i64}
// CHECK-NEXT: %[[DV1:.*]] = train.mul %[[DY]], %[[XV]] {train.gradient_of = 1 : i64}
// CHECK-NEXT: %[[DV0:.*]] = train.mul %[[DXV]], %[[X]] {train.gradient_of = 0 : i64}
// CHECK-NEXT: %[[DV:.*]] = train.add %[[DV1]], %[[DV0]] :
// CHECK-NEXT: train.global_norm %[[DV]] : (tensor<3xf64>) -> tensor<f64>
// CHECK: %[[V1:.*]], %[[VELOCITY1:.*]] = train.momentum %[[V]], %[[DV]], %[[VELOCITY]] {learning_rate = 1.000000e-01 : f64, momentum = 9.000000e-01 : f64, nesterov = true, weight_decay = 0.000000e+00 : f64}
// CHECK-NEXT: train.assign @v, %[[V1]]
// CHECK-NEXT: train.assign @v.velocity, %[[VELOCITY1]]

// CHECK-LABEL: func.func @square.eval(
// CHECK-SAME: -> (tensor<f64> {train.name = "loss"}) attributes {train.eval_of = @square}

// -----

// A value with several uses in the middle of the graph; the gradient sum belongs to the op that gave the value.

train.variable @s : tensor<f32> = #train.constant<1.0>

func.func @loss(%x: tensor<f32>) -> tensor<f32> {
  %s = train.read @s : tensor<f32>
  %0 = train.mul %s, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = train.tanh %0 : (tensor<f32>) -> tensor<f32>
  %2 = train.add %0, %1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

train.task @reuse loss(@loss) optimizer(#train.sgd<learning_rate = 1.0, weight_decay = 1.0e-1>)

// CHECK-LABEL: func.func @reuse.step(
// CHECK: %[[SEED:.*]] = train.seed
// CHECK-NEXT: %[[D1:.*]] = train.tanh_grad %[[SEED]], %{{.*}} {train.gradient_of = 1 : i64}
// CHECK-NEXT: %[[D0:.*]] = train.add %[[SEED]], %[[D1]] {train.gradient_of = 0 : i64}
// CHECK-NEXT: %[[DS:.*]] = train.mul %[[D0]], %{{.*}} {train.gradient_of = 0 : i64}
// CHECK: train.sgd %{{.*}}, %[[DS]] {learning_rate = 1.000000e+00 : f64, weight_decay = 1.000000e-01 : f64}

// -----

// Without a task nothing happens.

// CHECK-LABEL: func.func @f
// CHECK-NOT: func.func
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
