//===- MatmulJit.h - matrix product kernels as callable functions ---------===//
#ifndef AMP_BENCHMARKS_CPU_MATMUL_MATMULJIT_H
#define AMP_BENCHMARKS_CPU_MATMUL_MATMULJIT_H

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

/// Machine code of a module on buffers whose matrix products became kernels.
class MatmulJit {
public:
  virtual ~MatmulJit() = default;

  struct Options {
    /// What the pass takes; 0 stands for this machine's.
    unsigned vectorBits = 0;
    int64_t l2Bytes = 0;
    /// Changes to this machine's features, for example "-avx512f".
    std::string features;
  };

  /// Compiles the module in `text` (linalg on memrefs) for this machine.
  static llvm::Expected<std::unique_ptr<MatmulJit>> create(llvm::StringRef text,
                                                           const Options &options);

  /// The address of a function with the attribute `llvm.emit_c_interface`; it takes a pointer to a
  /// descriptor per argument.
  virtual llvm::Expected<void *> lookup(llvm::StringRef name) = 0;

  /// The width of this machine's vector registers, as the pass takes it.
  static unsigned hostVectorBits();
  /// The size of this machine's second-level cache in bytes.
  static int64_t hostL2Bytes();
};

} // namespace amp

#endif // AMP_BENCHMARKS_CPU_MATMUL_MATMULJIT_H
