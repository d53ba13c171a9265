// RUN: amp-opt %s --amp-convert-state-to-arguments --split-input-file | FileCheck %s

train.variable @w : tensor<4xf32> = #train.zeros
train.variable @unused : tensor<4xf32> = #train.zeros
train.variable counter @count : tensor<i64> = #train.zeros

// Own arguments first, then one per variable in use, in the order of the variables.
// CHECK-NOT: train.variable @
// CHECK-LABEL: func.func @step(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>,
// CHECK-SAME: %[[W:.*]]: memref<4xf32> {train.variable = @w},
// CHECK-SAME: %[[COUNT:.*]]: memref<i64> {train.variable = @count})
func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[OLD_W:.*]] = bufferization.to_tensor %[[W]] restrict writable
  // CHECK: %[[OLD_COUNT:.*]] = bufferization.to_tensor %[[COUNT]] restrict writable
  %count = train.read @count : tensor<i64>
  %one = arith.constant dense<1> : tensor<i64>
  // CHECK: %[[NEW_COUNT:.*]] = arith.addi %[[OLD_COUNT]]
  %next = arith.addi %count, %one : tensor<i64>
  train.assign @count, %next : tensor<i64>
  %w = train.read @w : tensor<4xf32>
  // CHECK: %[[NEW_W:.*]] = arith.addf %[[OLD_W]], %[[X]]
  %w1 = arith.addf %w, %x : tensor<4xf32>
  train.assign @w, %w1 : tensor<4xf32>
  // A read after an assignment sees it.
  // CHECK: %[[Y:.*]] = arith.mulf %[[NEW_W]], %[[X]]
  %w2 = train.read @w : tensor<4xf32>
  %y = arith.mulf %w2, %x : tensor<4xf32>
  // CHECK: bufferization.materialize_in_destination %[[NEW_W]] in restrict writable %[[W]]
  // CHECK: bufferization.materialize_in_destination %[[NEW_COUNT]] in restrict writable %[[COUNT]]
  return %y : tensor<4xf32>
}
