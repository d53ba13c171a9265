//===- TrainDialect.td - the train dialect and its base classes -----------===//
#ifndef AMP_DIALECT_TRAIN_IR_TRAINDIALECT_TD
#define AMP_DIALECT_TRAIN_IR_TRAINDIALECT_TD

include "mlir/IR/OpBase.td"
include "amp/Precision/PrecisionOpInterface.td"

def Train_Dialect : Dialect {
  let name = "train";
  let cppNamespace = "::amp::train";
  let summary = "Training graphs: forward ops, gradients, losses, optimizers, variables";
  let description = [{
    A training graph is an ordinary `func.func` that computes a loss, module-level
    `train.variable`s for its state, and one `train.task` that says how the loss
    is trained. Autodiff expands the task into a step function.

    Every op has I/O element types and a compute type. Arithmetic is done in f32,
    or in f64 when an operand or the result is f64; sums and products are
    accumulated in that type, and the result is rounded once, to nearest even,
    into the result's element type. Operands of one op may have different float
    types, so that no cast is needed around an op.

    Dimensions may be dynamic. Where two dimensions must be equal, a dynamic one
    agrees with any; at run time, one that is not equal ends the call with an error.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = [];
  let hasConstantMaterializer = 0;
  let extraClassDeclaration = [{
    /// Version of the dialect in bytecode; a reader refuses a newer one.
    static constexpr unsigned kBytecodeVersion = 1;

    /// On an argument or result of a function: its name in data files and logs.
    static constexpr ::llvm::StringLiteral kNameAttr = "train.name";
    /// On an argument of a lowered function: the variable whose memory it is.
    static constexpr ::llvm::StringLiteral kVariableAttr = "train.variable";
    /// On a step or evaluation function: the task it was built from.
    static constexpr ::llvm::StringLiteral kStepOfAttr = "train.step_of";
    static constexpr ::llvm::StringLiteral kEvalOfAttr = "train.eval_of";
    /// On a forward op of a step function: its number. On the ops that autodiff derived from it: the same number.
    static constexpr ::llvm::StringLiteral kForwardAttr = "train.forward";
    static constexpr ::llvm::StringLiteral kGradientOfAttr = "train.gradient_of";
    /// On a step function: the names of the trained parameters, in the order of their gradients.
    static constexpr ::llvm::StringLiteral kGradientsAttr = "train.gradients";
    /// On an evaluation function: the name of the metric function.
    static constexpr ::llvm::StringLiteral kMetricAttr = "train.metric";

    void registerAttributes();
    void registerBytecodeInterface();
  }];
}

def Train_FloatTensor : RankedTensorOf<[F16, BF16, F32, F64]>;
def Train_F32OrF64Tensor : RankedTensorOf<[F32, F64]>;
def Train_LabelTensor : RankedTensorOf<[AnySignlessInteger, AnyUnsignedInteger]>;

/// Base of the ops that compute: pure, with the precision class `precision`, printed with their whole type.
class Train_Op<string mnemonic, string precision, list<Trait> traits = []>
    : Op<Train_Dialect, mnemonic, !listconcat(traits, [Pure, PrecisionOpInterface])> {
  /// What the op computes, a case of `OpKind`.
  string kind = "Other";
  code extraMethods = "";
  let extraClassDeclaration =
    "::amp::PrecisionClass getPrecisionClass() { return ::amp::PrecisionClass::" # precision # "; }\n" #
    "::amp::OpKind getOpKind() { return ::amp::OpKind::" # kind # "; }\n" # extraMethods;
}

#endif // AMP_DIALECT_TRAIN_IR_TRAINDIALECT_TD
