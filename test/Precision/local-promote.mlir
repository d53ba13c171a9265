// RUN: amp-opt %s --amp='dtype=f16 strategy=local' | FileCheck %s

// Two low operands: low.
// CHECK-LABEL: func.func @both_low
// CHECK: train.add %{{.*}} : (tensor<?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
func.func @both_low(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %b = train.matmul %a, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %y = train.add %a, %b : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// A leaf beside a low operand is cast; the matmul shares the cast.
// CHECK-LABEL: func.func @leaf
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>,
// CHECK-NEXT: %[[X16:.*]] = amp.cast %[[X]]
// CHECK: %[[A:.*]] = train.matmul %[[X16]]
// CHECK-NEXT: train.add %[[A]], %[[X16]] : (tensor<?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
func.func @leaf(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %y = train.add %a, %x : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// A broadcast leaf is cast before it is broadcast.
// CHECK-LABEL: func.func @broadcast_leaf
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<8xf32>)
// CHECK: %[[B16:.*]] = amp.cast %[[B]] : tensor<8xf32> to tensor<8xf16>
// CHECK: %[[BB:.*]] = train.broadcast %[[B16]] like %{{.*}} : (tensor<8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
// CHECK: train.add %{{.*}}, %[[BB]] : (tensor<?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
func.func @broadcast_leaf(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %bb = train.broadcast %b like %a dimensions [0] : (tensor<8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = train.add %a, %bb : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// Near miss: the broadcast is read in f32 as well, so that it stays and is cast afterwards.
// CHECK-LABEL: func.func @broadcast_leaf_of_two
// CHECK: %[[BB:.*]] = train.broadcast {{.*}} -> tensor<?x8xf32>
// CHECK-NEXT: %[[BB16:.*]] = amp.cast %[[BB]]
// CHECK-NEXT: train.add %{{.*}}, %[[BB16]] : {{.*}} -> tensor<?x8xf16>
// CHECK: return %{{.*}}, %[[BB]]
func.func @broadcast_leaf_of_two(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %bb = train.broadcast %b like %a dimensions [0] : (tensor<8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = train.add %a, %bb : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %y, %bb : tensor<?x8xf32>, tensor<?x8xf32>
}

// Near miss: two leaves and nothing low stay f32.
// CHECK-LABEL: func.func @only_leaves
// CHECK-NEXT: train.mul %{{.*}} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
func.func @only_leaves(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %z = train.mul %x, %y : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %z : tensor<?x8xf32>
}

// Near miss: an f32 operand that is computed makes the op f32. It reads the low one without a cast.
// CHECK-LABEL: func.func @computed_f32
// CHECK: %[[A:.*]] = train.matmul {{.*}} -> tensor<?x8xf16>
// CHECK-NEXT: %[[P:.*]] = train.mul %{{.*}} -> tensor<?x8xf32>
// CHECK-NEXT: train.add %[[A]], %[[P]] : (tensor<?x8xf16>, tensor<?x8xf32>) -> tensor<?x8xf32>
func.func @computed_f32(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %p = train.mul %x, %x : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = train.add %a, %p : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// A bias is read in any type and decides nothing.
// CHECK-LABEL: func.func @bias_add
// CHECK: train.bias_add %{{.*}} : (tensor<?x8xf16>, tensor<8xf32>) -> tensor<?x8xf16>
func.func @bias_add(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %y = train.bias_add %a, %b : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
