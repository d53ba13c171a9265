// RUN: amp-opt %s --amp-convert-train-to-linalg | FileCheck %s

// One read per gradient: only if its sum of squares is not finite is it read again.
// CHECK-LABEL: func.func @check_gradients(
// CHECK-SAME: %[[A:[^ ]*]]: tensor<4x8xf16>, %[[B:[^ ]*]]: tensor<8xf32>, %[[SCALE:[^ ]*]]: tensor<f32>)
func.func @check_gradients(%a: tensor<4x8xf16>, %b: tensor<8xf32>, %s: tensor<f32>) -> (tensor<i1>, tensor<2xi1>, tensor<f32>) {
  // CHECK: arith.divf %{{.*}}, %{{.*}} : f64
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  %inv = amp.inverse_scale %s : (tensor<f32>) -> tensor<f32>
  // CHECK: %[[SQUARES:.*]] = linalg.generic {{.*}} ["reduction", "reduction"]} ins(%[[A]] : tensor<4x8xf16>)
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: %[[SUM:.*]] = tensor.extract %[[SQUARES]][]
  // CHECK: %[[SIZE:.*]] = math.absf %[[SUM]]
  // CHECK: %[[FINITE:.*]] = arith.cmpf olt, %[[SIZE]]
  // CHECK: scf.if %[[FINITE]]
  // CHECK: } else {
  // CHECK: linalg.generic {{.*}} ins(%[[A]] : tensor<4x8xf16>)
  // CHECK: math.absf
  // CHECK: arith.maximumf
  // CHECK: linalg.generic {{.*}} ["reduction"]} ins(%[[B]] : tensor<8xf32>)
  // CHECK: arith.ori
  // CHECK: tensor.from_elements %{{.*}} : tensor<i1>
  // CHECK: tensor.from_elements %{{.*}}, %{{.*}} : tensor<2xi1>
  // CHECK: math.sqrt
  %finite, %nonfinite, %norm = amp.check_gradients %a, %b by %inv
      : (tensor<4x8xf16>, tensor<8xf32>, tensor<f32>) -> (tensor<i1>, tensor<2xi1>, tensor<f32>)
  return %finite, %nonfinite, %norm : tensor<i1>, tensor<2xi1>, tensor<f32>
}

// Factors are f64, the product is rounded once, and a scale grows only to a finite number.
// CHECK-LABEL: func.func @update_scale
func.func @update_scale(%finite: tensor<i1>, %s: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
  // CHECK: %[[BACKOFF:.*]] = arith.constant 5.000000e-01 : f64
  // CHECK: %[[SMALLER:.*]] = arith.mulf %{{.*}}, %[[BACKOFF]] : f64
  // CHECK: %[[ROUNDED:.*]] = arith.truncf %[[SMALLER]] : f64 to f32
  // CHECK: arith.maximumf %[[ROUNDED]]
  // CHECK: %[[GROWTH:.*]] = arith.constant 2.000000e+00 : f64
  // CHECK: %[[LARGER:.*]] = arith.mulf %{{.*}}, %[[GROWTH]] : f64
  // CHECK: %[[GROWN:.*]] = arith.truncf %[[LARGER]] : f64 to f32
  // CHECK: math.absf %[[GROWN]]
  // CHECK: arith.minimumf
  %0, %1, %2, %3, %4 = amp.update_scale %finite, %s, %n, %n, %n, %n
      {growth_factor = 2.0 : f64, backoff_factor = 0.5 : f64, growth_interval = 2000 : i32, hysteresis = 1 : i32,
       min_scale = 1.0 : f32, max_scale = 1024.0 : f32}
      : (tensor<i1>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> (tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @global_norm
func.func @global_norm(%a: tensor<4x8xf16>, %b: tensor<8xf32>) -> tensor<f32> {
  // CHECK: linalg.generic {{.*}} ["reduction", "reduction"]
  // CHECK: linalg.generic {{.*}} ["reduction"]
  // CHECK: math.sqrt
  %0 = train.global_norm %a, %b : (tensor<4x8xf16>, tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
