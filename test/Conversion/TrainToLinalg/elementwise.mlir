// RUN: amp-opt %s --amp-convert-train-to-linalg | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// One parallel loop nest: read in f32, compute, round once.
// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<?x4xf16>, %[[Y:[^ ]*]]: tensor<?x4xf32>)
func.func @add(%x: tensor<?x4xf16>, %y: tensor<?x4xf32>) -> tensor<?x4xbf16> {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK: %[[DIM:.*]] = tensor.dim %[[X]], %[[ZERO]]
  // CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]]) : tensor<?x4xbf16>
  // CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$ID]], #[[$ID]]], iterator_types = ["parallel", "parallel"]}
  // CHECK-SAME: ins(%[[X]], %[[Y]] : tensor<?x4xf16>, tensor<?x4xf32>) outs(%[[EMPTY]] : tensor<?x4xbf16>)
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f16, %[[B:.*]]: f32, %{{.*}}: bf16):
  // CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[A]] : f16 to f32
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[WIDE]], %[[B]] : f32
  // CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %[[SUM]] : f32 to bf16
  // CHECK-NEXT: linalg.yield %[[ROUNDED]] : bf16
  %0 = train.add %x, %y : (tensor<?x4xf16>, tensor<?x4xf32>) -> tensor<?x4xbf16>
  return %0 : tensor<?x4xbf16>
}

// The comparison keeps a NaN and drops the sign of a zero.
// CHECK-LABEL: func.func @relu
func.func @relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: %[[KEEP:.*]] = arith.cmpf ugt, %[[X:.*]], %[[ZERO]] : f32
  // CHECK: arith.select %[[KEEP]], %[[X]], %[[ZERO]] : f32
  %0 = train.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @scalar
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: linalg.generic {{.*}} iterator_types = []
  // CHECK: math.tanh %{{.*}} : f32
  %0 = train.tanh %x : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// A half type is reached from f64 in one rounding: to odd into f32 first.
// CHECK-LABEL: func.func @f64_to_bf16
func.func @f64_to_bf16(%x: tensor<4xf64>) -> tensor<4xbf16> {
  // CHECK: ^bb0(%[[X:.*]]: f64, %{{.*}}: bf16):
  // CHECK-NEXT: %[[NEAREST:.*]] = arith.truncf %[[X]] : f64 to f32
  // CHECK: %[[WIDENED:.*]] = arith.extf %[[NEAREST]] : f32 to f64
  // CHECK: arith.cmpf one, %[[WIDENED]], %[[X]] : f64
  // CHECK: arith.bitcast %[[NEAREST]] : f32 to i32
  // CHECK: %[[ODD:.*]] = arith.bitcast %{{.*}} : i32 to f32
  // CHECK: arith.truncf %[[ODD]] : f32 to bf16
  %0 = train.cast %x : (tensor<4xf64>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// Of two half types neither holds the other.
// CHECK-LABEL: func.func @f16_to_bf16
func.func @f16_to_bf16(%x: tensor<4xf16>) -> tensor<4xbf16> {
  // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
  // CHECK: arith.truncf %[[WIDE]] : f32 to bf16
  %0 = amp.cast %x : tensor<4xf16> to tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// An f64 operand or result makes the arithmetic f64.
// CHECK-LABEL: func.func @f64
func.func @f64(%x: tensor<4xf32>) -> tensor<4xf64> {
  // CHECK: arith.extf %{{.*}} : f32 to f64
  // CHECK: math.erf %{{.*}} : f64
  %0 = train.gelu %x : (tensor<4xf32>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
