//===- TrainShapeOps.td - shape changes and reductions --------------------===//
#ifndef AMP_DIALECT_TRAIN_IR_TRAINSHAPEOPS_TD
#define AMP_DIALECT_TRAIN_IR_TRAINSHAPEOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "amp/Dialect/Train/IR/TrainAttrs.td"

let kind = "Move" in
def Train_ReshapeOp : Train_Op<"reshape", "Clear"> {
  let summary = "the same elements in another shape";
  let description = [{
    The elements of `input` in row-major order, rounded once if the element types
    differ.

    Constraints:

    - (C1) `input` and `result` have at most one dynamic dimension each, and both
      have one or neither.
    - (C2) The products of the static dimensions are equal; with a dynamic
      dimension, one divides the other.

    Example:

    ```mlir
    %1 = train.reshape %0 : (tensor<?x8x8xf32>) -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$input);
  let results = (outs Train_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

let kind = "Move" in
def Train_TransposeOp : Train_Op<"transpose", "Clear"> {
  let summary = "permutes dimensions";
  let description = [{
    Dimension `i` of `result` is dimension `permutation[i]` of `input`.

    Constraints:

    - (C1) `permutation` is a permutation of the dimensions of `input`.
    - (C2) `result` has the permuted shape of `input`.

    Example:

    ```mlir
    %1 = train.transpose %0 permutation [1, 0] : (tensor<?x8xf32>) -> tensor<8x?xf32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Train_FloatTensor:$result);
  let assemblyFormat = [{
    $input `permutation` $permutation attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

let kind = "Move" in
def Train_BroadcastOp : Train_Op<"broadcast", "Clear"> {
  let summary = "repeats a tensor along new dimensions";
  let description = [{
    `result` has the shape of `like`, of which only the shape is read. Its dimensions
    in `dimensions` are new; along the others, in order, it equals `input`.

    Constraints:

    - (C1) `dimensions` is increasing and within the rank of `like`.
    - (C2) `input` has the shape of `like` without `dimensions`.
    - (C3) `result` has the shape of `like`.

    Example:

    ```mlir
    %1 = train.broadcast %0 like %x dimensions [0] : (tensor<8xf32>, tensor<?x8xf16>) -> tensor<?x8xf32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$input, Train_FloatTensor:$like,
                       DenseI64ArrayAttr:$dimensions);
  let results = (outs Train_FloatTensor:$result);
  let assemblyFormat = [{
    $input `like` $like `dimensions` $dimensions attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraMethods = [{
    bool isNumericOperand(unsigned index) { return index == 0; }
  }];
}

def Train_ReduceOp : Train_Op<"reduce", "InternalF32"> {
  let summary = "sum, mean, maximum or minimum along dimensions";
  let description = [{
    Reduces `dimensions` of `input` away. Sums are accumulated in f32 (f64 when the
    operand or the result is f64); a mean is that sum divided by the number of
    elements, which is never a number of the low type. Maximum and minimum give NaN
    if any element is NaN. The result is rounded once.

    Constraints:

    - (C1) `dimensions` is increasing and within the rank of `input`.
    - (C2) `result` has the shape of `input` without `dimensions`.

    Example:

    ```mlir
    %1 = train.reduce mean %0 dimensions [0, 1] : (tensor<?x8xf16>) -> tensor<f32>
    ```
  }];
  let arguments = (ins Train_ReduceKindAttr:$kind, Train_FloatTensor:$input,
                       DenseI64ArrayAttr:$dimensions);
  let results = (outs Train_FloatTensor:$result);
  let assemblyFormat = [{
    `` $kind $input `dimensions` $dimensions attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  // A maximum is one of its elements, and its gradient looks for the elements that equal it: the
  // type must be theirs. P3: a sum is not bounded by its input.
  let extraClassDeclaration = [{
    ::amp::PrecisionClass getPrecisionClass() {
      bool selects = getKind() == ReduceKind::Max || getKind() == ReduceKind::Min;
      return selects ? ::amp::PrecisionClass::Clear : ::amp::PrecisionClass::InternalF32;
    }
    ::amp::OpKind getOpKind();
    bool mayLowerResult(unsigned index) { return getKind() != ReduceKind::Sum; }
  }];
}

def Train_ReduceGradOp : Train_Op<"reduce_grad", "InternalF32"> {
  let summary = "gradient of `train.reduce`";
  let description = [{
    Spreads `grad`, which has the shape of the reduction's result, over `input`: whole
    for `sum`, divided by the number of elements for `mean`, and for `max` and `min`
    in equal parts over the elements that equal `output` once they are rounded into its
    type, the others getting zero.

    Constraints:

    - (C1) `dimensions` is increasing and within the rank of `input`.
    - (C2) `grad` and `output` have the shape of `input` without `dimensions`.
    - (C3) `result` has the shape of `input`.

    Example:

    ```mlir
    %dx = train.reduce_grad mean %dy, %x, %y dimensions [0]
        : (tensor<8xf32>, tensor<?x8xf16>, tensor<8xf16>) -> tensor<?x8xf16>
    ```
  }];
  let arguments = (ins Train_ReduceKindAttr:$kind, Train_FloatTensor:$grad,
                       Train_FloatTensor:$input, Train_FloatTensor:$output,
                       DenseI64ArrayAttr:$dimensions);
  let results = (outs Train_FloatTensor:$result);
  let assemblyFormat = [{
    `` $kind $grad `,` $input `,` $output `dimensions` $dimensions attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  // Only the maximum and the minimum read more than the shape of `input` and `output`, and must
  // read them as the reduction did.
  let extraClassDeclaration = [{
    bool selects() { return getKind() == ReduceKind::Max || getKind() == ReduceKind::Min; }
    ::amp::PrecisionClass getPrecisionClass() {
      return selects() ? ::amp::PrecisionClass::Clear : ::amp::PrecisionClass::InternalF32;
    }
    bool isNumericOperand(unsigned index) { return index == 0 || selects(); }
  }];
}

#endif // AMP_DIALECT_TRAIN_IR_TRAINSHAPEOPS_TD
