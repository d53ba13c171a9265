// RUN: amp-opt %s --amp-convert-train-to-linalg --amp-convert-state-to-arguments --split-input-file | FileCheck %s
// RUN: amp-opt %s --amp-convert-train-to-linalg --amp-convert-state-to-arguments --split-input-file \
// RUN:     --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:     --canonicalize | FileCheck %s --check-prefix=BUFFERS

train.variable @w : tensor<4xf32> = #train.zeros
train.variable half_copy @w.f16 : tensor<4xf16> of @w
train.variable optimizer_state @w.velocity : tensor<4xf32> = #train.zeros
train.variable counter @count : tensor<i64> = #train.zeros

// CHECK-LABEL: func.func @step(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<?x4xf16>, %[[G:[^ ]*]]: tensor<4xf32>, %[[FINITE:[^ ]*]]: tensor<i1>,
// CHECK-SAME: %[[W:[^ ]*]]: memref<4xf32> {train.variable = @w},
// CHECK-SAME: %[[H:[^ ]*]]: memref<4xf16> {train.variable = @w.f16},
// CHECK-SAME: %[[V:[^ ]*]]: memref<4xf32> {train.variable = @w.velocity}

// In place: no buffer of the size of the parameter, and no copy.
// BUFFERS-LABEL: func.func @step(
// BUFFERS-SAME: %[[W:[^ ]*]]: memref<4xf32> {train.variable = @w},
// BUFFERS-SAME: %[[H:[^ ]*]]: memref<4xf16> {train.variable = @w.f16},
// BUFFERS-SAME: %[[V:[^ ]*]]: memref<4xf32> {train.variable = @w.velocity},
// BUFFERS-SAME: %[[COUNT:[^ ]*]]: memref<i64>
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.if
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: linalg.generic {{.*}} outs(%[[W]], %[[V]], %[[H]] :
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: memref.store %{{.*}}, %[[COUNT]][]
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @step(%x: tensor<?x4xf16>, %g: tensor<4xf32>, %finite: tensor<i1>) -> tensor<?x4xf16> {
  // CHECK: %[[OLD_W:.*]] = bufferization.to_tensor %[[W]] restrict writable
  // CHECK: %[[OLD_H:.*]] = bufferization.to_tensor %[[H]] restrict
  // CHECK: %[[OLD_V:.*]] = bufferization.to_tensor %[[V]] restrict writable
  %w = train.read @w : tensor<4xf32>
  %h = train.read @w.f16 : tensor<4xf16>
  %v = train.read @w.velocity : tensor<4xf32>
  %count = train.read @count : tensor<i64>
  %y = train.bias_add %x, %h : (tensor<?x4xf16>, tensor<4xf16>) -> tensor<?x4xf16>
  // CHECK: %[[CONDITION:.*]] = tensor.extract %[[FINITE]][]
  // CHECK: scf.if %[[CONDITION]] {
  amp.guarded %finite : tensor<i1> {
    // CHECK: %[[NEW:.*]]:3 = linalg.generic {{.*}} ins(%[[G]] : {{.*}}) outs(%[[OLD_W]], %[[OLD_V]], %[[OLD_H]] :
    %w1, %v1 = train.momentum %w, %g, %v
        {learning_rate = 1.0e-1 : f64, momentum = 0.9 : f64, nesterov = false, weight_decay = 0.0 : f64}
        : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    train.assign @w, %w1 : tensor<4xf32>
    train.assign @w.velocity, %v1 : tensor<4xf32>
    %h1 = amp.cast %w1 : tensor<4xf32> to tensor<4xf16>
    train.assign @w.f16, %h1 : tensor<4xf16>
    %n = tensor.extract %count[] : tensor<i64>
    %one = arith.constant 1 : i64
    %n1 = arith.addi %n, %one : i64
    %count1 = tensor.from_elements %n1 : tensor<i64>
    train.assign @count, %count1 : tensor<i64>
    // CHECK: materialize_in_destination %[[NEW]]#0 in restrict writable %[[W]]
    // CHECK: materialize_in_destination %[[NEW]]#2 in restrict writable %[[H]]
    // CHECK: materialize_in_destination %[[NEW]]#1 in restrict writable %[[V]]
    // CHECK: materialize_in_destination
    // CHECK: }
  }
  // CHECK-NOT: materialize_in_destination
  // CHECK: return
  return %y : tensor<?x4xf16>
}

// -----

train.variable @w : tensor<4xf32> = #train.zeros
train.variable @average : tensor<4xf32> = #train.zeros

// What is read after the region, or assigned after it, keeps the old value in a copy made before it.
// CHECK-LABEL: func.func @old_values(
// CHECK-SAME: %[[W:[^ ]*]]: memref<4xf32> {train.variable = @w}, %[[AVERAGE:[^ ]*]]: memref<4xf32>
func.func @old_values(%x: tensor<4xf32>, %c: tensor<i1>) -> (tensor<4xf32>, tensor<2x2xf32>) {
  // CHECK: %[[OLD:.*]] = bufferization.to_tensor %[[W]]
  %w = train.read @w : tensor<4xf32>
  train.assign @average, %w : tensor<4xf32>
  // CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[OLD]])
  // CHECK: scf.if
  amp.guarded %c : tensor<i1> {
    train.assign @w, %x : tensor<4xf32>
  }
  // CHECK: tensor.expand_shape %[[COPY]]
  %y = tensor.expand_shape %w [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  // CHECK: materialize_in_destination %[[COPY]] in restrict writable %[[AVERAGE]]
  // CHECK: return %[[COPY]], %
  return %w, %y : tensor<4xf32>, tensor<2x2xf32>
}

// -----

train.variable @w : tensor<4xf32> = #train.zeros

// Without the condition nothing may happen to the variable, so that an op outside of the region does not get its memory.
// CHECK-LABEL: func.func @updated_outside(
// CHECK-SAME: %[[W:[^ ]*]]: memref<4xf32> {train.variable = @w})
func.func @updated_outside(%g: tensor<4xf32>, %c: tensor<i1>) {
  // CHECK: bufferization.to_tensor %[[W]] restrict :
  %w = train.read @w : tensor<4xf32>
  %w1 = linalg.add ins(%w, %g : tensor<4xf32>, tensor<4xf32>) outs(%w : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: scf.if
  amp.guarded %c : tensor<i1> {
    // CHECK: materialize_in_destination
    train.assign @w, %w1 : tensor<4xf32>
  }
  return
}

// -----

train.variable @w : tensor<4xf32> = #train.zeros

// CHECK-LABEL: func.func @nested
func.func @nested(%x: tensor<4xf32>, %c: tensor<i1>) {
  // CHECK: scf.if
  amp.guarded %c : tensor<i1> {
    // CHECK: scf.if
    amp.guarded %c : tensor<i1> {
      // CHECK: materialize_in_destination
      train.assign @w, %x : tensor<4xf32>
    }
  }
  return
}
