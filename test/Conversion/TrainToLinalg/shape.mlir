// RUN: amp-opt %s --amp-convert-train-to-linalg | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$FROM:.*]] = affine_map<(d0, d1, d2) -> (d2, d0, d1)>

// CHECK-LABEL: func.func @collapse(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<?x8x8xf32>)
func.func @collapse(%x: tensor<?x8x8xf32>) -> tensor<?x64xf32> {
  // CHECK: tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2]] : tensor<?x8x8xf32> into tensor<?x64xf32>
  %0 = train.reshape %x : (tensor<?x8x8xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// The elements are rounded first, then seen in another shape.
// CHECK-LABEL: func.func @expand
func.func @expand(%x: tensor<?x64xf32>) -> tensor<?x8x8xf16> {
  // CHECK: %[[ROUNDED:.*]] = linalg.generic
  // CHECK: tensor.expand_shape %[[ROUNDED]] {{\[\[}}0], [1, 2]] output_shape [%{{.*}}, 8, 8]
  %0 = train.reshape %x : (tensor<?x64xf32>) -> tensor<?x8x8xf16>
  return %0 : tensor<?x8x8xf16>
}

// Shapes with nothing in common meet in one dimension.
// CHECK-LABEL: func.func @regroup
func.func @regroup(%x: tensor<?x8xf32>) -> tensor<?x4xf32> {
  // CHECK: %[[SIZE:.*]] = arith.divui
  // CHECK: %[[FLAT:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<?x8xf32> into tensor<?xf32>
  // CHECK: tensor.expand_shape %[[FLAT]] {{\[\[}}0, 1]] output_shape [%[[SIZE]], 4]
  %0 = train.reshape %x : (tensor<?x8xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @no_elements(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<?x0xf32>)
func.func @no_elements(%x: tensor<?x0xf32>) -> tensor<0x?xf32> {
  // CHECK: %[[DIM:.*]] = tensor.dim %[[X]]
  // CHECK: tensor.empty(%[[DIM]]) : tensor<0x?xf32>
  %0 = train.reshape %x : (tensor<?x0xf32>) -> tensor<0x?xf32>
  return %0 : tensor<0x?xf32>
}

// CHECK-LABEL: func.func @transpose
func.func @transpose(%x: tensor<?x4xf32>, %y: tensor<2x3x4xf16>) -> (tensor<4x?xf16>, tensor<3x4x2xf16>) {
  // CHECK: linalg.generic {indexing_maps = [#[[$SWAP]], #[[$ID]]], iterator_types = ["parallel", "parallel"]}
  // CHECK: arith.truncf
  %0 = train.transpose %x permutation [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf16>
  // CHECK: linalg.generic {indexing_maps = [#[[$FROM]], #{{.*}}]
  %1 = train.transpose %y permutation [1, 2, 0] : (tensor<2x3x4xf16>) -> tensor<3x4x2xf16>
  return %0, %1 : tensor<4x?xf16>, tensor<3x4x2xf16>
}

// Only the shape of `like` is read.
// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME: %[[B:[^ ]*]]: tensor<4xf32>, %[[LIKE:[^ ]*]]: tensor<?x4xf16>)
func.func @broadcast(%b: tensor<4xf32>, %like: tensor<?x4xf16>) -> tensor<?x4xf32> {
  // CHECK: tensor.dim %[[LIKE]]
  // CHECK: linalg.generic {indexing_maps = [#[[$LAST]], #[[$ID]]], {{.*}}} ins(%[[B]] : tensor<4xf32>)
  %0 = train.broadcast %b like %like dimensions [0] : (tensor<4xf32>, tensor<?x4xf16>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
