//===- PrecisionOpInterface.cpp - how an op takes part in assignment ------===//

#include "amp/Precision/PrecisionOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

static constexpr std::pair<llvm::StringLiteral, amp::PrecisionClass> kClassNames[] = {
    {"allow", amp::PrecisionClass::Allow},
    {"deny", amp::PrecisionClass::Deny},
    {"internal-f32", amp::PrecisionClass::InternalF32},
    {"promote", amp::PrecisionClass::Promote},
    {"clear", amp::PrecisionClass::Clear},
    {"keep", amp::PrecisionClass::Keep},
};

llvm::StringRef amp::stringifyPrecisionClass(PrecisionClass value) {
  return llvm::find_if(kClassNames, [&](auto &entry) { return entry.second == value; })->first;
}

std::optional<amp::PrecisionClass> amp::symbolizePrecisionClass(llvm::StringRef name) {
  for (auto &[known, value] : kClassNames)
    if (known == name)
      return value;
  return std::nullopt;
}

bool amp::hasFloatElements(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

#include "amp/Precision/PrecisionOpInterface.cpp.inc"
