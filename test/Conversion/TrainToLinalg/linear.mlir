// RUN: amp-opt %s --amp-convert-train-to-linalg | FileCheck %s

// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$KM:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[$KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0, d1) -> (d1)>

// Half operands, f32 accumulator; bias and rounding are a loop nest of their own.
// CHECK-LABEL: func.func @linear_f16(
// CHECK-SAME: %[[X:.*]]: tensor<?x64xf16>, %[[W:.*]]: tensor<64x10xf16>, %[[B:.*]]: tensor<10xf32>)
func.func @linear_f16(%x: tensor<?x64xf16>, %w: tensor<64x10xf16>, %b: tensor<10xf32>) -> tensor<?x10xf16> {
  // CHECK: %[[ZERO:.*]] = linalg.fill {{.*}} -> tensor<?x10xf32>
  // CHECK: %[[SUM:.*]] = linalg.matmul ins(%[[X]], %[[W]] : tensor<?x64xf16>, tensor<64x10xf16>)
  // CHECK-SAME: outs(%[[ZERO]] : tensor<?x10xf32>)
  // CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$LAST]], #[[$ID]]], iterator_types = ["parallel", "parallel"]}
  // CHECK-SAME: ins(%[[SUM]], %[[B]]
  // CHECK: ^bb0(%[[ACC:.*]]: f32, %[[BIAS:.*]]: f32, %{{.*}}: f16):
  // CHECK-NEXT: %[[Y:.*]] = arith.addf %[[ACC]], %[[BIAS]] : f32
  // CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %[[Y]] : f32 to f16
  // CHECK-NEXT: linalg.yield %[[ROUNDED]]
  %0 = train.linear %x, %w bias %b : (tensor<?x64xf16>, tensor<64x10xf16>, tensor<10xf32>) -> tensor<?x10xf16>
  return %0 : tensor<?x10xf16>
}

// The accumulator is the result: nothing to round.
// CHECK-LABEL: func.func @matmul_weight_gradient
func.func @matmul_weight_gradient(%x: tensor<?x64xf16>, %dy: tensor<?x10xf16>) -> tensor<64x10xf32> {
  // CHECK: %[[DW:.*]] = linalg.matmul indexing_maps = [#[[$KM]], #[[$KN]], #[[$MN]]]
  // CHECK: return %[[DW]]
  %0 = train.matmul %x, %dy {transpose_lhs} : (tensor<?x64xf16>, tensor<?x10xf16>) -> tensor<64x10xf32>
  return %0 : tensor<64x10xf32>
}

// CHECK-LABEL: func.func @matmul_transpose_rhs
func.func @matmul_transpose_rhs(%dy: tensor<?x10xbf16>, %w: tensor<64x10xbf16>) -> tensor<?x64xbf16> {
  // CHECK: linalg.matmul indexing_maps = [#[[$MK]], #[[$NK]], #[[$MN]]]
  // CHECK-SAME: outs(%{{.*}} : tensor<?x64xf32>)
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %0 = train.matmul %dy, %w {transpose_rhs} : (tensor<?x10xbf16>, tensor<64x10xbf16>) -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// Of two types the narrower is extended first; two half types meet in f32.
// CHECK-LABEL: func.func @matmul_mixed
func.func @matmul_mixed(%a: tensor<4x8xf16>, %b: tensor<8x2xbf16>, %c: tensor<2x3xf64>) -> tensor<4x3xf32> {
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: arith.extf %{{.*}} : bf16 to f32
  // CHECK: linalg.matmul ins(%{{.*}} : tensor<4x8xf32>, tensor<8x2xf32>) outs(%{{.*}} : tensor<4x2xf32>)
  %0 = train.matmul %a, %b : (tensor<4x8xf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  // CHECK: arith.extf %{{.*}} : f32 to f64
  // CHECK: linalg.matmul ins(%{{.*}} : tensor<4x2xf64>, tensor<2x3xf64>) outs(%{{.*}} : tensor<4x3xf64>)
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  %1 = train.matmul %0, %c : (tensor<4x2xf32>, tensor<2x3xf64>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @bias_add
func.func @bias_add(%x: tensor<?x10xf16>, %b: tensor<10xf32>) -> tensor<?x10xf16> {
  // CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$LAST]], #[[$ID]]]
  // CHECK: %[[X:.*]] = arith.extf %{{.*}} : f16 to f32
  // CHECK: %[[Y:.*]] = arith.addf %[[X]], %{{.*}} : f32
  // CHECK: arith.truncf %[[Y]] : f32 to f16
  %0 = train.bias_add %x, %b : (tensor<?x10xf16>, tensor<10xf32>) -> tensor<?x10xf16>
  return %0 : tensor<?x10xf16>
}
