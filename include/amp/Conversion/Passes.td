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
    the same memory at the end of its block; `amp.guarded` becomes `scf.if`. Variables,
    tasks and functions that nothing runs (a task's loss and metric) are erased.

    A value that is computed into a fresh tensor is computed into its variable's memory
    instead, and bufferization may update a variable in place where a new value is
    sure to follow. Copies are made where a value would be lost by then: two variables
    that exchange values, an old value that is used after a guarded region, a
    variable that is returned.

    Calls of functions that use variables must have been inlined, and fusion of
    elementwise ops must have run: it replaces destinations by fresh tensors.

    ```mlir
    func.func @step(%x: tensor<4xf32>) {
      %w = train.read @w : tensor<4xf32>
      %w1 = arith.addf %w, %x : tensor<4xf32>
      train.assign @w, %w1 : tensor<4xf32>
      return
    }
    ```
    becomes
    ```mlir
    func.func @step(%x: tensor<4xf32>, %m: memref<4xf32> {train.variable = @w}) {
      %w = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
      %w1 = arith.addf %w, %x : tensor<4xf32>
      bufferization.materialize_in_destination %w1 in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::memref::MemRefDialect"];
}

def ConvertTrainToLinalg : Pass<"amp-convert-train-to-linalg", "::mlir::ModuleOp"> {
  let summary = "lower the computing ops of train and amp to linalg on tensors";
  let description = [{
    After it no op of the `train` and `amp` dialects but state (variables, reads,
    assignments, guarded regions, tasks) is left. Every op reads its operands in its
    compute type, computes, and rounds once; no op carries a fast-math flag.

    - An op on single elements is one `linalg.generic` of parallel loops.
    - A reduction is one `linalg.generic` whose loops keep the order of the operand's
      dimensions, joined into an f32 (or f64) accumulator; its rounding into a lower
      type is a loop nest of its own.
    - A matrix product is a `linalg.matmul` on the operands as they are stored, with
      an f32 (or f64) accumulator; bias and rounding follow in one loop nest.
    - An optimizer step is one `linalg.generic` with all of a parameter's state, read
      from and written to its outputs, and its half copies as further outputs.

    Scalars (a mean's divisor, an optimizer's step size, the loss scale) are plain
    arithmetic outside of the loops. A loss and its gradient share the statistics of
    the rows, all optimizer steps of a function the powers of the step number.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // AMP_CONVERSION_PASSES_TD
