// RUN: amp-opt %s --amp-convert-train-to-linalg | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$FIRST:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0, d1) -> (d1)>

// A bias gradient: the rows are the outer loop, the accumulator is f32 and needs no rounding.
// CHECK-LABEL: func.func @sum_of_rows
func.func @sum_of_rows(%x: tensor<?x4xf16>) -> tensor<4xf32> {
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: %[[SEED:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<4xf32>)
  // CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$LAST]]], iterator_types = ["reduction", "parallel"]}
  // CHECK-SAME: outs(%[[SEED]] : tensor<4xf32>)
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f16, %[[ACC:.*]]: f32):
  // CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[X]] : f16 to f32
  // CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[WIDE]], %[[ACC]] : f32
  // CHECK-NEXT: linalg.yield %[[NEXT]]
  // CHECK: return %[[SUM]]
  %0 = train.reduce sum %x dimensions [0] : (tensor<?x4xf16>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The count is an integer until it divides, and the rounding is a loop nest of its own.
// CHECK-LABEL: func.func @mean(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<?x4xf16>)
func.func @mean(%x: tensor<?x4xf16>) -> tensor<f16> {
  // CHECK: %[[ROWS:.*]] = tensor.dim %[[X]]
  // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "reduction"]
  // CHECK: %[[COUNT:.*]] = arith.muli %[[ROWS]], %{{.*}} : index
  // CHECK: %[[INTEGER:.*]] = arith.index_cast %[[COUNT]] : index to i64
  // CHECK: %[[DIVISOR:.*]] = arith.sitofp %[[INTEGER]] : i64 to f32
  // CHECK: linalg.generic {{.*}} ins(%[[SUM]] : tensor<f32>)
  // CHECK: %[[MEAN:.*]] = arith.divf %{{.*}}, %[[DIVISOR]] : f32
  // CHECK: arith.truncf %[[MEAN]] : f32 to f16
  %0 = train.reduce mean %x dimensions [0, 1] : (tensor<?x4xf16>) -> tensor<f16>
  return %0 : tensor<f16>
}

// CHECK-LABEL: func.func @max
func.func @max(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  // CHECK: arith.constant 0xFF800000 : f32
  // CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$FIRST]]], iterator_types = ["parallel", "reduction"]}
  // CHECK: arith.maximumf
  %0 = train.reduce max %x dimensions [1] : (tensor<?x4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @mean_gradient
func.func @mean_gradient(%g: tensor<?xf32>, %x: tensor<?x4xf16>, %y: tensor<?xf16>) -> tensor<?x4xf16> {
  // CHECK: linalg.generic {indexing_maps = [#[[$FIRST]], #[[$ID]]]
  // CHECK: arith.divf
  %0 = train.reduce_grad mean %g, %x, %y dimensions [1] : (tensor<?xf32>, tensor<?x4xf16>, tensor<?xf16>) -> tensor<?x4xf16>
  return %0 : tensor<?x4xf16>
}

// Elements are compared as the output was rounded, and share the gradient.
// CHECK-LABEL: func.func @max_gradient
func.func @max_gradient(%g: tensor<?xf32>, %x: tensor<?x4xf32>, %y: tensor<?xf16>) -> tensor<?x4xf32> {
  // CHECK: %[[COUNT:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  // CHECK: arith.cmpf oeq
  // CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$FIRST]], #[[$FIRST]], #[[$FIRST]], #[[$ID]]]
  // CHECK-SAME: %[[COUNT]]
  // CHECK: arith.divf
  // CHECK: arith.select
  %0 = train.reduce_grad max %g, %x, %y dimensions [1] : (tensor<?xf32>, tensor<?x4xf32>, tensor<?xf16>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
