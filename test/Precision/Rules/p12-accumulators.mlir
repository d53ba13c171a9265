// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=mincut' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=paint' --split-input-file | FileCheck %s

// A product accumulates in f32 and gives f32, whoever lowers it; a cast that follows makes it low.
// CHECK-LABEL: func.func @linalg
// CHECK: %[[Y:.*]] = linalg.matmul ins(%{{.*}} : tensor<4x4xf16>, tensor<4x4xf16>) outs(%{{.*}} : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %[[LOW:.*]] = arith.truncf %[[Y]]
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[LOW]] : tensor<4x4xf16>
// CHECK: linalg.generic {{.*}} ins(%[[N]], %[[N]] : tensor<4x4xf16>, tensor<4x4xf16>) outs(%{{.*}} : tensor<4x4xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f16, %[[B:.*]]: f16, %[[C:.*]]: f32):
// CHECK-DAG: %[[A32:.*]] = arith.extf %[[A]] : f16 to f32
// CHECK-DAG: %[[B32:.*]] = arith.extf %[[B]] : f16 to f32
// CHECK: %[[P:.*]] = arith.mulf %[[A32]], %[[B32]] : f32
// CHECK-NEXT: arith.addf %[[C]], %[[P]] : f32
func.func @linalg(%x: tensor<4x4xf32>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  %n = arith.negf %y : tensor<4x4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%n, %n : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}

// -----

// Where the op says in which type it accumulates, its result may be low.
// CHECK-LABEL: func.func @tosa
// CHECK: tosa.conv2d %{{.*}} {acc_type = f32, {{.*}}} : (tensor<1x4x4x2xf16>, tensor<2x1x1x2xf16>, tensor<2xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x4x4x2xf16>
// CHECK: tosa.avg_pool2d %{{.*}} {acc_type = f32, {{.*}}} : (tensor<1x4x4x2xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x2x2x2xf16>
func.func @tosa(%x: tensor<1x4x4x2xf32>, %w: tensor<2x1x1x2xf32>, %b: tensor<2xf32>) -> tensor<1x2x2x2xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = tosa.conv2d %x, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
  %p = tosa.avg_pool2d %y, %zero, %zero {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x2xf32>
  %z = tosa.conv2d %p, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x2xf32>
  return %z : tensor<1x2x2x2xf32>
}
