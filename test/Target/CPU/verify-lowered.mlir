// RUN: amp-opt %s --amp-cpu-verify-lowered --split-input-file --verify-diagnostics

llvm.func @fine() {
  llvm.return
}

// -----

// expected-error @below {{'func.func' op has no lowering for the CPU; express it by linalg, arith or math}}
func.func private @left()

// -----

// expected-error @below {{'llvm.mlir.global' op uses the constant '__elided__', whose data the file does not hold; print the module without eliding resources}}
llvm.mlir.global private constant @weights(dense_resource<__elided__> : tensor<4xf32>) : !llvm.array<4 x f32>
