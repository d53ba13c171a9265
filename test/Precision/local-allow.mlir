// RUN: amp-opt %s --amp='dtype=f16 strategy=local' | FileCheck %s
// RUN: amp-opt %s --amp='dtype=bf16 strategy=local' | FileCheck %s --check-prefix=BF16

// The operands of a contraction are cast, its result is low and cast back where the signature wants f32.
// CHECK-LABEL: func.func @matmul
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>, %[[W:.*]]: tensor<8x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT: %[[X16:.*]] = amp.cast %[[X]] : tensor<?x8xf32> to tensor<?x8xf16>
// CHECK-NEXT: %[[W16:.*]] = amp.cast %[[W]] : tensor<8x4xf32> to tensor<8x4xf16>
// CHECK-NEXT: %[[Y:.*]] = train.matmul %[[X16]], %[[W16]] : (tensor<?x8xf16>, tensor<8x4xf16>) -> tensor<?x4xf16>
// CHECK-NEXT: %[[Y32:.*]] = amp.cast %[[Y]] : tensor<?x4xf16> to tensor<?x4xf32>
// CHECK-NEXT: return %[[Y32]]
// BF16-LABEL: func.func @matmul
// BF16: train.matmul %{{.*}} : (tensor<?x8xbf16>, tensor<8x4xbf16>) -> tensor<?x4xbf16>
func.func @matmul(%x: tensor<?x8xf32>, %w: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %y = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// The bias meets the f32 accumulator: no cast.
// CHECK-LABEL: func.func @linear
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4xf32>)
// CHECK: train.linear %{{.*}}, %{{.*}} bias %[[B]] : (tensor<?x8xf16>, tensor<8x4xf16>, tensor<4xf32>) -> tensor<?x4xf16>
func.func @linear(%x: tensor<?x8xf32>, %w: tensor<8x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %y = train.linear %x, %w bias %b : (tensor<?x8xf32>, tensor<8x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// Between two contractions nothing is cast.
// CHECK-LABEL: func.func @chain
// CHECK: %[[H:.*]] = train.matmul
// CHECK-NEXT: %[[A:.*]] = train.relu %[[H]] : (tensor<?x8xf16>) -> tensor<?x8xf16>
// CHECK-NEXT: train.matmul %[[A]], %{{.*}} : (tensor<?x8xf16>, tensor<8x8xf16>) -> tensor<?x8xf16>
func.func @chain(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %h = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %a = train.relu %h : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = train.matmul %a, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// f64 is left alone, and so is an op of which one operand is f64.
// CHECK-LABEL: func.func @f64
// CHECK-NOT: amp.cast
// CHECK: train.matmul %{{.*}} : (tensor<?x8xf32>, tensor<8x4xf64>) -> tensor<?x4xf64>
// CHECK-NOT: amp.cast
func.func @f64(%x: tensor<?x8xf32>, %w: tensor<8x4xf64>) -> tensor<?x4xf64> {
  %y = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x4xf64>) -> tensor<?x4xf64>
  return %y : tensor<?x4xf64>
}

// A value of the other half type stays of it.
// CHECK-LABEL: func.func @other_half
// CHECK: train.matmul %{{.*}} : (tensor<?x8xbf16>, tensor<8x4xbf16>) -> tensor<?x4xf32>
// BF16-LABEL: func.func @other_half
// BF16: train.matmul %{{.*}} : (tensor<?x8xbf16>, tensor<8x4xbf16>) -> tensor<?x4xbf16>
func.func @other_half(%x: tensor<?x8xbf16>, %w: tensor<8x4xbf16>) -> tensor<?x4xf32> {
  %y = train.matmul %x, %w : (tensor<?x8xbf16>, tensor<8x4xbf16>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// A denied op reads and gives f32.
// CHECK-LABEL: func.func @deny
// CHECK: %[[Z:.*]] = train.matmul {{.*}} -> tensor<?x4xf16>
// CHECK-NEXT: %[[Z32:.*]] = amp.cast %[[Z]] : tensor<?x4xf16> to tensor<?x4xf32>
// CHECK-NEXT: train.cross_entropy %[[Z32]], %{{.*}} : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<f32>
func.func @deny(%x: tensor<?x8xf32>, %w: tensor<8x4xf32>, %t: tensor<?xi32>) -> tensor<f32> {
  %z = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  %loss = train.cross_entropy %z, %t : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// What the user wrote in f16 is read as it is, also by a denied op.
// CHECK-LABEL: func.func @deny_of_users_half
// CHECK-NOT: amp.cast
// CHECK: train.cross_entropy %{{.*}} : (tensor<?x4xf16>, tensor<?xi32>) -> tensor<f32>
func.func @deny_of_users_half(%z: tensor<?x4xf16>, %t: tensor<?xi32>) -> tensor<f32> {
  %loss = train.cross_entropy %z, %t : (tensor<?x4xf16>, tensor<?xi32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// A private function has the types that all its callers and its body agree on.
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: (%{{.*}}: tensor<?x8xf16>) -> tensor<?x8xf16>
// CHECK-NEXT: train.relu %{{.*}} : (tensor<?x8xf16>) -> tensor<?x8xf16>
func.func private @callee(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %y = train.relu %x : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
// CHECK-LABEL: func.func @caller
// CHECK: %[[H:.*]] = train.matmul {{.*}} -> tensor<?x8xf16>
// CHECK-NEXT: %[[C:.*]] = call @callee(%[[H]]) : (tensor<?x8xf16>) -> tensor<?x8xf16>
// CHECK-NEXT: train.matmul %[[C]]
func.func @caller(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %h = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %c = call @callee(%h) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = train.matmul %c, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// What leaves a branch has one type: low here, for the other branch gives a leaf.
// CHECK-LABEL: func.func @control_flow
// CHECK: %[[X:.*]] = amp.cast %{{.*}} : tensor<?x8xf32> to tensor<?x8xf16>
// CHECK: %[[H:.*]] = train.matmul
// CHECK: %[[Y:.*]] = scf.if %{{.*}} -> (tensor<?x8xf16>)
// CHECK-NEXT: %[[R:.*]] = train.relu %[[H]] : (tensor<?x8xf16>) -> tensor<?x8xf16>
// CHECK-NEXT: scf.yield %[[R]] : tensor<?x8xf16>
// CHECK: scf.yield %[[X]] : tensor<?x8xf16>
// CHECK: amp.cast %[[Y]] : tensor<?x8xf16> to tensor<?x8xf32>
func.func @control_flow(%c: i1, %x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %h = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %y = scf.if %c -> tensor<?x8xf32> {
    %r = train.relu %h : (tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %r : tensor<?x8xf32>
  } else {
    scf.yield %x : tensor<?x8xf32>
  }
  return %y : tensor<?x8xf32>
}
