// RUN: amp-opt %s --amp='dtype=f16 strategy=local' | FileCheck %s

// An op that computes in f32 gives what it reads, without casts.
// CHECK-LABEL: func.func @internal_low
// CHECK: train.gelu %{{.*}} : (tensor<?x8xf16>) -> tensor<?x8xf16>
// CHECK: train.softmax %{{.*}} : (tensor<?x8xf16>) -> tensor<?x8xf16>
func.func @internal_low(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %g = train.gelu %a : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %s = train.softmax %g : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = train.matmul %s, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @internal_f32
// CHECK-NEXT: train.tanh %{{.*}} : (tensor<?x8xf32>) -> tensor<?x8xf32>
func.func @internal_f32(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %y = train.tanh %x : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// Rule P3: a sum stays f32 whatever it reads; a mean is bounded by what it reads.
// CHECK-LABEL: func.func @reductions
// CHECK: train.reduce sum %{{.*}} : (tensor<?x8xf16>) -> tensor<8xf32>
// CHECK: train.reduce mean %{{.*}} : (tensor<?x8xf16>) -> tensor<8xf16>
// CHECK: train.reduce max %{{.*}} : (tensor<?x8xf16>) -> tensor<8xf16>
func.func @reductions(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %sum = train.reduce sum %a dimensions [0] : (tensor<?x8xf32>) -> tensor<8xf32>
  %mean = train.reduce mean %a dimensions [0] : (tensor<?x8xf32>) -> tensor<8xf32>
  %max = train.reduce max %a dimensions [0] : (tensor<?x8xf32>) -> tensor<8xf32>
  return %sum, %mean, %max : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Rule P3: a sum whose bounds fit may be low, as over 65,000 numbers in [0, 1]; with the roundings of 65,100 it may overflow,
// and so may an unknown number of them.
// CHECK-LABEL: func.func @bounded_sums
// CHECK: %[[S:.*]] = train.sigmoid
// CHECK: train.reduce sum %[[S]] dimensions [1] : (tensor<?x65000xf16>) -> tensor<?xf16>
// CHECK: train.reduce sum %[[S]] dimensions [0] : (tensor<?x65000xf16>) -> tensor<65000xf32>
// CHECK: train.reduce sum %{{.*}} dimensions [1] : (tensor<?x65100xf16>) -> tensor<?xf32>
// CHECK: train.reduce sum %{{.*}} dimensions [1] : (tensor<?x65000xf16>) -> tensor<?xf32>
func.func @bounded_sums(%x: tensor<?x8xf32>, %w: tensor<8x65000xf32>, %v: tensor<8x65100xf32>) -> (tensor<?xf32>, tensor<65000xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x65000xf32>) -> tensor<?x65000xf32>
  %s = train.sigmoid %a : (tensor<?x65000xf32>) -> tensor<?x65000xf32>
  %0 = train.reduce sum %s dimensions [1] : (tensor<?x65000xf32>) -> tensor<?xf32>
  %1 = train.reduce sum %s dimensions [0] : (tensor<?x65000xf32>) -> tensor<65000xf32>
  %b = train.matmul %x, %v : (tensor<?x8xf32>, tensor<8x65100xf32>) -> tensor<?x65100xf32>
  %t = train.sigmoid %b : (tensor<?x65100xf32>) -> tensor<?x65100xf32>
  %2 = train.reduce sum %t dimensions [1] : (tensor<?x65100xf32>) -> tensor<?xf32>
  %3 = train.reduce sum %a dimensions [1] : (tensor<?x65000xf32>) -> tensor<?xf32>
  return %0, %1, %2, %3 : tensor<?xf32>, tensor<65000xf32>, tensor<?xf32>, tensor<?xf32>
}

// Rule P5: behind the last contraction and before the loss, f32.
// CHECK-LABEL: func.func @loss
// CHECK: %[[A:.*]] = train.matmul {{.*}} -> tensor<?x8xf16>
// CHECK-NEXT: %[[S:.*]] = train.sigmoid %[[A]] : (tensor<?x8xf16>) -> tensor<?x8xf32>
// CHECK-NEXT: train.mse %[[S]], %{{.*}} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<f32>
func.func @loss(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>, %t: tensor<?x8xf32>) -> tensor<f32> {
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %s = train.sigmoid %a : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %l = train.mse %s, %t : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// Near miss: what a later contraction reads as well is not behind the last one.
// CHECK-LABEL: func.func @residual_loss
// CHECK: train.sigmoid %{{.*}} : (tensor<?x8xf16>) -> tensor<?x8xf16>
// CHECK: train.add %{{.*}} : (tensor<?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf32>
func.func @residual_loss(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>, %t: tensor<?x8xf32>) -> tensor<f32> {
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %s = train.sigmoid %a : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %b = train.matmul %s, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %r = train.add %b, %s : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %l = train.mse %r, %t : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// Rule P8: a backward op has its forward op's decision. %h is low, so its gradient op gives low although the gradient comes
// in f32; the loss is f32 and so is what leaves its gradient op.
// CHECK-LABEL: func.func @backward
// CHECK: train.tanh %{{.*}} {train.forward = 1 : i64} : (tensor<?x8xf16>) -> tensor<?x8xf16>
// CHECK: %[[DZ:.*]] = train.mse_grad {{.*}} -> tensor<?x8xf32>
// CHECK-NEXT: train.tanh_grad %[[DZ]], %{{.*}} : (tensor<?x8xf32>, tensor<?x8xf16>) -> tensor<?x8xf16>
func.func @backward(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>, %t: tensor<?x8xf32>, %seed: tensor<f32>) -> (tensor<f32>, tensor<?x8xf32>) {
  %a = train.matmul %x, %w {train.forward = 0 : i64} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %h = train.tanh %a {train.forward = 1 : i64} : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %b = train.matmul %h, %w {train.forward = 2 : i64} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %r = train.add %b, %h {train.forward = 3 : i64} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %l = train.mse %r, %t {train.forward = 4 : i64} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<f32>
  %dr = train.mse_grad %seed, %r, %t {train.gradient_of = 4 : i64} : (tensor<f32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %da = train.tanh_grad %dr, %h {train.gradient_of = 1 : i64} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %dx = train.matmul %da, %w {transpose_rhs, train.gradient_of = 0 : i64} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %l, %dx : tensor<f32>, tensor<?x8xf32>
}

// Rule P8 the other way: the user's f32 binds the backward.
// CHECK-LABEL: func.func @backward_of_f32
// CHECK: train.matmul %{{.*}} {amp.precision = "f32", train.forward = 0 : i64} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
// CHECK: train.matmul %{{.*}} {train.gradient_of = 0 : i64, transpose_rhs} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
func.func @backward_of_f32(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>, %dy: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %a = train.matmul %x, %w {amp.precision = "f32", train.forward = 0 : i64} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %dx = train.matmul %dy, %w {transpose_rhs, train.gradient_of = 0 : i64} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %a, %dx : tensor<?x8xf32>, tensor<?x8xf32>
}

// Rule P5: a weight gradient leaves its matmul in f32; near miss: one that another matmul reads does not.
// CHECK-LABEL: func.func @weight_gradient
// CHECK: train.matmul %{{.*}} {transpose_lhs} : (tensor<?x8xf16>, tensor<?x8xf16>) -> tensor<8x8xf32>
// CHECK: train.transpose %{{.*}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK: train.matmul %{{.*}} {transpose_lhs} : (tensor<?x8xf16>, tensor<?x8xf16>) -> tensor<8x8xf16>
train.variable @w : tensor<8x8xf32> = #train.zeros
func.func @weight_gradient(%x: tensor<?x8xf32>, %dy: tensor<?x8xf32>) -> (tensor<?x8xf32>) {
  %w = train.read @w : tensor<8x8xf32>
  %dwt = train.matmul %dy, %x {transpose_lhs} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<8x8xf32>
  %dw = train.transpose %dwt permutation [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %w1 = train.sgd %w, %dw {learning_rate = 1.0e-1 : f64, weight_decay = 0.0 : f64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  train.assign @w, %w1 : tensor<8x8xf32>
  %other = train.matmul %x, %dy {transpose_lhs} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<8x8xf32>
  %y = train.matmul %x, %other : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
