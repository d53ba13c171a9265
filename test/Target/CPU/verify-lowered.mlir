// RUN: amp-opt %s --amp-cpu-verify-lowered --split-input-file --verify-diagnostics

llvm.func @fine() {
  llvm.return
}

// -----

// expected-error @below {{'func.func' op has no lowering for the CPU; express it by linalg, arith or math}}
func.func private @left()

// -----

// The op is named, not the casts around it.
llvm.func @around(%x: i8) -> f32 {
  %0 = builtin.unrealized_conversion_cast %x : i8 to f8E4M3FN
  // expected-error @below {{'arith.extf' op has no lowering for the CPU; express it by linalg, arith or math}}
  %1 = arith.extf %0 : f8E4M3FN to f32
  llvm.return %1 : f32
}

// -----

llvm.func @cast(%x: i8) -> i16 {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op is left between types that have no common form on the CPU}}
  %0 = builtin.unrealized_conversion_cast %x : i8 to i16
  llvm.return %0 : i16
}
