// RUN: amp-opt %s --amp='dtype=f16' | FileCheck %s
// RUN: amp-opt %s --amp='dtype=bf16' | FileCheck %s --check-prefix=BF16
// RUN: amp-opt %s --amp='dtype=f16 master-weights=cast' | FileCheck %s --check-prefix=CAST

// CHECK: train.variable @w : tensor<8x4xf32> = #train.zeros
// CHECK-NEXT: train.variable half_copy @w.f16 : tensor<8x4xf16> of @w
// BF16: train.variable half_copy @w.bf16 : tensor<8x4xbf16> of @w
// CAST-NOT: half_copy
train.variable @w : tensor<8x4xf32> = #train.zeros
// A bias is read in f32 and needs no copy.
// CHECK-NEXT: train.variable @b
// CHECK-NEXT: train.variable frozen @p
train.variable @b : tensor<4xf32> = #train.zeros
// CHECK-NEXT: train.variable half_copy @p.f16 : tensor<4x4xf16> of @p
train.variable frozen @p : tensor<4x4xf32> = #train.he<normal>
// Near miss: an optimizer's state has no copy, whatever reads it.
// CHECK-NEXT: train.variable optimizer_state @m
// CHECK-NOT: half_copy
train.variable optimizer_state @m : tensor<4x4xf32> = #train.zeros
// Near miss: f64 has none.
train.variable @d : tensor<4x4xf64> = #train.zeros

// The forward pass reads the copy, and reads nothing else of @w.
// CHECK-LABEL: func.func @forward
// CHECK-NOT: train.read @w :
// CHECK: %[[W:.*]] = train.read @w.f16 : tensor<8x4xf16>
// CHECK: train.linear %{{.*}}, %[[W]] bias
// CHECK: %[[P:.*]] = train.read @p.f16
// CHECK: train.matmul %{{.*}}, %[[P]]
// CHECK: %[[M:.*]] = train.read @m : tensor<4x4xf32>
// CHECK-NEXT: amp.cast %[[M]]
// CAST-LABEL: func.func @forward
// CAST: %[[W:.*]] = train.read @w : tensor<8x4xf32>
// CAST-NEXT: %[[W16:.*]] = amp.cast %[[W]]
// CAST: train.linear %{{.*}}, %[[W16]] bias
func.func @forward(%x: tensor<?x8xf32>) -> tensor<?x4xf32> {
  %w = train.read @w : tensor<8x4xf32>
  %b = train.read @b : tensor<4xf32>
  %y = train.linear %x, %w bias %b : (tensor<?x8xf32>, tensor<8x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  %p = train.read @p : tensor<4x4xf32>
  %q = train.matmul %y, %p : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  %m = train.read @m : tensor<4x4xf32>
  %n = train.matmul %q, %m : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  return %n : tensor<?x4xf32>
}

// Whoever writes the master writes the copy, in any function.
// CHECK-LABEL: func.func @load
// CHECK-SAME: (%[[NEW:.*]]: tensor<8x4xf32>)
// CHECK-NEXT: %[[NEW16:.*]] = amp.cast %[[NEW]]
// CHECK-NEXT: train.assign @w, %[[NEW]]
// CHECK-NEXT: train.assign @w.f16, %[[NEW16]]
func.func @load(%new: tensor<8x4xf32>) {
  train.assign @w, %new : tensor<8x4xf32>
  return
}

// The copy of a low value needs no cast at all.
// CHECK-LABEL: func.func @load_low
// CHECK: %[[Y:.*]] = train.transpose {{.*}} -> tensor<8x4xf16>
// CHECK-NEXT: %[[Y32:.*]] = amp.cast %[[Y]]
// CHECK: train.assign @w, %[[Y32]]
// CHECK-NEXT: train.assign @w.f16, %[[Y]]
func.func @load_low(%x: tensor<4x8xf16>) -> tensor<?x4xf32> {
  %y = train.transpose %x permutation [1, 0] : (tensor<4x8xf16>) -> tensor<8x4xf32>
  %z = train.cast %y : (tensor<8x4xf32>) -> tensor<8x4xf64>
  train.assign @w, %y : tensor<8x4xf32>
  %p = train.read @p : tensor<4x4xf32>
  %q = train.matmul %y, %p : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  return %q : tensor<?x4xf32>
}

// What is read from one variable is assigned to others, and rounded once for both.
// CHECK-LABEL: func.func @copy_weights
// CHECK: train.read @cw.f16
// CHECK: %[[V:.*]] = train.read @cv : tensor<4x4xf32>
// CHECK-NEXT: %[[V16:.*]] = amp.cast %[[V]]
// CHECK: train.assign @cw, %[[V]]
// CHECK-NEXT: train.assign @cw.f16, %[[V16]]
// CHECK-NEXT: train.assign @cu, %[[V]]
// CHECK-NEXT: train.assign @cu.f16, %[[V16]]
train.variable @cw : tensor<4x4xf32> = #train.constant<0.5>
train.variable @cv : tensor<4x4xf32> = #train.constant<0.5>
train.variable @cu : tensor<4x4xf32> = #train.constant<0.5>
func.func @copy_weights(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %w = train.read @cw : tensor<4x4xf32>
  %v = train.read @cv : tensor<4x4xf32>
  %u = train.read @cu : tensor<4x4xf32>
  %y = train.matmul %x, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %y1 = train.matmul %x, %v : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %y2 = train.matmul %x, %u : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  train.assign @cw, %v : tensor<4x4xf32>
  train.assign @cu, %v : tensor<4x4xf32>
  return %y, %y1, %y2 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}
