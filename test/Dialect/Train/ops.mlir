// RUN: amp-opt %s | amp-opt | FileCheck %s
// RUN: amp-opt %s --mlir-print-op-generic | amp-opt | FileCheck %s
// RUN: amp-opt %s --emit-bytecode | amp-opt | FileCheck %s

// CHECK: train.variable @w : tensor<4x8xf32> = #train.he<normal>
train.variable @w : tensor<4x8xf32> = #train.he<normal>
// CHECK: train.variable @v : tensor<4x8xf64> = #train.glorot<uniform, in_axis = 1>
train.variable parameter @v : tensor<4x8xf64> = #train.glorot<uniform, in_axis = 1>
// CHECK: train.variable frozen @mask : tensor<8xi1> = #train.zeros
train.variable frozen @mask : tensor<8xi1> = #train.zeros
// CHECK: train.variable optimizer_state @m : tensor<4x8xf32> = #train.constant<1.000000e-01>
train.variable optimizer_state @m : tensor<4x8xf32> = #train.constant<0.1>
// CHECK: train.variable counter @t : tensor<i64> = #train.zeros
train.variable counter @t : tensor<i64> = #train.zeros
// CHECK: train.variable scale_state @s : tensor<f32> = #train.uniform<-1.000000e+00, 1.000000e+00>
train.variable scale_state @s : tensor<f32> = #train.uniform<-1.0, 1.0>
// CHECK: train.variable half_copy @w.f16 : tensor<4x8xf16> of @w
train.variable half_copy @w.f16 : tensor<4x8xf16> of @w
// CHECK: train.variable @n : tensor<4xf32> = #train.normal<0.000000e+00, 1.000000e+00>
train.variable @n : tensor<4xf32> = #train.normal<0.0, 1.0>

