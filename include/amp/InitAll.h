//===- InitAll.h - the one list of dialects, passes and pipelines ---------===//
#ifndef AMP_INITALL_H
#define AMP_INITALL_H

#include "mlir/IR/DialectRegistry.h"

namespace amp {

/// Adds the project's dialects and the extensions that they need.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers the project's passes and pipelines with the global registry; once per process.
void registerAllPasses();

} // namespace amp

#endif // AMP_INITALL_H
