// RUN: amp-opt %s --amp-convert-train-to-linalg | FileCheck %s
// RUN: amp-opt %s --amp-convert-train-to-linalg --linalg-fuse-elementwise-ops | FileCheck %s --check-prefix=FUSED

// The old values are read from the outputs; a decay of zero is left out.
// CHECK-LABEL: func.func @sgd(
// CHECK-SAME: %[[W:[^ ]*]]: tensor<4xf32>, %[[G:[^ ]*]]: tensor<4xf16>)
func.func @sgd(%w: tensor<4xf32>, %g: tensor<4xf16>) -> tensor<4xf32> {
  // CHECK: linalg.generic {{.*}} ins(%[[G]] : tensor<4xf16>) outs(%[[W]] : tensor<4xf32>)
  // CHECK-NEXT: ^bb0(%[[GRADIENT:.*]]: f16, %[[OLD:.*]]: f32):
  // CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[GRADIENT]] : f16 to f32
  // CHECK-NEXT: %[[RATE:.*]] = arith.constant 1.000000e-01 : f32
  // CHECK-NEXT: %[[STEP:.*]] = arith.mulf %[[RATE]], %[[WIDE]] : f32
  // CHECK-NEXT: %[[NEW:.*]] = arith.subf %[[OLD]], %[[STEP]] : f32
  // CHECK-NEXT: linalg.yield %[[NEW]] : f32
  %0 = train.sgd %w, %g {learning_rate = 1.0e-1 : f64, weight_decay = 0.0 : f64} : (tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Two parameters, one computation of the powers of t, in f64; the half copy comes from the same loop nest.
// CHECK-LABEL: func.func @adam(
// CHECK-SAME: %[[W:[^ ]*]]: tensor<4xf32>, %[[G:[^ ]*]]: tensor<4xf32>, %[[T:[^ ]*]]: tensor<i64>)
func.func @adam(%w: tensor<4xf32>, %g: tensor<4xf32>, %t: tensor<i64>) -> (tensor<4xf32>, tensor<4xf16>, tensor<4xf32>) {
  // CHECK-COUNT-2: scf.while
  // CHECK-NOT: scf.while
  // CHECK: math.sqrt %{{.*}} : f64
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  // CHECK: %[[HALF:.*]] = tensor.empty() : tensor<4xf16>
  // CHECK: %[[UPDATE:.*]]:4 = linalg.generic {{.*}} outs(%[[W]], %[[W]], %[[W]], %[[HALF]] :
  // CHECK: linalg.yield %[[NEW:.*]], %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32, f16
  // CHECK-NOT: amp.cast
  // CHECK: %[[SECOND:.*]]:3 = linalg.generic
  // CHECK: return %[[UPDATE]]#0, %[[UPDATE]]#3, %[[SECOND]]#0
  %w1, %m1, %v1 = train.adam %w, %g, %w, %w, %t
      {learning_rate = 1.0e-3 : f64, beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %half = amp.cast %w1 : tensor<4xf32> to tensor<4xf16>
  %w2, %m2, %v2 = train.adamw %w, %g, %w, %w, %t
      {learning_rate = 1.0e-3 : f64, beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %w1, %half, %w2 : tensor<4xf32>, tensor<4xf16>, tensor<4xf32>
}

// Unscaling and clipping cost no pass of their own over the gradient.
// FUSED-LABEL: func.func @clipped(
// FUSED-SAME: %[[W:[^ ]*]]: tensor<4xf32>, %[[V:[^ ]*]]: tensor<4xf32>, %[[G:[^ ]*]]: tensor<4xf16>
func.func @clipped(%w: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<4xf16>, %inv: tensor<f32>, %n: tensor<f32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  // FUSED: linalg.generic {{.*}} ins(%[[G]] : tensor<4xf16>) outs(%[[W]], %[[V]] : tensor<4xf32>, tensor<4xf32>)
  // FUSED-NOT: linalg.generic
  // FUSED: return
  %u = amp.unscale %g by %inv : (tensor<4xf16>, tensor<f32>) -> tensor<4xf32>
  %c = train.clip %u norm %n {max_norm = 1.0 : f64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w1, %v1 = train.momentum %w, %c, %v
      {learning_rate = 1.0e-1 : f64, momentum = 0.9 : f64, nesterov = true, weight_decay = 1.0e-2 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %w1, %v1 : tensor<4xf32>, tensor<4xf32>
}
