//===- ExpandMath.cpp - transcendental functions as IEEE arithmetic -------===//

#include "MathBuilder.h"
#include "amp/Target/CPU/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp::cpu;

namespace amp {
#define GEN_PASS_DEF_CPUEXPANDMATH
#include "amp/Target/CPU/Passes.h.inc"
} // namespace amp

using Unary = Value (*)(MathBuilder &, Value);

/// The function in the type of the operand.
static Unary getSameType(Operation *op) {
  return llvm::TypeSwitch<Operation *, Unary>(op)
      .Case([](math::ExpOp) { return buildExp; })
      .Case([](math::Exp2Op) { return buildExp2; })
      .Case([](math::LogOp) { return buildLog; })
      .Case([](math::TanhOp) { return buildTanh; })
      .Case([](math::ErfOp) { return buildErf; })
      .Case([](math::RsqrtOp) { return buildRsqrt; })
      .Default(nullptr);
}

/// The function in f64.
static Unary getInF64(Operation *op) {
  return llvm::TypeSwitch<Operation *, Unary>(op)
      .Case([](math::ExpM1Op) { return buildExpm1; })
      .Case([](math::Log2Op) { return buildLog2; })
      .Case([](math::Log10Op) { return buildLog10; })
      .Case([](math::Log1pOp) { return buildLog1p; })
      .Default(nullptr);
}

/// Whether the C library is what computes `op`.
static bool isLibraryCall(Operation *op) {
  return isa<math::SinOp, math::CosOp, math::SincosOp, math::TanOp, math::AsinOp, math::AcosOp,
             math::AtanOp, math::Atan2Op, math::SinhOp, math::CoshOp, math::AsinhOp, math::AcoshOp,
             math::AtanhOp, math::CbrtOp, math::ErfcOp>(op);
}

static void explain(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  remark::missed(op->getLoc(), remark::RemarkOpts::name("expand-math")
                                   .category("amp-cpu")
                                   .function(function ? function.getName() : ""))
      << ("'" + op->getName().getStringRef() +
          "' is a call of the C library, whose results differ between systems")
             .str();
}

/// The exponent of math.powf, or that of math.fpowi as a number.
static Value getExponent(MathBuilder &m, Operation *op) {
  Value exponent = op->getOperand(1);
  if (isa<math::FPowIOp>(op))
    return m.toFloat(exponent);
  return getElementTypeOrSelf(exponent).isF64() ? exponent : m.extend(exponent);
}

static Value expand(Operation *op) {
  Type type = op->getResult(0).getType();
  MathBuilder m(op, type);
  Value x = op->getOperand(0);
  if (Unary build = getSameType(op))
    return build(m, x);
  MathBuilder wide = m.inF64();
  Value widened = m.isF64() ? x : wide.extend(x);
  Value result;
  if (Unary build = getInF64(op))
    result = build(wide, widened);
  else
    result = buildPow(wide, widened, getExponent(wide, op));
  return m.isF64() ? result : wide.truncate(result);
}

static bool isExpandable(Operation *op) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  return (element.isF32() || element.isF64()) &&
         (getSameType(op) || getInF64(op) || isa<math::PowFOp, math::FPowIOp>(op));
}

namespace {

struct CpuExpandMath : amp::impl::CpuExpandMathBase<CpuExpandMath> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (isLibraryCall(op))
        explain(op);
      if (!isExpandable(op))
        continue;
      op->getResult(0).replaceAllUsesWith(expand(op));
      op->erase();
    }
  }
};

} // namespace
