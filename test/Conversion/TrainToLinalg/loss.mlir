// RUN: amp-opt %s --amp-convert-train-to-linalg | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<?x8xf16>)
func.func @softmax(%x: tensor<?x8xf16>) -> tensor<?x8xf16> {
  // CHECK: %[[MAX:.*]] = linalg.generic {{.*}} ["parallel", "reduction"]} ins(%[[X]] : tensor<?x8xf16>)
  // CHECK: arith.maximumf
  // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ["parallel", "reduction"]} ins(%[[X]], %[[MAX]] :
  // CHECK: arith.subf
  // CHECK: math.exp
  // CHECK: arith.addf
  // CHECK: linalg.generic {{.*}} ["parallel", "parallel"]} ins(%[[X]], %[[MAX]], %[[SUM]] :
  // CHECK: math.exp
  // CHECK: arith.divf
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  %0 = train.softmax %x : (tensor<?x8xf16>) -> tensor<?x8xf16>
  return %0 : tensor<?x8xf16>
}

// Loss and gradient share the statistics of a row.
// CHECK-LABEL: func.func @cross_entropy(
// CHECK-SAME: %[[G:[^ ]*]]: tensor<f32>, %[[X:[^ ]*]]: tensor<?x8xf32>, %[[L:[^ ]*]]: tensor<?xi64>)
func.func @cross_entropy(%g: tensor<f32>, %x: tensor<?x8xf32>, %l: tensor<?xi64>) -> (tensor<f32>, tensor<?x8xf32>) {
  // CHECK: %[[MAX:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<?x8xf32>)
  // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[MAX]] :
  // CHECK: %[[CHOSEN:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$ROW]], #[[$ROW]], #[[$ROW]]]
  // CHECK-SAME: ["parallel", "reduction"]} ins(%[[X]], %[[MAX]], %[[L]] :
  // CHECK: linalg.index 1
  // CHECK: arith.cmpi eq, %{{.*}}, %{{.*}} : i64
  // CHECK: %[[TOTAL:.*]] = linalg.generic {{.*}} ["reduction"]} ins(%[[SUM]], %[[CHOSEN]], %[[L]] :
  // CHECK: math.log
  // CHECK: arith.cmpi ult
  // CHECK: tensor.extract %[[TOTAL]][]
  // CHECK: arith.divf
  // CHECK: tensor.from_elements
  %0 = train.cross_entropy %x, %l : (tensor<?x8xf32>, tensor<?xi64>) -> tensor<f32>
  // CHECK-NOT: maximumf
  // CHECK: linalg.generic {{.*}} ["parallel", "parallel"]} ins(%[[X]], %[[MAX]], %[[SUM]], %[[L]] :
  %1 = train.cross_entropy_grad %g, %x, %l : (tensor<f32>, tensor<?x8xf32>, tensor<?xi64>) -> tensor<?x8xf32>
  return %0, %1 : tensor<f32>, tensor<?x8xf32>
}

// Unsigned labels get signless bits once; narrow ones are compared as i32.
// CHECK-LABEL: func.func @unsigned_labels(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<?x8xf32>, %[[L:[^ ]*]]: tensor<?xui8>)
func.func @unsigned_labels(%x: tensor<?x8xf32>, %l: tensor<?xui8>) -> (tensor<f32>, tensor<f32>) {
  // CHECK: %[[SIGNLESS:.*]] = linalg.generic {{.*}} ins(%[[L]] : tensor<?xui8>) outs(%{{.*}} : tensor<?xi8>)
  // CHECK: builtin.unrealized_conversion_cast %{{.*}} : ui8 to i8
  // CHECK-NOT: unrealized_conversion_cast
  // CHECK: linalg.generic {{.*}} ins(%[[X]], %{{.*}}, %[[SIGNLESS]] :
  // CHECK: arith.extui %{{.*}} : i8 to i32
  // CHECK: arith.cmpi slt
  %0 = train.accuracy %x, %l : (tensor<?x8xf32>, tensor<?xui8>) -> tensor<f32>
  // CHECK: linalg.generic {{.*}} ins(%[[X]], %{{.*}}, %[[SIGNLESS]] :
  %1 = train.cross_entropy %x, %l : (tensor<?x8xf32>, tensor<?xui8>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @mse
func.func @mse(%g: tensor<f32>, %y: tensor<?x8xf16>, %t: tensor<?x8xf32>) -> (tensor<f32>, tensor<?x8xf32>) {
  // CHECK: linalg.generic {{.*}} ["reduction", "reduction"]
  // CHECK: %[[ERROR:.*]] = arith.subf
  // CHECK: arith.mulf %[[ERROR]], %[[ERROR]] : f32
  %0 = train.mse %y, %t : (tensor<?x8xf16>, tensor<?x8xf32>) -> tensor<f32>
  // CHECK: tensor.from_elements
  // The factor is one number: 2 grad / N.
  // CHECK: %[[FACTOR:.*]] = arith.divf
  // CHECK: linalg.generic {{.*}} ["parallel", "parallel"]
  // CHECK: %[[DIFFERENCE:.*]] = arith.subf
  // CHECK: arith.mulf %[[FACTOR]], %[[DIFFERENCE]] : f32
  %1 = train.mse_grad %g, %y, %t : (tensor<f32>, tensor<?x8xf16>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0, %1 : tensor<f32>, tensor<?x8xf32>
}
