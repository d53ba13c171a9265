//===- LoopBuilder.h - shorthands to write loops over buffers -------------===//
#ifndef AMP_LIB_TARGET_CPU_LOOPBUILDER_H
#define AMP_LIB_TARGET_CPU_LOOPBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace amp::cpu {

/// Builds index arithmetic and structured loops at one location.
class LoopBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  using Value = mlir::Value;

  Value index(int64_t value) { return mlir::arith::ConstantIndexOp::create(*this, value); }
  Value add(Value a, Value b) { return createOrFold<mlir::arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) { return createOrFold<mlir::arith::SubIOp>(a, b); }
  Value mul(Value a, Value b) { return createOrFold<mlir::arith::MulIOp>(a, b); }
  Value min(Value a, Value b) { return createOrFold<mlir::arith::MinSIOp>(a, b); }
  /// The least multiple of `step` that is not below `a`.
  Value roundUp(Value a, int64_t step) {
    return mul(createOrFold<mlir::arith::CeilDivSIOp>(a, index(step)), index(step));
  }
  Value equal(Value a, Value b) { return compare(mlir::arith::CmpIPredicate::eq, a, b); }
  Value atMost(Value a, Value b) { return compare(mlir::arith::CmpIPredicate::sle, a, b); }
  Value less(Value a, Value b) { return compare(mlir::arith::CmpIPredicate::slt, a, b); }
  /// Bitwise; of conditions, both.
  Value both(Value a, Value b) { return createOrFold<mlir::arith::AndIOp>(a, b); }

  /// for i in [from, to) by step: body(i)
  void loop(Value from, Value to, Value step, llvm::function_ref<void(Value)> body) {
    auto op = mlir::scf::ForOp::create(*this, from, to, step);
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPointToStart(op.getBody());
    body(op.getInductionVar());
  }
  void loop(Value to, int64_t step, llvm::function_ref<void(Value)> body) {
    loop(index(0), to, index(step), body);
  }

  /// values = start; for k in [0, to): values = body(k, values). The body ends with scf.yield.
  mlir::scf::ForOp reduce(Value to, mlir::ValueRange start, mlir::scf::ForOp::BodyBuilderFn body) {
    auto op = mlir::scf::ForOp::create(*this, index(0), to, index(1), start);
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPointToStart(op.getBody());
    body(*this, getLoc(), op.getInductionVar(), op.getRegionIterArgs());
    return op;
  }

  /// if (condition) then() else otherwise()
  void branch(Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise) {
    auto op = mlir::scf::IfOp::create(*this, condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPointToStart(op.thenBlock());
    then();
    setInsertionPointToStart(op.elseBlock());
    otherwise();
  }

private:
  Value compare(mlir::arith::CmpIPredicate predicate, Value a, Value b) {
    return createOrFold<mlir::arith::CmpIOp>(predicate, a, b);
  }
};

} // namespace amp::cpu

#endif // AMP_LIB_TARGET_CPU_LOOPBUILDER_H
