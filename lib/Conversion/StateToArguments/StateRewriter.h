//===- StateRewriter.h - variables of one function as arguments -----------===//
#ifndef AMP_LIB_CONVERSION_STATETOARGUMENTS_STATEREWRITER_H
#define AMP_LIB_CONVERSION_STATETOARGUMENTS_STATEREWRITER_H

#include "VariableAliases.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace amp::conversion {

/// Fails, with an error at the op, if `function` uses variables in a way that StateRewriter does
/// not cover.
llvm::LogicalResult verifyStateUses(mlir::func::FuncOp function);

/// Turns the variables that a function uses into arguments. The function has passed
/// verifyStateUses.
class StateRewriter {
public:
  /// `variables` are those of the module, in order.
  StateRewriter(mlir::func::FuncOp function, llvm::ArrayRef<train::VariableOp> variables)
      : function(function), variables(variables) {}

  void run();

private:
  /// The value that each variable has at a place of the program.
  using State = llvm::DenseMap<mlir::StringAttr, mlir::Value>;

  struct Variable {
    mlir::StringAttr name;
    mlir::RankedTensorType type;
    mlir::Value memory;
    mlir::Value tensor;
  };

  bool collectUsed();
  void addArguments();
  bool isWritable(const Variable &variable);
  void rewriteBlock(mlir::Block &block, State state);
  void rewriteGuarded(amp::GuardedOp guarded, State &state);
  void keepOldValues(mlir::Operation *write, const Names &written, State &state);
  bool mayLieIn(mlir::Value value, const Names &written);
  mlir::Value createCopy(mlir::OpBuilder &builder, mlir::Value value);
  void createWrites(mlir::Block &block, const State &state, const Names &assigned);
  mlir::Value useDestination(mlir::OpBuilder &builder, mlir::Value value, const Variable &variable);

  mlir::func::FuncOp function;
  llvm::ArrayRef<train::VariableOp> variables;
  llvm::SmallVector<Variable> used;
  VariableAliases aliases;
  /// Variables that get a new value whenever the function runs.
  Names unconditional;
  /// The scf.ifs in which a variable gets one.
  llvm::DenseMap<mlir::StringAttr, llvm::SmallPtrSet<mlir::Operation *, 2>> conditional;
};

} // namespace amp::conversion

#endif // AMP_LIB_CONVERSION_STATETOARGUMENTS_STATEREWRITER_H
