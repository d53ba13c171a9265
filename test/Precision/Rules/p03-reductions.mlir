// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=mincut' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=paint' --split-input-file | FileCheck %s

// A sum over all elements is f32, what it reads is widened (family M); a maximum is of the type that it reads.
// CHECK-LABEL: func.func @sum
// CHECK: %[[Y:.*]] = "stablehlo.dot_general"
// CHECK: "stablehlo.reduce"(%[[Y]], %{{.*}}) <{dimensions = array<i64: 1>}> ({
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>):
// CHECK: }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
func.func @sum(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %y = "stablehlo.dot_general"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = "stablehlo.reduce"(%y, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%0) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %z = "stablehlo.dot_general"(%s, %x) : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @max
// CHECK: tosa.reduce_max %{{.*}} {axis = 1 : i32} : (tensor<1x4x4xf16>) -> tensor<1x1x4xf16>
func.func @max(%x: tensor<1x4x4xf32>) -> tensor<1x1x4xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = tosa.matmul %x, %x, %zero, %zero : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %m = tosa.reduce_max %y {axis = 1 : i32} : (tensor<1x4x4xf32>) -> tensor<1x1x4xf32>
  %z = tosa.matmul %m, %x, %zero, %zero : (tensor<1x1x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x4xf32>
  return %z : tensor<1x1x4xf32>
}

// -----

// A reduction in linalg reads low numbers and widens them in its body; its accumulator is f32.
// CHECK-LABEL: func.func @generic_sum
// CHECK: %[[R:.*]] = arith.maximumf %{{.*}} : tensor<4x4xf16>
// CHECK: linalg.generic {{.*}} ins(%[[R]] : tensor<4x4xf16>) outs(%{{.*}} : tensor<4xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f16, %[[B:.*]]: f32):
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[A]] : f16 to f32
// CHECK-NEXT: arith.addf %[[WIDE]], %[[B]] : f32
func.func @generic_sum(%x: tensor<4x4xf32>, %init: tensor<4x4xf32>, %zeros: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = arith.maximumf %y, %zero : tensor<4x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%r : tensor<4x4xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %z = linalg.matmul ins(%r, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %s, %z : tensor<4xf32>, tensor<4x4xf32>
}

// -----

// What selects and sums leaves its op in f32, so that where types do not mix it reads f32 too.
// CHECK-LABEL: func.func @select_and_scatter
// CHECK: "stablehlo.select_and_scatter"
// CHECK: }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
func.func @select_and_scatter(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %y = "stablehlo.dot_general"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %n = "stablehlo.negate"(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %g = "stablehlo.dot_general"(%n, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = "stablehlo.select_and_scatter"(%n, %g, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = "stablehlo.compare"(%a, %b) <{comparison_direction = "GE"}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%0) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%0) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %z = "stablehlo.dot_general"(%s, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}
