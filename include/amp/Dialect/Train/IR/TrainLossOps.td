//===- TrainLossOps.td - softmax, losses, metrics -------------------------===//
#ifndef AMP_DIALECT_TRAIN_IR_TRAINLOSSOPS_TD
#define AMP_DIALECT_TRAIN_IR_TRAINLOSSOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "amp/Dialect/Train/IR/TrainElementwiseOps.td"

class Train_SoftmaxLikeOp<string mnemonic, string what, string formula>
    : Train_ElementwiseOp<mnemonic, "InternalF32"> {
  let summary = what # " along the last dimension";
  let description = [{
    With `x` the input less its maximum along the last dimension,
    `result[..., i] = round(}] # formula # [{)`, computed in f32 (f64 when the operand
    or the result is f64) and rounded once.

    Constraints:

    - (C1) `input` and `result` have the same shape.
    - (C2) `input` has at least rank 1.

    Example:

    ```mlir
    %1 = train.}] # mnemonic # [{ %0 : (tensor<?x10xf16>) -> tensor<?x10xf32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$input);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
let kind = "Softmax" in
def Train_SoftmaxOp
    : Train_SoftmaxLikeOp<"softmax", "softmax", "exp(x[..., i]) / sum_j exp(x[..., j])">;
let kind = "LogSoftmax" in
def Train_LogSoftmaxOp
    : Train_SoftmaxLikeOp<"log_softmax", "logarithm of the softmax",
                          "x[..., i] - log(sum_j exp(x[..., j]))">;

class Train_SoftmaxLikeGradOp<string mnemonic, string formula>
    : Train_ElementwiseOp<mnemonic, "InternalF32"> {
  let summary = "gradient of `train." # !subst("_grad", "", mnemonic) # "`";
  let description = [{
    `result[..., i] = round(}] # formula # [{)`, computed in f32 (f64 when an operand or
    the result is f64) and rounded once.

    Constraints:

    - (C1) `grad`, `output` and `result` have the same shape.
    - (C2) `output` has at least rank 1.

    Example:

    ```mlir
    %2 = train.}] # mnemonic # [{ %0, %1 : (tensor<?x10xf32>, tensor<?x10xf16>) -> tensor<?x10xf16>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$grad, Train_FloatTensor:$output);
  let assemblyFormat = "$grad `,` $output attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Train_SoftmaxGradOp
    : Train_SoftmaxLikeGradOp<"softmax_grad",
        "output[..., i] * (grad[..., i] - sum_j grad[..., j] * output[..., j])">;
def Train_LogSoftmaxGradOp
    : Train_SoftmaxLikeGradOp<"log_softmax_grad",
        "grad[..., i] - exp(output[..., i]) * sum_j grad[..., j]">;

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

/// The loss itself: a scalar that is never of a half type.
class Train_LossOp<string mnemonic> : Train_Op<mnemonic, "Deny"> {
  let hasVerifier = 1;
  let extraMethods = [{
    bool mayLowerResult(unsigned index) { return false; }
    bool isResultFixed(unsigned index) { return true; }
  }];
}

/// The gradient of a loss. `grad` may be a loss scale, which does not fit f16: it is read as it is.
class Train_LossGradOp<string mnemonic> : Train_Op<mnemonic, "Deny"> {
  let hasVerifier = 1;
  let extraMethods = [{
    bool readsAnyType(unsigned index) { return index == 0; }
    bool mayLowerResult(unsigned index) { return false; }
  }];
}

def Train_CrossEntropyOp : Train_LossOp<"cross_entropy"> {
  let summary = "mean cross-entropy from logits with integer labels";
  let description = [{
    `result = -1/B sum_b log_softmax(logits[b, :])[labels[b]]`, the mean over the `B`
    rows, computed in f32 (f64 when the logits are f64). A label outside
    [0, classes) contributes nothing; whoever feeds labels checks them.

    Constraints:

    - (C1) `logits` has rank 2 and `labels` has rank 1.
    - (C2) There is one label per row of `logits`.
    - (C3) The result is a scalar: f64 if the logits are f64, else f32.

    Example:

    ```mlir
    %loss = train.cross_entropy %logits, %labels : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<f32>
    ```
  }];
  let arguments = (ins 2DTensorOf<[F16, BF16, F32, F64]>:$logits, Train_LabelTensor:$labels);
  let results = (outs 0DTensorOf<[F32, F64]>:$result);
  let assemblyFormat = "$logits `,` $labels attr-dict `:` functional-type(operands, results)";
}

def Train_CrossEntropyGradOp : Train_LossGradOp<"cross_entropy_grad"> {
  let summary = "gradient of `train.cross_entropy` in its logits";
  let description = [{
    `result[b, i] = grad * (softmax(logits[b, :])[i] - [i == labels[b]]) / B`, computed in
    f32 (f64 when an operand is f64) and rounded once. The row of a label outside
    [0, classes) is zero, since it contributes nothing to the loss.

    Constraints:

    - (C1) `grad` is a scalar, `logits` has rank 2, `labels` has rank 1.
    - (C2) There is one label per row of `logits`.
    - (C3) `result` has the shape of `logits`; its elements are f64 exactly if those
      of an operand are.

    Example:

    ```mlir
    %dlogits = train.cross_entropy_grad %grad, %logits, %labels
        : (tensor<f32>, tensor<?x10xf32>, tensor<?xi32>) -> tensor<?x10xf32>
    ```
  }];
  let arguments = (ins 0DTensorOf<[F32, F64]>:$grad, 2DTensorOf<[F16, BF16, F32, F64]>:$logits,
                       Train_LabelTensor:$labels);
  let results = (outs 2DTensorOf<[F16, BF16, F32, F64]>:$result);
  let assemblyFormat = [{
    $grad `,` $logits `,` $labels attr-dict `:` functional-type(operands, results)
  }];
}

def Train_MseOp : Train_LossOp<"mse"> {
  let summary = "mean squared error";
  let description = [{
    `result = mean_i (prediction[i] - target[i])^2` over all elements, computed in f32
    (f64 when an operand is f64).

    Constraints:

    - (C1) `prediction` and `target` have the same shape.
    - (C2) The result is a scalar: f64 if an operand is f64, else f32.

    Example:

    ```mlir
    %loss = train.mse %y, %t : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<f32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$prediction, Train_FloatTensor:$target);
  let results = (outs 0DTensorOf<[F32, F64]>:$result);
  let assemblyFormat = "$prediction `,` $target attr-dict `:` functional-type(operands, results)";
}

