//===- Rules.h - how the differentiation rules are written ----------------===//
#ifndef AMP_LIB_AUTODIFF_RULES_RULES_H
#define AMP_LIB_AUTODIFF_RULES_RULES_H

#include "amp/Autodiff/DifferentiableOpInterface.h"
#include "amp/Dialect/Train/IR/Train.h"

namespace amp {

/// What the rule of an op with one result works with.
struct RuleBuilder {
  mlir::OpBuilder &builder;
  mlir::Operation *op;
  /// The gradient of the result.
  mlir::Value grad;
  llvm::ArrayRef<bool> needed;
  llvm::MutableArrayRef<mlir::Value> operandGrads;

  bool needs(unsigned operand) const { return needed[operand]; }
  /// The type of the operand and thus of its gradient.
  mlir::Type typeOf(unsigned operand) const { return op->getOperand(operand).getType(); }
  /// Builds an op with one result.
  template <typename OpTy, typename... Args> mlir::Value create(Args &&...args) {
    return OpTy::create(builder, op->getLoc(), std::forward<Args>(args)...);
  }
  /// `value` in another type of the same shape.
  mlir::Value cast(mlir::Value value, mlir::Type type) {
    return value.getType() == type ? value : create<train::CastOp>(type, value);
  }
  void set(unsigned operand, mlir::Value gradient) { operandGrads[operand] = gradient; }
};

/// Makes the function `build` the rule of `OpTy`.
template <typename OpTy, void (*build)(OpTy, RuleBuilder &)>
struct Rule : DifferentiableOpInterface::ExternalModel<Rule<OpTy, build>, OpTy> {
  llvm::LogicalResult buildGradients(mlir::Operation *op, mlir::OpBuilder &builder,
                                     mlir::ValueRange resultGrads, llvm::ArrayRef<bool> needed,
                                     llvm::MutableArrayRef<mlir::Value> operandGrads) const {
    RuleBuilder rule{builder, op, resultGrads.front(), needed, operandGrads};
    build(llvm::cast<OpTy>(op), rule);
    return llvm::success();
  }
};

void attachElementwiseRules(mlir::MLIRContext *context);
void attachLinearRules(mlir::MLIRContext *context);
void attachLossRules(mlir::MLIRContext *context);
void attachShapeRules(mlir::MLIRContext *context);

} // namespace amp

#endif // AMP_LIB_AUTODIFF_RULES_RULES_H
