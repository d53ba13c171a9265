// RUN: amp-opt %s --amp-cpu-strip-fast-math | FileCheck %s
// Without the flags nothing drops the rounding in the middle.
// RUN: amp-opt %s --amp-cpu-strip-fast-math --canonicalize | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: func @f
// CHECK-NOT: fastmath<{{[^n]}}
// KEPT-LABEL: func @f
// KEPT: arith.truncf
// KEPT: arith.extf
func.func @f(%x: f32, %y: vector<4xf32>) -> (f32, f32) {
  %0 = arith.truncf %x fastmath<contract> : f32 to f16
  %1 = arith.extf %0 fastmath<contract> : f16 to f32
  %2 = math.exp %1 fastmath<fast> : f32
  %3 = vector.reduction <add>, %y fastmath<reassoc> : vector<4xf32> into f32
  return %2, %3 : f32, f32
}
