// RUN: amp-opt %s --amp-cpu-expand-math | FileCheck %s
// RUN: amp-opt %s --amp-cpu-expand-math | FileCheck %s --check-prefix=FLAGS

// No flag, and nothing of a fast approximation.
// FLAGS-NOT: fastmath
// FLAGS-NOT: math.{{exp|log|tanh|erf|rsqrt|powf}}

// CHECK-LABEL: func @exp
// CHECK-SAME: (%[[X:.*]]: f32)
func.func @exp(%x: f32) -> f32 {
  // A NaN passes both bounds.
  // CHECK: arith.cmpf olt, %[[X]], %[[LOW:.*]] : f32
  // CHECK: arith.select %{{.*}}, %[[LOW]], %[[X]]
  // x / ln(2), rounded to an integer by adding 1.5 * 2^23
  // CHECK: math.fma %{{.*}}, %{{.*}}, %[[MAGIC:.*]] : f32
  // CHECK: arith.subf %{{.*}}, %[[MAGIC]]
  // CHECK-COUNT-7: math.fma
  // CHECK: arith.addf
  // 2^n in two steps
  // CHECK: arith.shrsi
  // CHECK: arith.mulf
  // CHECK: arith.mulf
  %0 = math.exp %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @vector
func.func @vector(%x: vector<16xf32>) -> vector<16xf32> {
  // CHECK: math.fma {{.*}} : vector<16xf32>
  // CHECK-NOT: math.tanh
  %0 = math.tanh %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func @rsqrt
func.func @rsqrt(%x: f64) -> f64 {
  // CHECK: %[[R:.*]] = math.sqrt
  // CHECK: arith.divf %{{.*}}, %[[R]] : f64
  %0 = math.rsqrt %x : f64
  return %0 : f64
}

// Rarer functions on f32 are computed in f64.
// CHECK-LABEL: func @log1p
func.func @log1p(%x: f32) -> f32 {
  // CHECK: arith.extf %{{.*}} : f32 to f64
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  %0 = math.log1p %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @stays
func.func @stays(%x: f32) -> f32 {
  // CHECK-NEXT: math.sqrt
  // CHECK-NEXT: math.floor
  // CHECK-NEXT: math.sin
  %0 = math.sqrt %x : f32
  %1 = math.floor %0 : f32
  %2 = math.sin %1 : f32
  return %2 : f32
}
