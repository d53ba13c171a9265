//===- StoreBF16AsIntegers.cpp - no code generator sees a bf16 ------------===//

#include "amp/Target/CPU/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_CPUSTOREBF16ASINTEGERS
#include "amp/Target/CPU/Passes.h.inc"
} // namespace amp

/// Replaces bf16 by i16 in types, and numbers of the one by the same bits of the other.
static void addReplacements(AttrTypeReplacer &replacer, MLIRContext *context) {
  Type integer = IntegerType::get(context, 16);
  replacer.addReplacement([=](BFloat16Type) { return integer; });
  replacer.addReplacement([=](FloatAttr attr) -> std::optional<Attribute> {
    if (!attr.getType().isBF16())
      return std::nullopt;
    return IntegerAttr::get(integer, attr.getValue().bitcastToAPInt());
  });
  replacer.addReplacement(
      [=](DenseElementsAttr attr) -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!attr.getElementType().isBF16())
          return std::nullopt;
        return std::make_pair(Attribute(attr.bitcast(integer)), WalkResult::skip());
      });
}

namespace {

struct CpuStoreBF16AsIntegers : amp::impl::CpuStoreBF16AsIntegersBase<CpuStoreBF16AsIntegers> {
  void runOnOperation() override {
    AttrTypeReplacer replacer;
    addReplacements(replacer, &getContext());
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false, /*replaceTypes=*/true);
  }
};

} // namespace
