//===- TrainAttrs.td - initialisers and optimizers as attributes ----------===//
#ifndef AMP_DIALECT_TRAIN_IR_TRAINATTRS_TD
#define AMP_DIALECT_TRAIN_IR_TRAINATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "amp/Dialect/Train/IR/TrainDialect.td"

class Train_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Train_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

/// A finite number, written in decimal and printed with the shortest text that reads back the same.
class Train_Number<string desc = ""> : AttrOrTypeParameter<"::amp::train::Number", desc> {
  let parser = "::amp::train::parseNumber($_parser)";
  let printer = "::amp::train::printNumber($_printer, $_self)";
}
class Train_DefaultNumber<string default, string desc = ""> : Train_Number<desc> {
  let defaultValue = "::amp::train::Number{" # default # "}";
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

def Train_ReduceKind : I32EnumAttr<"ReduceKind", "what a reduction computes", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">,
    I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">]> {
  let cppNamespace = "::amp::train";
  let genSpecializedAttr = 0;
}
def Train_ReduceKindAttr : EnumAttr<Train_Dialect, Train_ReduceKind, "reduce_kind">;

def Train_GeluApproximation : I32EnumAttr<"GeluApproximation", "how gelu is computed", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Tanh", 1, "tanh">]> {
  let cppNamespace = "::amp::train";
  let genSpecializedAttr = 0;
}
def Train_GeluApproximationAttr
    : EnumAttr<Train_Dialect, Train_GeluApproximation, "gelu_approximation">;

def Train_Distribution : I32EnumAttr<"Distribution", "distribution of random initial values", [
    I32EnumAttrCase<"Uniform", 0, "uniform">, I32EnumAttrCase<"Normal", 1, "normal">]> {
  let cppNamespace = "::amp::train";
  let genSpecializedAttr = 0;
}
def Train_DistributionAttr : EnumAttr<Train_Dialect, Train_Distribution, "distribution">;

def Train_VariableRole : I32EnumAttr<"VariableRole", "what a variable is for", [
    I32EnumAttrCase<"Parameter", 0, "parameter">,
    I32EnumAttrCase<"Frozen", 1, "frozen">,
    I32EnumAttrCase<"OptimizerState", 2, "optimizer_state">,
    I32EnumAttrCase<"Counter", 3, "counter">,
    I32EnumAttrCase<"ScaleState", 4, "scale_state">,
    I32EnumAttrCase<"HalfCopy", 5, "half_copy">]> {
  let cppNamespace = "::amp::train";
  let genSpecializedAttr = 0;
}
def Train_VariableRoleAttr : EnumAttr<Train_Dialect, Train_VariableRole, "role">;

//===----------------------------------------------------------------------===//
// Initialisers
//===----------------------------------------------------------------------===//

def Train_ZerosAttr : Train_Attr<"Zeros", "zeros"> {
  let summary = "every element is zero";
}

def Train_ConstantAttr : Train_Attr<"Constant", "constant"> {
  let summary = "every element is `value`, rounded to the element type";
  let parameters = (ins Train_Number<>:$value);
  let assemblyFormat = "`<` $value `>`";
}

def Train_UniformAttr : Train_Attr<"Uniform", "uniform"> {
  let summary = "uniform in [low, high)";
  let parameters = (ins Train_Number<>:$low, Train_Number<>:$high);
  let assemblyFormat = "`<` $low `,` $high `>`";
  let genVerifyDecl = 1;
}

def Train_NormalAttr : Train_Attr<"Normal", "normal"> {
  let summary = "normal with `mean` and standard deviation `stddev`";
  let parameters = (ins Train_Number<>:$mean, Train_Number<>:$stddev);
  let assemblyFormat = "`<` $mean `,` $stddev `>`";
  let genVerifyDecl = 1;
}

def Train_GlorotAttr : Train_Attr<"Glorot", "glorot"> {
  let summary = "Glorot and Bengio's initialiser for a weight matrix";
  let description = [{
    Variance 2 / (fan_in + fan_out): uniform in [-a, a) with
    a = sqrt(6 / (fan_in + fan_out)), or normal with that variance
    (Glorot and Bengio, 2010). `in_axis` is the axis of the weight that is summed
    over (0 for `x . w`, 1 for `x . w^T`); the other axis is the fan out.
  }];
  let parameters = (ins EnumParameter<Train_Distribution>:$distribution,
                        DefaultValuedParameter<"int64_t", "0">:$in_axis);
  let assemblyFormat = "`<` $distribution (`,` `in_axis` `=` $in_axis^)? `>`";
}

def Train_HeAttr : Train_Attr<"He", "he"> {
  let summary = "He's initialiser for a weight matrix before a relu";
  let description = [{
    Variance 2 / fan_in: uniform in [-a, a) with a = sqrt(6 / fan_in), or normal
    with that variance (He et al., 2015). `in_axis` as in `#train.glorot`.
  }];
  let parameters = (ins EnumParameter<Train_Distribution>:$distribution,
                        DefaultValuedParameter<"int64_t", "0">:$in_axis);
  let assemblyFormat = "`<` $distribution (`,` `in_axis` `=` $in_axis^)? `>`";
}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

def Train_SgdAttr : Train_Attr<"Sgd", "sgd"> {
  let summary = "stochastic gradient descent";
  let parameters = (ins Train_Number<>:$learning_rate, Train_DefaultNumber<"0.0">:$weight_decay);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Train_MomentumAttr : Train_Attr<"Momentum", "momentum"> {
  let summary = "stochastic gradient descent with momentum, plain or Nesterov's";
  let parameters = (ins Train_Number<>:$learning_rate, Train_DefaultNumber<"0.9">:$momentum,
                        DefaultValuedParameter<"bool", "false">:$nesterov,
                        Train_DefaultNumber<"0.0">:$weight_decay);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

class Train_AdamLikeAttr<string name, string mnemonic, string decay>
    : Train_Attr<name, mnemonic> {
  let parameters = (ins Train_Number<>:$learning_rate, Train_DefaultNumber<"0.9">:$beta1,
                        Train_DefaultNumber<"0.999">:$beta2, Train_DefaultNumber<"1.0e-8">:$epsilon,
                        Train_DefaultNumber<decay>:$weight_decay);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}
def Train_AdamAttr : Train_AdamLikeAttr<"Adam", "adam", "0.0"> {
  let summary = "Adam; weight decay is added to the gradient";
}
def Train_AdamWAttr : Train_AdamLikeAttr<"AdamW", "adamw", "1.0e-2"> {
  let summary = "Adam with decoupled weight decay";
}

#endif // AMP_DIALECT_TRAIN_IR_TRAINATTRS_TD
