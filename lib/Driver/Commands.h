//===- Commands.h - the things amp-run can do -----------------------------===//
#ifndef AMP_LIB_DRIVER_COMMANDS_H
#define AMP_LIB_DRIVER_COMMANDS_H

#include "Model.h"

namespace amp {

/// --emit: prints the module after a stage.
int emitStage(mlir::ModuleOp module, const DriverOptions &options);

/// --entry: calls one function once.
int callEntry(mlir::ModuleOp module, const DriverOptions &options);

/// Trains once in the precision of --amp.
int trainOnce(mlir::ModuleOp module, const DriverOptions &options);

/// --compare: trains in f32 and in mixed precision and compares.
int comparePrecisions(mlir::ModuleOp module, const DriverOptions &options);

} // namespace amp

#endif // AMP_LIB_DRIVER_COMMANDS_H
