// RUN: amp-opt %s --amp-convert-train-to-linalg | FileCheck %s

// State stays; everything else is lowered, in guarded regions and nested regions as well.

// CHECK: train.variable @w
train.variable @w : tensor<4xf32> = #train.zeros
// CHECK: func.func @loss
func.func @loss(%x: tensor<4xf32>) -> tensor<f32> {
  // CHECK-NOT: train.mse
  // CHECK: linalg.generic
  %0 = train.mse %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// CHECK: train.task @t
train.task @t loss(@loss) optimizer(#train.sgd<learning_rate = 0.1>)

// CHECK-LABEL: func.func @step
func.func @step(%g: tensor<4xf16>, %inv: tensor<f32>, %finite: tensor<i1>) {
  // CHECK: %[[W:.*]] = train.read @w
  %w = train.read @w : tensor<4xf32>
  // CHECK: amp.guarded
  amp.guarded %finite : tensor<i1> {
    // CHECK: %[[UNSCALED:.*]] = linalg.generic
    %u = amp.unscale %g by %inv : (tensor<4xf16>, tensor<f32>) -> tensor<4xf32>
    // CHECK: %[[UPDATED:.*]] = linalg.generic {{.*}} ins(%[[UNSCALED]] : tensor<4xf32>) outs(%[[W]] : tensor<4xf32>)
    %w1 = train.sgd %w, %u {learning_rate = 1.0e-1 : f64, weight_decay = 0.0 : f64}
        : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    // CHECK: train.assign @w, %[[UPDATED]]
    train.assign @w, %w1 : tensor<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @nested
func.func @nested(%c: i1, %x: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: scf.if
  %0 = scf.if %c -> tensor<?xf32> {
    // CHECK-NOT: train.neg
    // CHECK: arith.negf
    %1 = train.neg %x : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
