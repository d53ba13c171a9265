//===- Model.h - a model compiled for one precision -----------------------===//
#ifndef AMP_LIB_DRIVER_MODEL_H
#define AMP_LIB_DRIVER_MODEL_H

#include "Stages.h"
#include "amp/Precision/Summary.h"
#include "amp/Target/CPU/CpuProgram.h"

namespace amp {

/// An argument whose elements are class labels, and how many classes there are.
struct LabelArgument {
  std::string name;
  int64_t classes;
};

/// A model after all stages, ready to run.
struct CompiledModel {
  std::string amp; ///< off, f16 or bf16
  std::unique_ptr<CpuProgram> cpu;
  PrecisionSummary summary;
  /// Of the task's optimizer, for the log.
  double learningRate = 0.0;
  std::vector<LabelArgument> labels;

  const runtime::Program &program() const { return cpu->program; }
  /// "f32", "f16" or "bf16": how tables call it.
  std::string precision() const { return amp == "off" ? "f32" : amp; }
};

/// Runs autodiff, if there is a task, and the precision pass, unless `amp` is "off", on a copy of
/// `module`; prints errors.
mlir::OwningOpRef<mlir::ModuleOp> prepareModule(mlir::ModuleOp module, const DriverOptions &options,
                                                llvm::StringRef amp);

/// Compiles a copy of `module` in the precision `amp` for the CPU; prints errors.
std::optional<CompiledModel> compileModel(mlir::ModuleOp module, const DriverOptions &options,
                                          llvm::StringRef amp);

} // namespace amp

#endif // AMP_LIB_DRIVER_MODEL_H
