//===- AmpDialect.td - the amp dialect ------------------------------------===//
#ifndef AMP_DIALECT_AMP_IR_AMPDIALECT_TD
#define AMP_DIALECT_AMP_IR_AMPDIALECT_TD

include "mlir/IR/OpBase.td"

def Amp_Dialect : Dialect {
  let name = "amp";
  let cppNamespace = "::amp";
  let summary = "What mixed precision adds to a training graph";
  let description = [{
    Casts that mark decisions of the precision pass, loss scale and unscale, the
    finite check, the scale update, and the region of everything that a skipped
    step must not change. Usable next to any other dialect.
  }];
  let extraClassDeclaration = [{
    /// On an op of any dialect: the precision that its user chose, "low", "f32" or "keep".
    static constexpr ::llvm::StringLiteral kPrecisionAttr = "amp.precision";
    /// On a module: the half type of the run, as a type attribute.
    static constexpr ::llvm::StringLiteral kLowTypeAttr = "amp.low_type";
    /// Names of the state variables of loss scaling.
    static constexpr ::llvm::StringLiteral kScaleName = "amp.scale";
    static constexpr ::llvm::StringLiteral kGrowthTrackerName = "amp.growth_tracker";
    static constexpr ::llvm::StringLiteral kHysteresisTrackerName = "amp.hysteresis_tracker";
    static constexpr ::llvm::StringLiteral kConsecutiveSkipsName = "amp.consecutive_skips";
    static constexpr ::llvm::StringLiteral kTotalSkipsName = "amp.total_skips";
  }];
}

def Amp_FloatTensor : RankedTensorOf<[F16, BF16, F32, F64]>;

class Amp_Op<string mnemonic, list<Trait> traits = []> : Op<Amp_Dialect, mnemonic, traits>;

#endif // AMP_DIALECT_AMP_IR_AMPDIALECT_TD
