//===- MatmulJit.h - matrix product kernels as callable functions ---------===//
#ifndef AMP_TEST_UNIT_TARGET_CPU_MATMULJIT_H
#define AMP_TEST_UNIT_TARGET_CPU_MATMULJIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>

namespace amp {

/// The descriptor of a matrix as compiled functions take it: MLIR's memref of rank 2.
struct MatrixRef {
  void *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};

/// Machine code of a module on buffers whose matrix products became kernels. Unlike the CPU
/// compiler it takes views with any strides, and tiles for other machines than this one.
class MatmulJit {
public:
  virtual ~MatmulJit() = default;

  struct Options {
    /// What the pass takes.
    unsigned vectorBits = 256;
    int64_t l2Bytes = 1 << 20;
  };

  /// Compiles the module in `text` (linalg on memrefs) for this machine.
  static llvm::Expected<std::unique_ptr<MatmulJit>> create(llvm::StringRef text,
                                                           const Options &options);

  /// The address of a function with the attribute `llvm.emit_c_interface`; it takes a pointer to a
  /// descriptor per argument.
  virtual llvm::Expected<void *> lookup(llvm::StringRef name) = 0;
};

} // namespace amp

#endif // AMP_TEST_UNIT_TARGET_CPU_MATMULJIT_H