func.func private @loss(tensor<?x4xf32>) -> tensor<f32>
// CHECK: train.task @sgd loss(@loss) optimizer(#train.sgd<learning_rate = 1.000000e-01>)
train.task @sgd loss(@loss) optimizer(#train.sgd<learning_rate = 0.1, weight_decay = 0.0>)
// CHECK: train.task @momentum loss(@loss) metric(@loss) optimizer(#train.momentum<learning_rate = 1.000000e-01, nesterov = true>) clip_norm(1.000000e+00)
train.task @momentum loss(@loss) metric(@loss) optimizer(#train.momentum<learning_rate = 0.1, nesterov = true>) clip_norm(1.0)
// CHECK: train.task @adam loss(@loss) optimizer(#train.adam<learning_rate = 1.000000e-01, beta2 = 5.000000e-01>)
train.task @adam loss(@loss) optimizer(#train.adam<learning_rate = 0.1, beta2 = 0.5>)
// CHECK: train.task @adamw loss(@loss) optimizer(#train.adamw<learning_rate = 1.000000e-01, epsilon = 2.500000e-01>)
train.task @adamw loss(@loss) optimizer(#train.adamw<learning_rate = 0.1, epsilon = 0.25>)

// CHECK-LABEL: func.func @state
func.func @state(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: train.read @w : tensor<4x8xf32>
  %0 = train.read @w : tensor<4x8xf32>
  // CHECK: train.assign @w, %{{.*}} : tensor<4x8xf32>
  train.assign @w, %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: tensor<?x4xf16>, %y: tensor<?x4xf32>) {
  // CHECK: train.add %{{.*}}, %{{.*}} : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %0 = train.add %x, %y : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK: train.sub %{{.*}}, %{{.*}} : (tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<?x4xf16>
  %1 = train.sub %x, %x : (tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<?x4xf16>
  // CHECK: train.mul %{{.*}}, %{{.*}} : (tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<?x4xf16>
  %2 = train.mul %x, %x : (tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<?x4xf16>
  // CHECK: train.div %{{.*}}, %{{.*}} : (tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<?x4xf64>
  %3 = train.div %x, %x : (tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<?x4xf64>
  // CHECK: train.neg %{{.*}} : (tensor<?x4xf16>) -> tensor<?x4xf16>
  %4 = train.neg %x : (tensor<?x4xf16>) -> tensor<?x4xf16>
  // CHECK: train.relu %{{.*}} : (tensor<?x4xf16>) -> tensor<?x4xf16>
  %5 = train.relu %x : (tensor<?x4xf16>) -> tensor<?x4xf16>
  // CHECK: train.tanh %{{.*}} : (tensor<?x4xf16>) -> tensor<?x4xf16>
  %6 = train.tanh %x : (tensor<?x4xf16>) -> tensor<?x4xf16>
  // CHECK: train.sigmoid %{{.*}} : (tensor<?x4xf16>) -> tensor<?x4xf16>
  %7 = train.sigmoid %x : (tensor<?x4xf16>) -> tensor<?x4xf16>
  // CHECK: train.gelu %{{.*}} approximate tanh : (tensor<?x4xf16>) -> tensor<?x4xf16>
  %8 = train.gelu %x approximate tanh : (tensor<?x4xf16>) -> tensor<?x4xf16>
  // CHECK: train.gelu %{{[^ ]*}} : (tensor<?x4xf16>) -> tensor<?x4xf16>
  %9 = train.gelu %x approximate none : (tensor<?x4xf16>) -> tensor<?x4xf16>
  // CHECK: train.cast %{{.*}} : (tensor<?x4xf32>) -> tensor<?x4xbf16>
  %10 = train.cast %y : (tensor<?x4xf32>) -> tensor<?x4xbf16>
  // CHECK: train.relu_grad %{{.*}}, %{{.*}} : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf16>
  %11 = train.relu_grad %x, %y : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf16>
  // CHECK: train.tanh_grad %{{.*}}, %{{.*}} : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf16>
  %12 = train.tanh_grad %x, %y : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf16>
  // CHECK: train.sigmoid_grad %{{.*}}, %{{.*}} : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf16>
  %13 = train.sigmoid_grad %x, %y : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf16>
  // CHECK: train.gelu_grad %{{.*}}, %{{.*}} approximate tanh : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf16>
  %14 = train.gelu_grad %x, %y approximate tanh : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf16>
  return
}

// CHECK-LABEL: func.func @linear
func.func @linear(%x: tensor<?x4xf16>, %w: tensor<4x8xf16>, %b: tensor<8xf32>) {
  // CHECK: train.matmul %{{.*}}, %{{.*}} {transpose_rhs} : (tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<?x?xf32>
  %0 = train.matmul %x, %x {transpose_rhs} : (tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<?x?xf32>
  // CHECK: train.linear %{{.*}}, %{{.*}} bias %{{.*}} : (tensor<?x4xf16>, tensor<4x8xf16>, tensor<8xf32>) -> tensor<?x8xf16>
  %1 = train.linear %x, %w bias %b : (tensor<?x4xf16>, tensor<4x8xf16>, tensor<8xf32>) -> tensor<?x8xf16>
  // CHECK: train.linear %{{[^ ]*}}, %{{[^ ]*}} {transpose_weight} : (tensor<?x8xf16>, tensor<4x8xf16>) -> tensor<?x4xf16>
  %2 = train.linear %1, %w {transpose_weight} : (tensor<?x8xf16>, tensor<4x8xf16>) -> tensor<?x4xf16>
  // CHECK: train.bias_add %{{.*}}, %{{.*}} : (tensor<?x8xf16>, tensor<8xf32>) -> tensor<?x8xf32>
  %3 = train.bias_add %1, %b : (tensor<?x8xf16>, tensor<8xf32>) -> tensor<?x8xf32>
  return
}

// CHECK-LABEL: func.func @loss_ops
func.func @loss_ops(%x: tensor<?x4xf16>, %g: tensor<f32>, %label: tensor<?xui8>) {
  // CHECK: train.softmax %{{.*}} : (tensor<?x4xf16>) -> tensor<?x4xf32>
  %0 = train.softmax %x : (tensor<?x4xf16>) -> tensor<?x4xf32>
  // CHECK: train.log_softmax %{{.*}} : (tensor<?x4xf16>) -> tensor<?x4xf32>
  %1 = train.log_softmax %x : (tensor<?x4xf16>) -> tensor<?x4xf32>
  // CHECK: train.softmax_grad %{{.*}}, %{{.*}} : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf16>
  %2 = train.softmax_grad %x, %0 : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf16>
  // CHECK: train.log_softmax_grad %{{.*}}, %{{.*}} : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf16>
  %3 = train.log_softmax_grad %x, %1 : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf16>
  // CHECK: train.cross_entropy %{{.*}}, %{{.*}} : (tensor<?x4xf16>, tensor<?xui8>) -> tensor<f32>
  %4 = train.cross_entropy %x, %label : (tensor<?x4xf16>, tensor<?xui8>) -> tensor<f32>
  // CHECK: train.cross_entropy_grad %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<?x4xf16>, tensor<?xui8>) -> tensor<?x4xf32>
  %5 = train.cross_entropy_grad %g, %x, %label : (tensor<f32>, tensor<?x4xf16>, tensor<?xui8>) -> tensor<?x4xf32>
  // CHECK: train.mse %{{.*}}, %{{.*}} : (tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<f32>
  %6 = train.mse %x, %x : (tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<f32>
  // CHECK: train.mse_grad %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<?x4xf32>
  %7 = train.mse_grad %g, %x, %x : (tensor<f32>, tensor<?x4xf16>, tensor<?x4xf16>) -> tensor<?x4xf32>
  // CHECK: train.seed : tensor<f32>
  %s = train.seed : tensor<f32>
  // CHECK: train.accuracy %{{.*}}, %{{.*}} : (tensor<?x4xf16>, tensor<?xui8>) -> tensor<f32>
  %8 = train.accuracy %x, %label : (tensor<?x4xf16>, tensor<?xui8>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @shape
func.func @shape(%x: tensor<?x4xf16>, %y: tensor<4xf16>) {
  // CHECK: train.reshape %{{.*}} : (tensor<?x4xf16>) -> tensor<?x2x2xf32>
  %0 = train.reshape %x : (tensor<?x4xf16>) -> tensor<?x2x2xf32>
  // CHECK: train.transpose %{{.*}} permutation [1, 0] : (tensor<?x4xf16>) -> tensor<4x?xf16>
  %1 = train.transpose %x permutation [1, 0] : (tensor<?x4xf16>) -> tensor<4x?xf16>
  // CHECK: train.broadcast %{{.*}} like %{{.*}} dimensions [0] : (tensor<4xf16>, tensor<?x4xf16>) -> tensor<?x4xf32>
  %2 = train.broadcast %y like %x dimensions [0] : (tensor<4xf16>, tensor<?x4xf16>) -> tensor<?x4xf32>
  // CHECK: train.reduce mean %{{.*}} dimensions [0, 1] : (tensor<?x4xf16>) -> tensor<f32>
  %3 = train.reduce mean %x dimensions [0, 1] : (tensor<?x4xf16>) -> tensor<f32>
  // CHECK: train.reduce sum %{{.*}} dimensions [0] : (tensor<?x4xf16>) -> tensor<4xf16>
  %4 = train.reduce sum %x dimensions [0] : (tensor<?x4xf16>) -> tensor<4xf16>
  // CHECK: train.reduce max %{{.*}} dimensions [] : (tensor<?x4xf16>) -> tensor<?x4xf16>
  %5 = train.reduce max %x dimensions [] : (tensor<?x4xf16>) -> tensor<?x4xf16>
  // CHECK: train.reduce_grad min %{{.*}}, %{{.*}}, %{{.*}} dimensions [0] : (tensor<4xf16>, tensor<?x4xf16>, tensor<4xf16>) -> tensor<?x4xf16>
  %6 = train.reduce_grad min %4, %x, %y dimensions [0] : (tensor<4xf16>, tensor<?x4xf16>, tensor<4xf16>) -> tensor<?x4xf16>
  return
}

// CHECK-LABEL: func.func @optimizer
func.func @optimizer(%w: tensor<4xf32>, %g: tensor<4xf16>, %t: tensor<i64>, %n: tensor<f32>) {
  // CHECK: train.sgd %{{.*}}, %{{.*}} {learning_rate = 1.000000e-01 : f64, weight_decay = 0.000000e+00 : f64} : (tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  %0 = train.sgd %w, %g {learning_rate = 1.0e-1 : f64, weight_decay = 0.0 : f64} : (tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  // CHECK: train.momentum %{{.*}}, %{{.*}}, %{{.*}} {learning_rate = 1.000000e-01 : f64, momentum = 9.000000e-01 : f64, nesterov = true, weight_decay = 0.000000e+00 : f64}
  %1, %2 = train.momentum %w, %g, %w
      {learning_rate = 1.0e-1 : f64, momentum = 0.9 : f64, nesterov = true, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<4xf16>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  // CHECK: train.adam %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {beta1 = 9.000000e-01 : f64
  %3, %4, %5 = train.adam %w, %g, %w, %w, %t
      {learning_rate = 1.0e-3 : f64, beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<4xf16>, tensor<4xf32>, tensor<4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: train.adamw %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {beta1 = 9.000000e-01 : f64
  %6, %7, %8 = train.adamw %w, %g, %w, %w, %t
      {learning_rate = 1.0e-3 : f64, beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64, weight_decay = 1.0e-2 : f64}
      : (tensor<4xf32>, tensor<4xf16>, tensor<4xf32>, tensor<4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: train.global_norm %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4xf16>) -> tensor<f32>
  %9 = train.global_norm %w, %g : (tensor<4xf32>, tensor<4xf16>) -> tensor<f32>
  // CHECK: train.clip %{{.*}} norm %{{.*}} {max_norm = 1.000000e+00 : f64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %10 = train.clip %w norm %n {max_norm = 1.0 : f64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
