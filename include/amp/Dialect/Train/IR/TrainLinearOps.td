//===- TrainLinearOps.td - contractions and bias --------------------------===//
#ifndef AMP_DIALECT_TRAIN_IR_TRAINLINEAROPS_TD
#define AMP_DIALECT_TRAIN_IR_TRAINLINEAROPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "amp/Dialect/Train/IR/TrainAttrs.td"

let kind = "Contraction" in
def Train_MatmulOp : Train_Op<"matmul", "Allow"> {
  let summary = "product of two matrices";
  let description = [{
    `result = round(op(lhs) . op(rhs))`, where `op` transposes its operand if
    `transpose_lhs` or `transpose_rhs` is set. Products are accumulated in f32 (f64
    when an operand or the result is f64), whatever the operands' types, and the
    sum is rounded once into the result's element type. The order of the sum is
    not fixed across machines; on one machine it is.

    Constraints:

    - (C1) `lhs`, `rhs` and `result` have rank 2.
    - (C2) The inner dimensions of `op(lhs)` and `op(rhs)` are equal.
    - (C3) `result` has the rows of `op(lhs)` and the columns of `op(rhs)`.

    Example:

    ```mlir
    %dw = train.matmul %x, %dy {transpose_lhs} : (tensor<?x64xf16>, tensor<?x10xf16>) -> tensor<64x10xf32>
    ```
  }];
  let arguments = (ins 2DTensorOf<[F16, BF16, F32, F64]>:$lhs,
                       2DTensorOf<[F16, BF16, F32, F64]>:$rhs,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs 2DTensorOf<[F16, BF16, F32, F64]>:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

let kind = "Contraction" in
def Train_LinearOp : Train_Op<"linear", "Allow"> {
  let summary = "affine map of rows: matrix product plus bias";
  let description = [{
    `result[b, n] = round(sum_k input[b, k] * w[k, n] + bias[n])`, where `w` is `weight`,
    or its transpose if `transpose_weight` is set (weights stored as `[out, in]`). The
    sum is accumulated in f32 (f64 when an operand or the result is f64), the bias
    is added to the accumulator, and the result is rounded once.

    Constraints:

    - (C1) `input`, `weight` and `result` have rank 2, `bias` has rank 1.
    - (C2) The columns of `input` equal the rows of `w`.
    - (C3) `result` has the rows of `input` and the columns of `w`.
    - (C4) `bias` has as many elements as `w` has columns.

    Example:

    ```mlir
    %y = train.linear %x, %w bias %b : (tensor<?x64xf16>, tensor<64x10xf16>, tensor<10xf32>) -> tensor<?x10xf16>
    ```
  }];
  let arguments = (ins 2DTensorOf<[F16, BF16, F32, F64]>:$input,
                       2DTensorOf<[F16, BF16, F32, F64]>:$weight,
                       Optional<1DTensorOf<[F16, BF16, F32, F64]>>:$bias,
                       UnitAttr:$transpose_weight);
  let results = (outs 2DTensorOf<[F16, BF16, F32, F64]>:$result);
  let assemblyFormat = [{
    $input `,` $weight (`bias` $bias^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  // The bias meets the f32 accumulator: it needs no half copy.
  let extraMethods = [{
    bool readsAnyType(unsigned index) { return index == 2; }
  }];
}

let kind = "Add" in
def Train_BiasAddOp : Train_Op<"bias_add", "Promote"> {
  let summary = "adds a vector to every row";
  let description = [{
    `result[..., n] = round(input[..., n] + bias[n])`, computed in f32 (f64 when an
    operand or the result is f64) and rounded once.

    Constraints:

    - (C1) `input` has at least rank 1 and `result` has its shape.
    - (C2) `bias` has rank 1 and as many elements as the last dimension of `input`.

    Example:

    ```mlir
    %1 = train.bias_add %0, %b : (tensor<?x10xf16>, tensor<10xf32>) -> tensor<?x10xf16>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$input, 1DTensorOf<[F16, BF16, F32, F64]>:$bias);
  let results = (outs Train_FloatTensor:$result);
  let assemblyFormat = "$input `,` $bias attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraMethods = [{
    bool readsAnyType(unsigned index) { return index == 1; }
  }];
}

#endif // AMP_DIALECT_TRAIN_IR_TRAINLINEAROPS_TD
