// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=mincut' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=paint' --split-input-file | FileCheck %s

// A mask value that f16 does not hold keeps the sum in f32 (family J).
// CHECK-LABEL: func.func @mask
// CHECK: %[[DOT:.*]] = "stablehlo.dot_general"
// CHECK-NEXT: "stablehlo.add"(%[[DOT]], %{{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @mask(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %mask = "stablehlo.constant"() <{value = dense<-1.0e9> : tensor<4x4xf32>}> : () -> tensor<4x4xf32>
  %y = "stablehlo.dot_general"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = "stablehlo.add"(%y, %mask) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}

// -----

// One that it holds is rounded where it stands.
// CHECK-LABEL: func.func @fits
// CHECK: %[[C:.*]] = "stablehlo.constant"() <{value = dense<-1.000000e+04> : tensor<4x4xf16>}> : () -> tensor<4x4xf16>
// CHECK: %[[Y:.*]] = "stablehlo.dot_general"
// CHECK-NEXT: %[[LOW:.*]] = "stablehlo.convert"(%[[Y]])
// CHECK-NEXT: %[[Z:.*]] = "stablehlo.add"(%[[LOW]], %[[C]]) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
// CHECK: "stablehlo.dot_general"(%[[Z]], %[[Z]])
func.func @fits(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<-1.0e4> : tensor<4x4xf32>}> : () -> tensor<4x4xf32>
  %y = "stablehlo.dot_general"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = "stablehlo.add"(%y, %c) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %w = "stablehlo.dot_general"(%z, %z) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %w : tensor<4x4xf32>
}

// -----

// A clamp's bound at the largest f32 bounds nothing: it becomes infinite.
// CHECK-LABEL: func.func @relu
// CHECK: tosa.clamp %{{.*}} {max_val = 0x7C00 : f16, min_val = 0.000000e+00 : f16} : (tensor<1x4x4xf16>) -> tensor<1x4x4xf16>
func.func @relu(%x: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = tosa.matmul %x, %x, %zero, %zero : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %r = tosa.clamp %y {min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %z = tosa.matmul %r, %r, %zero, %zero : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  return %z : tensor<1x4x4xf32>
}

// -----

// Another one that does not fit is a bound.
// CHECK-LABEL: func.func @bounded
// CHECK: tosa.clamp %{{.*}} {max_val = 1.000000e+05 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
func.func @bounded(%x: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = tosa.matmul %x, %x, %zero, %zero : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %r = tosa.clamp %y {min_val = 0.0 : f32, max_val = 1.0e+5 : f32} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %z = tosa.matmul %r, %r, %zero, %zero : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  return %z : tensor<1x4x4xf32>
}

// -----

// The same where a maximum begins: the region goes low with it.
// CHECK-LABEL: func.func @max
// CHECK: "stablehlo.constant"() <{value = dense<0xFC00> : tensor<f16>}> : () -> tensor<f16>
// CHECK: "stablehlo.reduce"
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f16>, %[[B:.*]]: tensor<f16>):
// CHECK-NEXT: "stablehlo.maximum"(%[[A]], %[[B]]) : (tensor<f16>, tensor<f16>) -> tensor<f16>
// CHECK: (tensor<4x4xf16>, tensor<f16>) -> tensor<4xf16>
func.func @max(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %lowest = "stablehlo.constant"() <{value = dense<-3.40282347E+38> : tensor<f32>}> : () -> tensor<f32>
  %y = "stablehlo.dot_general"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = "stablehlo.reduce"(%y, %lowest) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%0) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %z = "stablehlo.dot_general"(%m, %x) : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// Data that are not there are cast when the graph runs.
// CHECK-LABEL: func.func @elided
// CHECK: %[[C:.*]] = arith.constant dense_resource<__elided__> : tensor<4x4xf32>
// CHECK-NEXT: arith.truncf %[[C]] : tensor<4x4xf32> to tensor<4x4xf16>
func.func @elided(%x: tensor<4x4xf32>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant dense_resource<__elided__> : tensor<4x4xf32>
  %y = linalg.matmul ins(%x, %c : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
