//===- OpenBlas.h - the reference library, loaded when the program runs ---===//
#ifndef AMP_BENCHMARKS_CPU_MATMUL_OPENBLAS_H
#define AMP_BENCHMARKS_CPU_MATMUL_OPENBLAS_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace amp {

/// OpenBLAS's sgemm on one thread.
class OpenBlas {
public:
  /// Loads libopenblas.so.0; the error says what to install.
  static llvm::Expected<OpenBlas> load();

  /// C (M x N, rows contiguous) += op(A) op(B). A transposed operand is stored with its other
  /// dimension contiguous.
  void sgemm(bool transposeA, bool transposeB, int64_t m, int64_t n, int64_t k, const float *a,
             const float *b, float *c) const;

  /// The kernels that it uses, for example SkylakeX.
  std::string coreName() const;

private:
  using Gemm = void (*)(int order, int transA, int transB, int m, int n, int k, float alpha,
                        const float *a, int lda, const float *b, int ldb, float beta, float *c,
                        int ldc);
  Gemm gemm = nullptr;
  char *(*getCoreName)() = nullptr;
};

/// The value of OPENBLAS_CORETYPE for this CPU. OpenBLAS 0.3.21 takes new CPUs for old ones
/// unless it is told.
const char *bestCoreType();

/// Starts the program anew with OPENBLAS_CORETYPE and OPENBLAS_NUM_THREADS=1 set, unless the
/// former is set already: the library reads them when it is loaded.
void restartWithCoreType(char **argv);

} // namespace amp

#endif // AMP_BENCHMARKS_CPU_MATMUL_OPENBLAS_H
