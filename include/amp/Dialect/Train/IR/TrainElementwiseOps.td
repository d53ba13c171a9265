//===- TrainElementwiseOps.td - ops on single elements --------------------===//
#ifndef AMP_DIALECT_TRAIN_IR_TRAINELEMENTWISEOPS_TD
#define AMP_DIALECT_TRAIN_IR_TRAINELEMENTWISEOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "amp/Dialect/Train/IR/TrainAttrs.td"

/// All operands and results have compatible shapes; says which do not.
def Train_SameShape : NativeOpTrait<"SameShape"> {
  let cppNamespace = "::amp::train";
}

class Train_ElementwiseOp<string mnemonic, string precision, list<Trait> traits = []>
    : Train_Op<mnemonic, precision, !listconcat(traits, [Train_SameShape])> {
  let results = (outs Train_FloatTensor:$result);
}

class Train_BinaryOp<string mnemonic, string what, string formula, list<Trait> traits = []>
    : Train_ElementwiseOp<mnemonic, "Promote", traits> {
  let summary = "elementwise " # what;
  let description = [{
    `result[i] = round(}] # formula # [{)`, computed in f32 (f64 when an operand or
    the result is f64) and rounded once into the result's element type.

    Constraints:

    - (C1) `lhs`, `rhs` and `result` have the same shape.

    Example:

    ```mlir
    %2 = train.}] # mnemonic # [{ %0, %1 : (tensor<?x8xf16>, tensor<?x8xf32>) -> tensor<?x8xf32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$lhs, Train_FloatTensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

let kind = "Add" in
def Train_AddOp : Train_BinaryOp<"add", "sum", "lhs[i] + rhs[i]", [Commutative]>;
let kind = "Sub" in
def Train_SubOp : Train_BinaryOp<"sub", "difference", "lhs[i] - rhs[i]">;
let kind = "Mul" in
def Train_MulOp : Train_BinaryOp<"mul", "product", "lhs[i] * rhs[i]", [Commutative]>;
let kind = "Div" in
def Train_DivOp : Train_BinaryOp<"div", "quotient", "lhs[i] / rhs[i]">;

class Train_UnaryOp<string mnemonic, string precision, string what, string formula>
    : Train_ElementwiseOp<mnemonic, precision> {
  let summary = what;
  let description = [{
    `result[i] = round(}] # formula # [{)`, computed in f32 (f64 when the operand or
    the result is f64) and rounded once into the result's element type.

    Constraints:

    - (C1) `input` and `result` have the same shape.

    Example:

    ```mlir
    %1 = train.}] # mnemonic # [{ %0 : (tensor<?x8xf16>) -> tensor<?x8xf16>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$input);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}

let kind = "Neg" in
def Train_NegOp : Train_UnaryOp<"neg", "Clear", "elementwise negation", "-input[i]">;
let kind = "Relu" in
def Train_ReluOp : Train_UnaryOp<"relu", "Clear", "rectified linear unit", "max(input[i], 0)"> {
  let description = [{
    `result[i] = round(max(input[i], 0))`; a NaN stays a NaN, and relu(-0) is +0.

    Constraints:

    - (C1) `input` and `result` have the same shape.

    Example:

    ```mlir
    %1 = train.relu %0 : (tensor<?x8xf16>) -> tensor<?x8xf16>
    ```
  }];
}
let kind = "Tanh" in
def Train_TanhOp
    : Train_UnaryOp<"tanh", "InternalF32", "hyperbolic tangent", "tanh(input[i])">;
let kind = "Sigmoid" in
def Train_SigmoidOp
    : Train_UnaryOp<"sigmoid", "InternalF32", "logistic function", "1 / (1 + exp(-input[i]))">;

let kind = "Gelu" in
def Train_GeluOp : Train_ElementwiseOp<"gelu", "InternalF32"> {
  let summary = "Gaussian error linear unit";
  let description = [{
    With `approximate = none`, `result[i] = round(x * (1 + erf(x / sqrt(2))) / 2)`; with
    `tanh`, `result[i] = round(x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))) / 2)`
    (Hendrycks and Gimpel, 2016), where `x = input[i]`. Computed in f32 (f64 when
    the operand or the result is f64) and rounded once.

    Constraints:

    - (C1) `input` and `result` have the same shape.

    Example:

    ```mlir
    %1 = train.gelu %0 approximate tanh : (tensor<?x8xf16>) -> tensor<?x8xf16>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$input,
    DefaultValuedAttr<Train_GeluApproximationAttr,
                      "::amp::train::GeluApproximation::None">:$approximate);
  let assemblyFormat = [{
    $input (`approximate` `` $approximate^)? attr-dict `:` functional-type(operands, results)
  }];
}

let kind = "FloatCast" in
def Train_CastOp : Train_UnaryOp<"cast", "Keep", "rounding into another float type", "input[i]"> {
  let description = [{
    `result[i] = round(input[i])`, to nearest even, in one rounding from the
    operand's type: f64 to bf16 does not pass through f32. A value too large for
    the result's type becomes an infinity; a NaN stays a NaN. This is a rounding
    that the user asked for: no pass removes it.

    Constraints:

    - (C1) `input` and `result` have the same shape.

    Example:

    ```mlir
    %1 = train.cast %0 : (tensor<?x8xf32>) -> tensor<?x8xbf16>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

class Train_ActivationGradOp<string mnemonic, string precision, string saved, string formula>
    : Train_ElementwiseOp<mnemonic, precision> {
  let summary = "gradient of `train." # !subst("_grad", "", mnemonic) # "`";
  let description = [{
    `result[i] = round(}] # formula # [{)`, computed in f32 (f64 when an operand or
    the result is f64) and rounded once.

    Constraints:

    - (C1) `grad`, `}] # saved # [{` and `result` have the same shape.

    Example:

    ```mlir
    %2 = train.}] # mnemonic # [{ %0, %1 : (tensor<?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
    ```
  }];
  let arguments = !dag(ins, [Train_FloatTensor, Train_FloatTensor], ["grad", saved]);
  let assemblyFormat = "$grad `,` $" # saved # " attr-dict `:` functional-type(operands, results)";
}

def Train_ReluGradOp
    : Train_ActivationGradOp<"relu_grad", "Clear", "input", "input[i] > 0 ? grad[i] : 0">;
def Train_TanhGradOp
    : Train_ActivationGradOp<"tanh_grad", "InternalF32", "output",
                             "grad[i] * (1 - output[i]^2)">;
def Train_SigmoidGradOp
    : Train_ActivationGradOp<"sigmoid_grad", "InternalF32", "output",
                             "grad[i] * (output[i] * (1 - output[i]))">;
def Train_GeluGradOp : Train_ElementwiseOp<"gelu_grad", "InternalF32"> {
  let summary = "gradient of `train.gelu`";
  let description = [{
    `result[i] = round(grad[i] * gelu'(input[i]))` with the derivative of the chosen
    form, computed in f32 (f64 when an operand or the result is f64).

    Constraints:

    - (C1) `grad`, `input` and `result` have the same shape.

    Example:

    ```mlir
    %2 = train.gelu_grad %0, %1 : (tensor<?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$grad, Train_FloatTensor:$input,
    DefaultValuedAttr<Train_GeluApproximationAttr,
                      "::amp::train::GeluApproximation::None">:$approximate);
  let assemblyFormat = [{
    $grad `,` $input (`approximate` `` $approximate^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // AMP_DIALECT_TRAIN_IR_TRAINELEMENTWISEOPS_TD
