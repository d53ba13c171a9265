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

def InsertShapeChecks : Pass<"amp-insert-shape-checks", "::mlir::func::FuncOp"> {
  let summary = "assert that dimensions agree where their types do not say so";
  let description = [{
    Adds an `amp.assert` for each condition that an op puts on sizes, and that types leave open:
    dimensions that one loop walks along are equal (ops of `train` and `amp`, `linalg`, `arith`
    and `math` on tensors); casts, reshapes, padding and concatenation fit their results; slices,
    and single elements that are read or written, lie within their tensors.

    Sizes are traced back to where they come from, so that what is equal by construction needs no
    check, and nothing is checked twice. A check stands in the block of its op, as early as
    the numbers it compares are known: those of a function's arguments at its start, before any
    work. None is left in loops of elements but for an index that depends on what the
    loops compute: for other elements that a body reads by index, a reduction before the
    loops finds the greatest index.

    Not checked: ops on buffers other than `linalg`, `vector` and `affine`, whose author
    answers for every index as in C.

    ```mlir
    %0 = train.add %x, %y : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    ```
    becomes
    ```mlir
    %found = tensor.dim %y, %c0 : tensor<?x2xf32>
    %expected = tensor.dim %x, %c0 : tensor<?x2xf32>
    %agree = arith.cmpi eq, %found, %expected : index
    amp.assert %agree, "'train.add' op dimension 0 of operand 1 has size {0}, expected {1} as in operand 0"(%found, %expected)
    %0 = train.add %x, %y : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
}

#endif // AMP_CONVERSION_PASSES_TD
