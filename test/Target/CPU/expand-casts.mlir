// RUN: amp-opt %s --amp-cpu-expand-casts --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @f32_to_bf16
// CHECK-SAME: (%[[X:.*]]: f32)
func.func @f32_to_bf16(%x: f32) -> bf16 {
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[X]] : f32 to i32
  // CHECK: %[[UPPER:.*]] = arith.shrui %[[BITS]]
  // CHECK: %[[ODD:.*]] = arith.andi %[[UPPER]]
  // CHECK: %[[BIAS:.*]] = arith.addi %[[ODD]]
  // CHECK: %[[SUM:.*]] = arith.addi %[[BITS]], %[[BIAS]]
  // CHECK: %[[ROUNDED:.*]] = arith.shrui %[[SUM]]
  // CHECK: %[[QUIET:.*]] = arith.ori %[[UPPER]]
  // CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
  // CHECK: %[[R:.*]] = arith.select %[[NAN]], %[[QUIET]], %[[ROUNDED]]
  // CHECK: %[[T:.*]] = arith.trunci %[[R]] : i32 to i16
  // CHECK: arith.bitcast %[[T]] : i16 to bf16
  // CHECK-NOT: truncf
  %0 = arith.truncf %x : f32 to bf16
  return %0 : bf16
}

// CHECK-LABEL: func @bf16_to_f32
func.func @bf16_to_f32(%x: vector<16xbf16>) -> vector<16xf32> {
  // CHECK: arith.bitcast %{{.*}} : vector<16xbf16> to vector<16xi16>
  // CHECK: arith.extui %{{.*}} : vector<16xi16> to vector<16xi32>
  // CHECK: arith.shli
  // CHECK: arith.bitcast %{{.*}} : vector<16xi32> to vector<16xf32>
  %0 = arith.extf %x : vector<16xbf16> to vector<16xf32>
  return %0 : vector<16xf32>
}

// f16 has the same conversions everywhere.
// CHECK-LABEL: func @f16_stays
func.func @f16_stays(%x: f64, %y: f16) -> (f16, f32) {
  // CHECK: arith.truncf %{{.*}} : f64 to f16
  // CHECK: arith.extf %{{.*}} : f16 to f32
  %0 = arith.truncf %x : f64 to f16
  %1 = arith.extf %y : f16 to f32
  return %0, %1 : f16, f32
}

// CHECK-LABEL: func @arithmetic_in_f32
// CHECK-SAME: (%[[X:.*]]: f16, %[[Y:.*]]: f16)
func.func @arithmetic_in_f32(%x: f16, %y: f16) -> f16 {
  // CHECK-DAG: %[[XW:.*]] = arith.extf %[[X]] : f16 to f32
  // CHECK-DAG: %[[YW:.*]] = arith.extf %[[Y]] : f16 to f32
  // CHECK: %[[S:.*]] = arith.addf %[[XW]], %[[YW]] : f32
  // CHECK: %[[H:.*]] = arith.truncf %[[S]] : f32 to f16
  // CHECK: %[[HW:.*]] = arith.extf %[[H]] : f16 to f32
  // CHECK: %[[E:.*]] = math.exp %[[HW]] : f32
  // CHECK: arith.truncf %[[E]] : f32 to f16
  %0 = arith.addf %x, %y : f16
  %1 = math.exp %0 : f16
  return %1 : f16
}

// CHECK-LABEL: func @comparison
func.func @comparison(%x: f16, %y: f16) -> i1 {
  // CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : f32
  %0 = arith.cmpf olt, %x, %y : f16
  return %0 : i1
}

// Signs are bits.
// CHECK-LABEL: func @signs
func.func @signs(%c: i1, %x: bf16, %y: bf16, %z: f16) -> (bf16, f16) {
  // CHECK: arith.xori %{{.*}} : i16
  // CHECK: arith.andi %{{.*}} : i16
  // CHECK: arith.andi %{{.*}} : i16
  // CHECK: arith.andi %{{.*}} : i16
  // CHECK: arith.ori %{{.*}} : i16
  // CHECK: arith.negf %{{.*}} : f16
  // CHECK: arith.select %{{.*}} : bf16
  %0 = arith.negf %x : bf16
  %1 = math.absf %0 : bf16
  %2 = math.copysign %1, %y : bf16
  %3 = arith.negf %z : f16
  %4 = arith.select %c, %2, %y : bf16
  return %4, %3 : bf16, f16
}

// CHECK-LABEL: func @small_integer
func.func @small_integer(%x: i8) -> f16 {
  // CHECK: arith.sitofp %{{.*}} : i8 to f32
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  %0 = arith.sitofp %x : i8 to f16
  return %0 : f16
}

// -----

func.func @rounding_mode(%x: f32) -> bf16 {
  // expected-error @below {{rounds toward_zero into 'bf16', which this target cannot; use to_nearest_even, the default}}
  %0 = arith.truncf %x toward_zero : f32 to bf16
  return %0 : bf16
}
