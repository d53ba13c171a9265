// RUN: amp-opt %s --amp-cpu-expand-math --verify-diagnostics --remarks-filter="amp-cpu" \
// RUN:   --remark-format=emitRemark

func.func @library(%x: f32) -> f32 {
  // expected-remark @below {{'math.sin' is a call of the C library, whose results differ between systems}}
  %0 = math.sin %x : f32
  %1 = math.exp %0 : f32
  return %1 : f32
}
