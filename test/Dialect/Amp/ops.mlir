// RUN: amp-opt %s | amp-opt | FileCheck %s
// RUN: amp-opt %s --mlir-print-op-generic | amp-opt | FileCheck %s
// RUN: amp-opt %s --emit-bytecode | amp-opt | FileCheck %s
// RUN: amp-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @cast
func.func @cast(%x: tensor<?x8xf32>, %s: tensor<f64>) -> (tensor<?x8xf16>, tensor<bf16>) {
  // CHECK: amp.cast %{{.*}} : tensor<?x8xf32> to tensor<?x8xf16>
  %0 = amp.cast %x : tensor<?x8xf32> to tensor<?x8xf16>
  // CHECK: amp.cast %{{.*}} : tensor<f64> to tensor<bf16>
  %1 = amp.cast %s : tensor<f64> to tensor<bf16>
  return %0, %1 : tensor<?x8xf16>, tensor<bf16>
}

// Widening is exact, so that narrowing takes it back.
// FOLD-LABEL: func.func @narrow_of_widen
// FOLD-SAME: (%[[X:.*]]: tensor<4xf16>)
// FOLD-NEXT: return %[[X]]
func.func @narrow_of_widen(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = amp.cast %x : tensor<4xf16> to tensor<4xf32>
  %1 = amp.cast %0 : tensor<4xf32> to tensor<4xf16>
  return %1 : tensor<4xf16>
}

// Near misses: narrowing rounds, and stays.
// FOLD-LABEL: func.func @widen_of_narrow
// FOLD-COUNT-2: amp.cast
func.func @widen_of_narrow(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.cast %x : tensor<4xf32> to tensor<4xf16>
  %1 = amp.cast %0 : tensor<4xf16> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// FOLD-LABEL: func.func @through_other_half
// FOLD-COUNT-2: amp.cast
func.func @through_other_half(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = amp.cast %x : tensor<4xf16> to tensor<4xbf16>
  %1 = amp.cast %0 : tensor<4xbf16> to tensor<4xf16>
  return %1 : tensor<4xf16>
}

// CHECK-LABEL: func.func @update
func.func @update(%s: tensor<f32>, %g: tensor<i32>, %h: tensor<i32>, %c: tensor<i32>, %t: tensor<i32>,
                  %dw: tensor<8x4xf16>, %db: tensor<4xf32>) -> tensor<2xi1> {
  // CHECK: %[[INV:.*]] = amp.inverse_scale %{{.*}} : (tensor<f32>) -> tensor<f32>
  %inv = amp.inverse_scale %s : (tensor<f32>) -> tensor<f32>
  // CHECK: %[[FINITE:.*]], %{{.*}}, %{{.*}} = amp.check_gradients %{{.*}}, %{{.*}} by %[[INV]] : (tensor<8x4xf16>, tensor<4xf32>, tensor<f32>) -> (tensor<i1>, tensor<2xi1>, tensor<f32>)
  %finite, %nonfinite, %norm = amp.check_gradients %dw, %db by %inv
      : (tensor<8x4xf16>, tensor<4xf32>, tensor<f32>) -> (tensor<i1>, tensor<2xi1>, tensor<f32>)
  // CHECK: amp.guarded %[[FINITE]] : tensor<i1> {
  amp.guarded %finite : tensor<i1> {
    // CHECK-NEXT: %[[G:.*]] = amp.unscale %{{.*}} by %[[INV]] : (tensor<8x4xf16>, tensor<f32>) -> tensor<8x4xf32>
    %u = amp.unscale %dw by %inv : (tensor<8x4xf16>, tensor<f32>) -> tensor<8x4xf32>
    // CHECK-NEXT: train.clip %[[G]]
    %clipped = train.clip %u norm %norm {max_norm = 1.0 : f64} : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  }
  // CHECK: amp.update_scale %[[FINITE]], %{{.*}} {backoff_factor = 5.000000e-01 : f64, growth_factor = 2.000000e+00 : f64, growth_interval = 2000 : i32, hysteresis = 1 : i32, max_scale = 6.553600e+04 : f32, min_scale = 1.000000e+00 : f32}
  %s1, %g1, %h1, %c1, %t1 = amp.update_scale %finite, %s, %g, %h, %c, %t
      {growth_factor = 2.0 : f64, backoff_factor = 5.0e-1 : f64, growth_interval = 2000 : i32, hysteresis = 1 : i32,
       min_scale = 1.0 : f32, max_scale = 65536.0 : f32}
      : (tensor<i1>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> (tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return %nonfinite : tensor<2xi1>
}

// CHECK-LABEL: func.func @assert
// FOLD-LABEL: func.func @assert
func.func @assert(%ok: i1, %n: index) {
  %true = arith.constant true
  %false = arith.constant false
  // CHECK: amp.assert %{{.*}}, "has {braces} and size {0}"(%{{.*}})
  // FOLD-NEXT: %[[FALSE:.*]] = arith.constant false
  // FOLD-NEXT: amp.assert %{{.*}}, "has {braces}
  amp.assert %ok, "has {braces} and size {0}"(%n)
  // CHECK: amp.assert %true, "holds"
  amp.assert %true, "holds"
  // CHECK: amp.assert %false, "fails"
  // FOLD-NEXT: amp.assert %[[FALSE]], "fails"
  // FOLD-NEXT: return
  amp.assert %false, "fails"
  return
}
