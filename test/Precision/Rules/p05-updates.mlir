// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=mincut' --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp='dtype=f16 strategy=paint' --split-input-file | FileCheck %s

// A training step from outside: the weight that goes in comes out less a scaled product. The update and the loss are
// f32, all three products are not (families L and O).
// CHECK-LABEL: func.func @step
// CHECK: %[[Y:.*]] = "stablehlo.dot_general"(%{{.*}}) : (tensor<8x4xf16>, tensor<4x2xf16>) -> tensor<8x2xf32>
// CHECK-NOT: f16
// CHECK: "stablehlo.exponential"
// CHECK: %[[DY:.*]] = "stablehlo.subtract"(%{{.*}}) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
// CHECK: %[[DW:.*]] = "stablehlo.dot_general"(%{{.*}}) {{.*}}: (tensor<8x4xf16>, tensor<8x2xf16>) -> tensor<4x2xf32>
// CHECK-NOT: f16
// CHECK: %[[SCALED:.*]] = "stablehlo.multiply"(%[[DW]], %{{.*}}) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: "stablehlo.subtract"(%arg1, %[[SCALED]]) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
func.func @step(%x: tensor<8x4xf32>, %w: tensor<4x2xf32>, %t: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %rate = "stablehlo.constant"() <{value = dense<0.125> : tensor<4x2xf32>}> : () -> tensor<4x2xf32>
  %y = "stablehlo.dot_general"(%x, %w) : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %n = "stablehlo.negate"(%y) : (tensor<8x2xf32>) -> tensor<8x2xf32>
  %e = "stablehlo.exponential"(%n) : (tensor<8x2xf32>) -> tensor<8x2xf32>
  %dy = "stablehlo.subtract"(%e, %t) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
  %dw = "stablehlo.dot_general"(%x, %dy) <{transposed}> : (tensor<8x4xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %u = "stablehlo.multiply"(%dw, %rate) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %w1 = "stablehlo.subtract"(%w, %u) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %w1 : tensor<4x2xf32>
}

// -----

// The same in a loop: what goes around is updated.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for {{.*}} iter_args(%[[W:.*]] = %{{.*}}) -> (tensor<4x4xf32>)
// CHECK: %[[DW:.*]] = linalg.matmul ins(%{{.*}} : tensor<4x4xf16>, tensor<4x4xf16>) outs(%{{.*}} : tensor<4x4xf32>)
// CHECK-NEXT: %[[U:.*]] = arith.mulf %[[DW]], %{{.*}} : tensor<4x4xf32>
// CHECK-NEXT: arith.subf %[[W]], %[[U]] : tensor<4x4xf32>
func.func @loop(%n: index, %x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %rate = arith.constant dense<0.125> : tensor<4x4xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %w) -> tensor<4x4xf32> {
    %y = linalg.matmul ins(%x, %v : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
    %u = arith.mulf %y, %rate : tensor<4x4xf32>
    %w1 = arith.subf %v, %u : tensor<4x4xf32>
    scf.yield %w1 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// -----

// A residual connection adds a product to what goes in, but nothing scaled: it is none.
// CHECK-LABEL: func.func @residual
// CHECK: "stablehlo.add"(%{{.*}}) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
func.func @residual(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %y = "stablehlo.dot_general"(%x, %w) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %z = "stablehlo.add"(%x, %y) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %v = "stablehlo.dot_general"(%z, %z) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %z, %v : tensor<8x8xf32>, tensor<8x8xf32>
}
