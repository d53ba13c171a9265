//===- Passes.td - conversions between dialects ---------------------------===//
#ifndef AMP_CONVERSION_PASSES_TD
#define AMP_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertStateToArguments : Pass<"amp-convert-state-to-arguments", "::mlir::ModuleOp"> {
  let summary = "turn variables into arguments in destination style";
  let description = [{
    Each function that reads or assigns variables gets one memref argument per
    variable, after its own arguments, in the order of the `train.variable` ops, with
    the attribute `train.variable = @name`. A read becomes `bufferization.to_tensor` at the
    start of the function, an assignment `bufferization.materialize_in_destination` into
    the same memory; `amp.guarded` becomes `scf.if`. Variables, tasks and functions that
    nothing runs (a task's loss and metric) are erased.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::memref::MemRefDialect"];
}

def ConvertTrainToLinalg : Pass<"amp-convert-train-to-linalg", "::mlir::ModuleOp"> {
  let summary = "lower the computing ops of train and amp to linalg on tensors";
  let description = [{
    After it no op of the `train` and `amp` dialects but state (variables, reads,
    assignments, guarded regions, tasks) is left. Every op reads its operands in its
    compute type, computes, and rounds once. A matrix product always has an f32 (or
    f64) accumulator; a lower result is a rounding of its own.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // AMP_CONVERSION_PASSES_TD
