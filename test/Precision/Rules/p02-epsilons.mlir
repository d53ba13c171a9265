// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=mincut' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=paint' --split-input-file | FileCheck %s

// Where all is low that no rule holds, only this one keeps the divisor from being rounded to zero.
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 level=O2' --split-input-file | FileCheck %s

// x / (y + 1e-5): f16 holds 1e-5 only as a subnormal number, so the sum and the quotient stay f32 (family K).
// CHECK-LABEL: func.func @divide
// CHECK: arith.addf %{{.*}} : tensor<4x4xf32>
// CHECK: arith.divf %{{.*}} : tensor<4x4xf32>
func.func @divide(%x: tensor<4x4xf32>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %eps = arith.constant dense<1.0e-5> : tensor<4x4xf32>
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = arith.addf %y, %eps : tensor<4x4xf32>
  %q = arith.divf %y, %s : tensor<4x4xf32>
  %z = linalg.matmul ins(%q, %q : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}

// -----

// A constant that is a normal number in f16 is none of these.
// CHECK-LABEL: func.func @divide_by_more
// CHECK: arith.addf %{{.*}} : tensor<4x4xf16>
// CHECK: arith.divf %{{.*}} : tensor<4x4xf16>
func.func @divide_by_more(%x: tensor<4x4xf32>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %eps = arith.constant dense<1.0e-3> : tensor<4x4xf32>
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = arith.addf %y, %eps : tensor<4x4xf32>
  %q = arith.divf %y, %s : tensor<4x4xf32>
  %z = linalg.matmul ins(%q, %q : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}

// -----

// Through a broadcast, with a maximum in place of the sum.
// CHECK-LABEL: func.func @maximum
// CHECK: "stablehlo.maximum"(%{{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK: "stablehlo.divide"(%{{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @maximum(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<1.0e-6> : tensor<f32>}> : () -> tensor<f32>
  %eps = "stablehlo.broadcast_in_dim"(%c) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32>
  %y = "stablehlo.dot_general"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = "stablehlo.maximum"(%y, %eps) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %q = "stablehlo.divide"(%y, %m) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = "stablehlo.dot_general"(%q, %q) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}
