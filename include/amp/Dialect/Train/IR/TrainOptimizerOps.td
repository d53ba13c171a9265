//===- TrainOptimizerOps.td - optimizer steps -----------------------------===//
#ifndef AMP_DIALECT_TRAIN_IR_TRAINOPTIMIZEROPS_TD
#define AMP_DIALECT_TRAIN_IR_TRAINOPTIMIZEROPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "amp/Dialect/Train/IR/TrainElementwiseOps.td"
include "amp/Dialect/Train/IR/TrainInterfaces.td"

/// One parameter's step. Level O3 alone may give the parameter and its states a half type; the arithmetic is f32.
class Train_OptimizerOp<string mnemonic, list<Trait> traits = []>
    : Train_Op<mnemonic, "Deny", !listconcat(traits, [OptimizerOpInterface])> {
  let hasVerifier = 1;
  let extraMethods = [{
    bool mayLowerResult(unsigned index) { return false; }
  }];
}

def Train_SgdOp : Train_OptimizerOp<"sgd"> {
  let summary = "step of stochastic gradient descent";
  let description = [{
    ```
    g = gradient + weight_decay * parameter
    updated = round(parameter - learning_rate * g)
    ```
    in f32 (f64 when an operand is f64), one rounding per operation.

    Constraints:

    - (C1) All operands and results have the same shape.
    - (C2) `updated` has the type of `parameter`.

    Example:

    ```mlir
    %w1 = train.sgd %w, %dw {learning_rate = 1.0e-1 : f64, weight_decay = 0.0 : f64}
        : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$parameter, Train_FloatTensor:$gradient,
                       F64Attr:$learning_rate, F64Attr:$weight_decay);
  let results = (outs Train_FloatTensor:$updated);
  let assemblyFormat = "$parameter `,` $gradient attr-dict `:` functional-type(operands, results)";
}

def Train_MomentumOp : Train_OptimizerOp<"momentum"> {
  let summary = "step of gradient descent with momentum";
  let description = [{
    ```
    g = gradient + weight_decay * parameter
    v' = momentum * velocity + g
    d = nesterov ? g + momentum * v' : v'
    updated = round(parameter - learning_rate * d)
    ```
    in f32 (f64 when an operand is f64), one rounding per operation: PyTorch's SGD
    with dampening 0.

    Constraints:

    - (C1) All operands and results have the same shape.
    - (C2) `updated` has the type of `parameter`, `updated_velocity` that of `velocity`.

    Example:

    ```mlir
    %w1, %v1 = train.momentum %w, %dw, %v
        {learning_rate = 1.0e-1 : f64, momentum = 0.9 : f64, nesterov = false, weight_decay = 0.0 : f64}
        : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Train_FloatTensor:$parameter, Train_FloatTensor:$gradient,
                       Train_FloatTensor:$velocity, F64Attr:$learning_rate, F64Attr:$momentum,
                       BoolAttr:$nesterov, F64Attr:$weight_decay);
  let results = (outs Train_FloatTensor:$updated, Train_FloatTensor:$updated_velocity);
  let assemblyFormat = [{
    $parameter `,` $gradient `,` $velocity attr-dict `:` functional-type(operands, results)
  }];
}

class Train_AdamLikeOp<string mnemonic, string what, string decay> : Train_OptimizerOp<mnemonic> {
  let summary = "step of " # what;
  let description = [{
    With `t` the number of this step, counted from 1:
    ```
    }] # decay # [{
    m' = beta1 * m + (1 - beta1) * g
    v' = beta2 * v + (1 - beta2) * g * g
    d = sqrt(v') / sqrt(1 - beta2^t) + epsilon
    updated = round(p - (learning_rate / (1 - beta1^t)) * (m' / d))
    ```
    The elementwise part is in f32 (f64 when an operand is f64), one rounding per
    operation; the factors that depend on `t` alone are computed in f64 and rounded
    once. These are PyTorch's formulas.

    Constraints:

    - (C1) All operands and results but `step` have the same shape.
    - (C2) Each result has the type of its operand.

    Example:

    ```mlir
    %w1, %m1, %v1 = train.}] # mnemonic # [{ %w, %dw, %m, %v, %t
        {learning_rate = 1.0e-3 : f64, beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64,
         weight_decay = 0.0 : f64}
        : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>)
        -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Train_FloatTensor:$parameter, Train_FloatTensor:$gradient,
                       Train_FloatTensor:$exp_avg, Train_FloatTensor:$exp_avg_sq,
                       0DTensorOf<[I64]>:$step, F64Attr:$learning_rate, F64Attr:$beta1,
                       F64Attr:$beta2, F64Attr:$epsilon, F64Attr:$weight_decay);
  let results = (outs Train_FloatTensor:$updated, Train_FloatTensor:$updated_exp_avg,
                      Train_FloatTensor:$updated_exp_avg_sq);
  let assemblyFormat = [{
    $parameter `,` $gradient `,` $exp_avg `,` $exp_avg_sq `,` $step attr-dict
    `:` functional-type(operands, results)
  }];
}

def Train_AdamOp
    : Train_AdamLikeOp<"adam", "Adam", "p = parameter;  g = gradient + weight_decay * p">;
def Train_AdamWOp
    : Train_AdamLikeOp<"adamw", "AdamW",
                       "p = parameter * (1 - learning_rate * weight_decay);  g = gradient">;

def Train_GlobalNormOp : Train_Op<"global_norm", "Deny"> {
  let summary = "Euclidean norm of several gradients together";
  let description = [{
    `result = sqrt(sum_k sum_i gradients[k][i]^2)`, squares and sum in f32 (f64 when
    a gradient or the result is f64).

    Constraints:

    - (C1) There is at least one gradient.

    Example:

    ```mlir
    %norm = train.global_norm %dw, %db : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<f32>
    ```
  }];
  let arguments = (ins Variadic<Train_FloatTensor>:$gradients);
  let results = (outs 0DTensorOf<[F32, F64]>:$result);
  let assemblyFormat = "$gradients attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraMethods = [{
    bool mayLowerResult(unsigned index) { return false; }
    bool isResultFixed(unsigned index) { return true; }
  }];
}

def Train_ClipOp : Train_Op<"clip", "Deny"> {
  let summary = "scales a gradient so that the global norm stays below a bound";
  let description = [{
    `result[i] = gradient[i] * min(1, max_norm / (norm + 1e-6))`, where `norm` is the global
    norm of the unscaled gradients (PyTorch's `clip_grad_norm_`), in f32 (f64 when
    an operand is f64).

    Constraints:

    - (C1) `gradient` and `result` have the same type.
    - (C2) `max_norm` is positive.

    Example:

    ```mlir
    %1 = train.clip %dw norm %n {max_norm = 1.0 : f64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$gradient, 0DTensorOf<[F32, F64]>:$norm,
                       F64Attr:$max_norm);
  let results = (outs Train_FloatTensor:$result);
  let assemblyFormat = "$gradient `norm` $norm attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraMethods = [{
    bool readsAnyType(unsigned index) { return index == 1; }
    bool mayLowerResult(unsigned index) { return false; }
  }];
}

#endif // AMP_DIALECT_TRAIN_IR_TRAINOPTIMIZEROPS_TD
