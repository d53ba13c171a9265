// RUN: amp-opt %s --amp='dtype=f16 master-weights=cast' | FileCheck %s

// Rule P6: one cast per value and type, right after the definition, however many read it.
// CHECK-LABEL: func.func @shared
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>, %[[W:.*]]: tensor<8x8xf32>,
// CHECK-NEXT: %[[X16:.*]] = amp.cast %[[X]]
// CHECK-NEXT: %[[W16:.*]] = amp.cast %[[W]]
// CHECK-NEXT: %[[A:.*]] = train.matmul %[[X16]], %[[W16]]
// CHECK-NEXT: %[[A32:.*]] = amp.cast %[[A]]
// CHECK-NEXT: train.matmul %[[A]], %[[W16]]
// CHECK-NOT: amp.cast %[[A]]
// CHECK: train.cross_entropy %[[A32]]
// CHECK-NEXT: train.accuracy %[[A32]]
func.func @shared(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>, %t: tensor<?xi32>) -> (tensor<?x8xf32>, tensor<f32>, tensor<f32>) {
  %a = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %b = train.matmul %a, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %l = train.cross_entropy %a, %t : (tensor<?x8xf32>, tensor<?xi32>) -> tensor<f32>
  %m = train.accuracy %a, %t : (tensor<?x8xf32>, tensor<?xi32>) -> tensor<f32>
  return %b, %l, %m : tensor<?x8xf32>, tensor<f32>, tensor<f32>
}

// A value that is used in a loop is cast outside it, and what goes around is low.
// CHECK-LABEL: func.func @loop
// CHECK: amp.cast
// CHECK-NEXT: amp.cast
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[C:.*]] = %{{.*}}) -> (tensor<8x8xf16>)
// CHECK-NEXT: train.matmul %[[C]]
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: amp.cast %[[R]] : tensor<8x8xf16> to tensor<8x8xf32>
func.func @loop(%n: index, %x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = train.matmul %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%c = %y) -> tensor<8x8xf32> {
    %d = train.matmul %c, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %d : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// Two reads with a write between them are two values.
// CHECK-LABEL: func.func @write_between
// CHECK: %[[R1:.*]] = train.read @w
// CHECK-NEXT: %[[C1:.*]] = amp.cast %[[R1]]
// CHECK: train.matmul %{{.*}}, %[[C1]]
// CHECK: train.assign @w
// CHECK-NEXT: %[[R2:.*]] = train.read @w
// CHECK-NEXT: %[[C2:.*]] = amp.cast %[[R2]]
// CHECK-NEXT: train.matmul %{{.*}}, %[[C2]]
train.variable @w : tensor<8x8xf32> = #train.zeros
func.func @write_between(%x: tensor<?x8xf32>, %new: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %w1 = train.read @w : tensor<8x8xf32>
  %a = train.matmul %x, %w1 : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  train.assign @w, %new : tensor<8x8xf32>
  %w2 = train.read @w : tensor<8x8xf32>
  %b = train.matmul %a, %w2 : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %b : tensor<?x8xf32>
}

// A rounding that the user wrote stays; its exact widening is looked through.
// CHECK-LABEL: func.func @users_rounding
// CHECK: %[[R:.*]] = train.cast %{{.*}} : (tensor<?x8xf32>) -> tensor<?x8xf16>
// CHECK: %[[S:.*]] = train.cast %[[R]] : (tensor<?x8xf16>) -> tensor<?x8xf32>
// CHECK: train.matmul %[[R]], %{{.*}}
// CHECK: return %{{.*}}, %[[S]]
func.func @users_rounding(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %r = train.cast %x : (tensor<?x8xf32>) -> tensor<?x8xf16>
  %s = train.cast %r : (tensor<?x8xf16>) -> tensor<?x8xf32>
  %y = train.matmul %s, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %y, %s : tensor<?x8xf32>, tensor<?x8xf32>
}

// Near miss: the widening of a bf16 is not an f16.
// CHECK-LABEL: func.func @users_other_rounding
// CHECK: %[[S:.*]] = train.cast %{{.*}} : (tensor<?x8xbf16>) -> tensor<?x8xf32>
// CHECK-NEXT: %[[S16:.*]] = amp.cast %[[S]]
// CHECK: train.matmul %[[S16]]
func.func @users_other_rounding(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %r = train.cast %x : (tensor<?x8xf32>) -> tensor<?x8xbf16>
  %s = train.cast %r : (tensor<?x8xbf16>) -> tensor<?x8xf32>
  %y = train.matmul %s, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
