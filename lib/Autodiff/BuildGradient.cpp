//===- BuildGradient.cpp - the gradient of one function -------------------===//

#include "GradientBuilder.h"
#include "InlineCalls.h"
#include "amp/Autodiff/Passes.h"

namespace amp {
#define GEN_PASS_DEF_BUILDGRADIENT
#include "amp/Autodiff/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;
using namespace amp::train;

/// Whether the train dialect computes with values of `type`.
static bool isDifferentiableType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor &&
         isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(tensor.getElementType());
}

static LogicalResult verifySignature(func::FuncOp function) {
  if (function.getNumResults() != 1 || !isDifferentiableType(function.getResultTypes()[0]))
    return function.emitError(
               "expects one result, a tensor of f16, bf16, f32 or f64, to differentiate @")
           << function.getName();
  for (Type type : function.getArgumentTypes())
    if (hasFloatElements(type) && !isDifferentiableType(type))
      return function.emitError("cannot differentiate @")
             << function.getName() << " in an argument of type " << type
             << "; expects tensors of f16, bf16, f32 or f64";
  return success();
}

/// Zeros with the shape of `value`, which may be dynamic.
static Value buildZeros(OpBuilder &builder, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value zero = arith::ConstantOp::create(builder, value.getLoc(), builder.getZeroAttr(scalar));
  if (type.getRank() == 0)
    return zero;
  return BroadcastOp::create(builder, value.getLoc(), type, zero, value,
                             llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
}

namespace {

struct BuildGradient : amp::impl::BuildGradientBase<BuildGradient> {
  using BuildGradientBase::BuildGradientBase;

  void runOnOperation() final {
    SymbolTableCollection symbols;
    SymbolTable &table = symbols.getSymbolTable(getOperation());
    auto source = table.lookup<func::FuncOp>(function);
    std::string name = function + ".grad";
    if (!source) {
      getOperation().emitError("expects the option 'function' to name a func.func but got '")
          << function << "'";
      return signalPassFailure();
    }
    if (Operation *existing = table.lookup(name)) {
      InFlightDiagnostic diagnostic = source.emitError("cannot create @")
                                      << name
                                      << " because there is a symbol of this name; rename it";
      diagnostic.attachNote(existing->getLoc()) << "symbol defined here";
      return signalPassFailure();
    }
    if (failed(verifySignature(source)) || failed(build(source, name, symbols)))
      return signalPassFailure();
  }

  LogicalResult build(func::FuncOp source, StringRef name, SymbolTableCollection &symbols) {
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfter(source);
    SmallVector<Type> arguments(source.getArgumentTypes());
    auto results = llvm::to_vector(llvm::make_filter_range(arguments, isDifferentiableType));
    arguments.push_back(source.getResultTypes()[0]);
    auto gradient = func::FuncOp::create(builder, source.getLoc(), name,
                                         builder.getFunctionType(arguments, results));
    for (unsigned index : llvm::seq(source.getNumArguments()))
      gradient.setArgAttrs(index, source.getArgAttrDict(index));
    Block *block = gradient.addEntryBlock();
    builder.setInsertionPointToEnd(block);
    ValueRange inputs = block->getArguments().drop_back();
    FailureOr<SmallVector<Value>> values = cloneWithoutCalls(builder, source, inputs, symbols);
    if (failed(values))
      return failure();

    auto floats = llvm::to_vector(llvm::make_filter_range(
        inputs, [](Value input) { return isDifferentiableType(input.getType()); }));
    FailureOr<SmallVector<Value>> gradients = buildGradients(
        builder, values->front(), block->getArguments().back(), floats, source.getLoc());
    if (failed(gradients))
      return failure();
    for (auto [input, value] : llvm::zip_equal(floats, *gradients))
      if (!value)
        value = buildZeros(builder, input);
    func::ReturnOp::create(builder, source.getLoc(), *gradients);
    return success();
  }
};

} // namespace
