// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=mincut' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=paint' --split-input-file | FileCheck %s

// Positions up to 4095 are not all numbers of f16: the angles that are made of them stay f32, also in a contraction
// (family N).
// CHECK-LABEL: func.func @rotary
// CHECK: "stablehlo.iota"
// CHECK-NEXT: "stablehlo.dot_general"(%{{.*}}) : (tensor<4096x1xf32>, tensor<1x4xf32>) -> tensor<4096x4xf32>
// CHECK-NEXT: "stablehlo.sine"
// CHECK: "stablehlo.convert"(%{{.*}}) : (tensor<4096x4xf32>) -> tensor<4096x4xf16>
// CHECK: "stablehlo.dot_general"(%{{.*}}) : (tensor<4096x4xf16>, tensor<4x4xf16>) -> tensor<4096x4xf32>
func.func @rotary(%frequencies: tensor<1x4xf32>, %w: tensor<4x4xf32>) -> tensor<4096x4xf32> {
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4096x1xf32>
  %angles = "stablehlo.dot_general"(%i, %frequencies) : (tensor<4096x1xf32>, tensor<1x4xf32>) -> tensor<4096x4xf32>
  %s = "stablehlo.sine"(%angles) : (tensor<4096x4xf32>) -> tensor<4096x4xf32>
  %z = "stablehlo.dot_general"(%s, %w) : (tensor<4096x4xf32>, tensor<4x4xf32>) -> tensor<4096x4xf32>
  return %z : tensor<4096x4xf32>
}

// -----

// Up to 1023 they are.
// CHECK-LABEL: func.func @few
// CHECK: "stablehlo.dot_general"(%{{.*}}) : (tensor<1024x1xf16>, tensor<1x4xf16>) -> tensor<1024x4xf32>
func.func @few(%frequencies: tensor<1x4xf32>) -> tensor<1024x4xf32> {
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<1024x1xf32>
  %angles = "stablehlo.dot_general"(%i, %frequencies) : (tensor<1024x1xf32>, tensor<1x4xf32>) -> tensor<1024x4xf32>
  return %angles : tensor<1024x4xf32>
}

// -----

// Integers of 32 bits may be anything, those of 8 bits and truth values may not.
// CHECK-LABEL: func.func @integers
// CHECK: arith.sitofp %{{.*}} : tensor<4x4xi32> to tensor<4x4xf32>
// CHECK: linalg.matmul ins(%{{.*}} : tensor<4x4xf32>, tensor<4x4xf32>)
// CHECK: linalg.matmul ins(%{{.*}} : tensor<4x4xf16>, tensor<4x4xf16>)
// CHECK: linalg.matmul ins(%{{.*}} : tensor<4x4xf16>, tensor<4x4xf16>)
func.func @integers(%i: tensor<4x4xi32>, %j: tensor<4x4xi8>, %k: tensor<4x4xi1>, %w: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = arith.sitofp %i : tensor<4x4xi32> to tensor<4x4xf32>
  %1 = arith.sitofp %j : tensor<4x4xi8> to tensor<4x4xf32>
  %2 = arith.uitofp %k : tensor<4x4xi1> to tensor<4x4xf32>
  %3 = linalg.matmul ins(%0, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = linalg.matmul ins(%1, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = linalg.matmul ins(%2, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3, %4, %5 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// No other type is touched (family U).
// CHECK-LABEL: func.func @other_types
// CHECK-NOT: amp.
// CHECK: "stablehlo.dot_general"(%{{.*}}) : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
// CHECK-NEXT: "stablehlo.dot_general"(%{{.*}}) : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
// CHECK-NEXT: "stablehlo.dot_general"(%{{.*}}) : (tensor<4x4xf8E4M3FN>, tensor<4x4xf8E4M3FN>) -> tensor<4x4xf32>
// CHECK-NEXT: "stablehlo.dot_general"(%{{.*}}) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xf32>
// CHECK-NEXT: "stablehlo.bitcast_convert"(%{{.*}}) : (tensor<4x4xf32>) -> tensor<4x4xi32>
func.func @other_types(%a: tensor<4x4xf64>, %b: tensor<4x4xcomplex<f32>>, %c: tensor<4x4xf8E4M3FN>, %d: tensor<4x4xbf16>) -> tensor<4x4xi32> {
  %0 = "stablehlo.dot_general"(%a, %a) : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %1 = "stablehlo.dot_general"(%b, %b) : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  %2 = "stablehlo.dot_general"(%c, %c) : (tensor<4x4xf8E4M3FN>, tensor<4x4xf8E4M3FN>) -> tensor<4x4xf32>
  %3 = "stablehlo.dot_general"(%d, %d) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xf32>
  %4 = "stablehlo.bitcast_convert"(%3) : (tensor<4x4xf32>) -> tensor<4x4xi32>
  return %4 : tensor<4x4xi32>
}
