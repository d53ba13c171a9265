//===- PrecisionOpInterface.h - how an op takes part in assignment --------===//
#ifndef AMP_PRECISION_PRECISIONOPINTERFACE_H
#define AMP_PRECISION_PRECISIONOPINTERFACE_H

#include "amp/Precision/OpKind.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace amp {

/// What an op wants its operands and results to be. "Low" is the half type of the run, f16 or bf16.
enum class PrecisionClass {
  Allow,       ///< low operands, accumulation in f32: contractions.
  Deny,        ///< f32 operands and results: losses, optimizers.
  InternalF32, ///< computes in f32 whatever it reads; its result follows its operands.
  Promote,     ///< low if every number is low or can be cast at a leaf, else f32.
  Clear,       ///< transparent: the result has the type of the operand.
  Keep,        ///< never touched.
};

/// The class's name as policies, remarks and reports spell it: "allow", "internal-f32", ...
llvm::StringRef stringifyPrecisionClass(PrecisionClass value);

/// The class with the given name; none if there is no such class.
std::optional<PrecisionClass> symbolizePrecisionClass(llvm::StringRef name);

/// Whether `type` is a float or a shaped type of floats.
bool hasFloatElements(mlir::Type type);

} // namespace amp

#include "amp/Precision/PrecisionOpInterface.h.inc"

#endif // AMP_PRECISION_PRECISIONOPINTERFACE_H
