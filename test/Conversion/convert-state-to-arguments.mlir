// RUN: amp-opt %s --amp-convert-state-to-arguments --split-input-file | FileCheck %s

train.variable @w : tensor<4xf32> = #train.zeros
train.variable @unused : tensor<4xf32> = #train.zeros
train.variable counter @count : tensor<i64> = #train.zeros

// Own arguments first, then one per variable in use, in the order of the variables.
// CHECK-NOT: train.variable @
// CHECK-LABEL: func.func @step(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<4xf32>,
// CHECK-SAME: %[[W:[^ ]*]]: memref<4xf32> {train.variable = @w},
// CHECK-SAME: %[[COUNT:[^ ]*]]: memref<i64> {train.variable = @count})
func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[OLD_W:.*]] = bufferization.to_tensor %[[W]] restrict writable
  // CHECK: %[[OLD_COUNT:.*]] = bufferization.to_tensor %[[COUNT]] restrict writable
  %count = train.read @count : tensor<i64>
  %one = arith.constant dense<1> : tensor<i64>
  // CHECK: %[[NEW_COUNT:.*]] = arith.addi %[[OLD_COUNT]]
  %next = arith.addi %count, %one : tensor<i64>
  train.assign @count, %next : tensor<i64>
  %w = train.read @w : tensor<4xf32>
  // CHECK: %[[NEW_W:.*]] = arith.addf %[[X]], %[[OLD_W]]
  %w1 = arith.addf %x, %w : tensor<4xf32>
  train.assign @w, %w1 : tensor<4xf32>
  // A read after an assignment sees it.
  // CHECK: %[[Y:.*]] = math.absf %[[NEW_W]]
  %w2 = train.read @w : tensor<4xf32>
  %y = math.absf %w2 : tensor<4xf32>
  // CHECK: bufferization.materialize_in_destination %[[NEW_W]] in restrict writable %[[W]]
  // CHECK: bufferization.materialize_in_destination %[[NEW_COUNT]] in restrict writable %[[COUNT]]
  // CHECK: return
  return %y : tensor<4xf32>
}

// -----

train.variable @w : tensor<4xf32> = #train.zeros

// A function that only reads must leave the memory alone, and what it returns is the caller's.
// CHECK-LABEL: func.func @reads(
// CHECK-SAME: %[[W:[^ ]*]]: memref<4xf32> {train.variable = @w})
func.func @reads(%c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[VALUE:.*]] = bufferization.to_tensor %[[W]] restrict :
  %w = train.read @w : tensor<4xf32>
  // CHECK: scf.if
  %y = scf.if %c -> tensor<4xf32> {
    %inner = train.read @w : tensor<4xf32>
    // CHECK: math.absf %[[VALUE]]
    %0 = math.absf %inner : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    %0 = arith.constant dense<0.0> : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  // CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[VALUE]])
  // CHECK: return %[[COPY]]
  return %w, %y : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @stateless(
// CHECK-SAME: %{{.*}}: tensor<4xf32>) -> tensor<4xf32>
func.func @stateless(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

train.variable @w : tensor<4xf32> = #train.zeros

// Nothing runs a task's loss, nor a private function that only the loss called.
// CHECK-NOT: train.task
// CHECK-NOT: @loss
// CHECK-NOT: @helper
// CHECK: func.func @called
func.func private @helper() -> tensor<f32> {
  %0 = arith.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss() -> tensor<f32> {
  %0 = call @helper() : () -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @called() -> tensor<f32> {
  %0 = arith.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @caller() -> tensor<f32> {
  %0 = call @called() : () -> tensor<f32>
  return %0 : tensor<f32>
}
train.task @t loss(@loss) metric(@called) optimizer(#train.sgd<learning_rate = 0.1>)

// -----

train.variable @a : tensor<4xf32> = #train.zeros
train.variable @b : tensor<4xf32> = #train.zeros

// Each value lies in the memory that the other assignment writes.
// CHECK-LABEL: func.func @swap(
// CHECK-SAME: %[[A:[^ ]*]]: memref<4xf32> {train.variable = @a}, %[[B:[^ ]*]]: memref<4xf32> {train.variable = @b})
func.func @swap() {
  // CHECK: %[[OLD_A:.*]] = bufferization.to_tensor %[[A]]
  // CHECK: %[[OLD_B:.*]] = bufferization.to_tensor %[[B]]
  %a = train.read @a : tensor<4xf32>
  %b = train.read @b : tensor<4xf32>
  // CHECK: %[[COPY_B:.*]] = bufferization.alloc_tensor() copy(%[[OLD_B]])
  // CHECK: %[[COPY_A:.*]] = bufferization.alloc_tensor() copy(%[[OLD_A]])
  // CHECK: materialize_in_destination %[[COPY_B]] in restrict writable %[[A]]
  // CHECK: materialize_in_destination %[[COPY_A]] in restrict writable %[[B]]
  train.assign @a, %b : tensor<4xf32>
  train.assign @b, %a : tensor<4xf32>
  return
}

// Writing back what is there is no write.
// CHECK-LABEL: func.func @identity
// CHECK-NOT: materialize_in_destination
// CHECK: return
func.func @identity() {
  %a = train.read @a : tensor<4xf32>
  train.assign @a, %a : tensor<4xf32>
  return
}

// -----

train.variable @a : tensor<4xf32> = #train.zeros
train.variable half_copy @h : tensor<4xf16> of @a
train.variable scale_state @s : tensor<f32> = #train.zeros
#id = affine_map<(d0) -> (d0)>

// A value that is computed into a fresh tensor is computed into the variable instead.
// CHECK-LABEL: func.func @destinations(
// CHECK-SAME: %[[H:[^ ]*]]: memref<4xf16> {train.variable = @h}, %[[S:[^ ]*]]: memref<f32> {train.variable = @s})
func.func @destinations(%x: tensor<4xf32>, %y: f32) {
  // CHECK: %[[OLD_H:.*]] = bufferization.to_tensor %[[H]] restrict writable
  // CHECK: %[[OLD_S:.*]] = bufferization.to_tensor %[[S]] restrict writable
  %empty = tensor.empty() : tensor<4xf16>
  // CHECK: %[[NEW_H:.*]] = linalg.generic {{.*}} outs(%[[OLD_H]] : tensor<4xf16>)
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<4xf16>
  train.assign @h, %h : tensor<4xf16>
  %s = tensor.from_elements %y : tensor<f32>
  train.assign @s, %s : tensor<f32>
  // CHECK: %[[NEW_S:.*]] = tensor.insert %{{.*}} into %[[OLD_S]][]
  // CHECK: materialize_in_destination %[[NEW_H]] in restrict writable %[[H]]
  // CHECK: materialize_in_destination %[[NEW_S]] in restrict writable %[[S]]
  return
}