def Train_MseGradOp : Train_LossGradOp<"mse_grad"> {
  let summary = "gradient of `train.mse` in its prediction";
  let description = [{
    `result[i] = grad * 2 (prediction[i] - target[i]) / N`, where `N` is the number of
    elements, computed in f32 (f64 when an operand is f64) and rounded once. The
    gradient in the target is its negative.

    Constraints:

    - (C1) `grad` is a scalar; `prediction` and `target` have the same shape.
    - (C2) `result` has that shape; its elements are f64 exactly if those of an
      operand are.

    Example:

    ```mlir
    %dy = train.mse_grad %grad, %y, %t : (tensor<f32>, tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x1xf32>
    ```
  }];
  let arguments = (ins 0DTensorOf<[F32, F64]>:$grad, Train_FloatTensor:$prediction,
                       Train_FloatTensor:$target);
  let results = (outs Train_FloatTensor:$result);
  let assemblyFormat = [{
    $grad `,` $prediction `,` $target attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// The backward pass begins
//===----------------------------------------------------------------------===//

def Train_SeedOp : Op<Train_Dialect, "seed", [Pure]> {
  let summary = "the gradient of the loss with respect to itself";
  let description = [{
    The number 1, with which the backward pass begins. It is an op of its own and not
    a constant because a loss scale takes its place: a constant that looks like it
    may not be merged with it, and it folds to none before the lowering.

    Constraints:

    - (C1) `result` is a float scalar.

    Example:

    ```mlir
    %seed = train.seed : tensor<f32>
    ```
  }];
  let results = (outs 0DTensorOf<[F16, BF16, F32, F64]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Metrics
//===----------------------------------------------------------------------===//

def Train_AccuracyOp : Train_Op<"accuracy", "Deny"> {
  let summary = "share of rows whose largest logit is at the label";
  let description = [{
    The mean over the rows of `[argmax(logits[b, :]) == labels[b]]`, in [0, 1]. The
    first of equal maxima counts. A row that holds a NaN is wrong.

    Constraints:

    - (C1) `logits` has rank 2 and `labels` has rank 1.
    - (C2) There is one label per row of `logits`.

    Example:

    ```mlir
    %accuracy = train.accuracy %logits, %labels : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<f32>
    ```
  }];
  let arguments = (ins 2DTensorOf<[F16, BF16, F32, F64]>:$logits, Train_LabelTensor:$labels);
  let results = (outs 0DTensorOf<[F32]>:$result);
  let assemblyFormat = "$logits `,` $labels attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraMethods = [{
    bool mayLowerResult(unsigned index) { return false; }
    bool isResultFixed(unsigned index) { return true; }
  }];
}

#endif // AMP_DIALECT_TRAIN_IR_TRAINLOSSOPS_TD
