//===- Stages.h - a model's way through the compiler stages ---------------===//
#ifndef AMP_LIB_DRIVER_STAGES_H
#define AMP_LIB_DRIVER_STAGES_H

#include "amp/Driver/Driver.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace amp {

/// A context that knows all dialects and prints every diagnostic with its place in the source to
/// stderr.
class StageContext {
public:
  StageContext();
  ~StageContext();
  mlir::MLIRContext &get();

  /// Parses and verifies the file, "-" for standard input; errors are printed.
  mlir::OwningOpRef<mlir::ModuleOp> load(const std::string &path);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Runs the passes of `pipeline` ("a,b{option=1}") on `module`; errors are printed.
llvm::LogicalResult runPasses(mlir::ModuleOp module, llvm::StringRef pipeline);

/// The pass `amp` with the options of a run and the half type `dtype`, as pipeline text.
std::string getPrecisionPass(const DriverOptions &options, llvm::StringRef dtype);

} // namespace amp

#endif // AMP_LIB_DRIVER_STAGES_H
