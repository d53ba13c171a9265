//===- InlineCalls.h - a function's body without calls --------------------===//
#ifndef AMP_LIB_AUTODIFF_INLINECALLS_H
#define AMP_LIB_AUTODIFF_INLINECALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace amp {

/// Clones the body of `function` to the builder's position, with `arguments` for its arguments, and
/// returns what it returns. In the clone, a `func.call` is replaced by the body of its callee;
/// `function` and its callees stay as they are. Fails, with an error at the call, if a callee is
/// external, recursive or has several blocks, and in the same way, with an error at `function`, for
/// `function` itself.
llvm::FailureOr<llvm::SmallVector<mlir::Value>>
cloneWithoutCalls(mlir::OpBuilder &builder, mlir::func::FuncOp function, mlir::ValueRange arguments,
                  mlir::SymbolTableCollection &symbols);

} // namespace amp

#endif // AMP_LIB_AUTODIFF_INLINECALLS_H
