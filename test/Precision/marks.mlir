// RUN: amp-opt %s --amp='dtype=f16' | FileCheck %s

// The mark on an op beats its class.
// CHECK-LABEL: func.func @f32
// CHECK: train.matmul %{{.*}} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
func.func @f32(%x: tensor<?x8xf16>, %w: tensor<8x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %a = train.matmul %y, %w {amp.precision = "f32"} : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %a : tensor<?x8xf32>
}

// A kept op gets back what it was written with.
// CHECK-LABEL: func.func @keep
// CHECK: %[[A:.*]] = train.matmul {{.*}} -> tensor<?x8xf16>
// CHECK-NEXT: %[[A32:.*]] = amp.cast %[[A]]
// CHECK-NEXT: train.tanh %[[A32]] {amp.precision = "keep"} : (tensor<?x8xf32>) -> tensor<?x8xf32>
func.func @keep(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %t = train.tanh %a {amp.precision = "keep"} : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %t : tensor<?x8xf32>
}

// "low" casts the operands; the name of the run's type says the same.
// CHECK-LABEL: func.func @low
// CHECK: %[[X16:.*]] = amp.cast
// CHECK-NEXT: train.tanh %[[X16]] {amp.precision = "low"} : (tensor<?x8xf16>) -> tensor<?x8xf16>
// CHECK: train.sigmoid %[[X16]] {amp.precision = "f16"} : (tensor<?x8xf16>) -> tensor<?x8xf16>
func.func @low(%x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %t = train.tanh %x {amp.precision = "low"} : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %s = train.sigmoid %x {amp.precision = "f16"} : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %t, %s : tensor<?x8xf32>, tensor<?x8xf32>
}

// It beats P1 (a constant that vanishes) and P3 (a sum), but no op gets a type that it is not defined with: the loss
// reads f16 and stays f32.
// CHECK-LABEL: func.func @against_rules
// CHECK-DAG: arith.constant dense<0.000000e+00> : tensor<8x8xf16>
// CHECK: train.mul %{{.*}} -> tensor<8x8xf16>
// CHECK: train.reduce sum %{{.*}} : (tensor<8x8xf16>) -> tensor<8xf16>
// CHECK: train.mse %{{.*}} : (tensor<8xf16>, tensor<8xf16>) -> tensor<f32>
func.func @against_rules(%x: tensor<8x8xf32>, %t: tensor<8xf32>) -> tensor<f32> {
  %c = arith.constant dense<1.0e-8> : tensor<8x8xf32>
  %m = train.mul %x, %c {amp.precision = "low"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = train.reduce sum %m dimensions [0] {amp.precision = "low"} : (tensor<8x8xf32>) -> tensor<8xf32>
  %l = train.mse %s, %t {amp.precision = "low"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// A low optimizer step: its result has the type of its operand, the variable keeps its own.
// CHECK-LABEL: func.func @low_step
// CHECK: %[[W1:.*]] = train.sgd {{.*}} : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
// CHECK-NEXT: %[[W2:.*]] = amp.cast %[[W1]]
// CHECK-NEXT: train.assign @w, %[[W2]] : tensor<8x8xf32>
train.variable @w : tensor<8x8xf32> = #train.zeros
func.func @low_step(%dw: tensor<8x8xf32>) {
  %w = train.read @w : tensor<8x8xf32>
  %w1 = train.sgd %w, %dw {amp.precision = "low", learning_rate = 1.0e-1 : f64, weight_decay = 0.0 : f64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  train.assign @w, %w1 : tensor<8x8xf32>
  return
}

// The gradient of a maximum that reads through a cast looks for the elements of the cast value.
// CHECK-LABEL: func.func @max_gradient
// CHECK: %[[X16:.*]] = amp.cast
// CHECK: %[[M:.*]] = train.reduce max %[[X16]]
// CHECK: train.reduce_grad max %{{.*}}, %[[X16]], %[[M]]
func.func @max_gradient(%x: tensor<8x8xf32>, %dm: tensor<8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>) {
  %m = train.reduce max %x dimensions [0] {amp.precision = "low", train.forward = 0 : i64} : (tensor<8x8xf32>) -> tensor<8xf32>
  %dx = train.reduce_grad max %dm, %x, %m dimensions [0] {train.gradient_of = 0 : i64} : (tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  return %m, %dx : tensor<8xf32>, tensor<8x8xf32>
}
