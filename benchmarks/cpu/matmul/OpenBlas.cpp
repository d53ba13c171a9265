//===- OpenBlas.cpp - the reference library, loaded when the program runs -===//

#include "OpenBlas.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

using namespace llvm;

Expected<amp::OpenBlas> amp::OpenBlas::load() {
  void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return createStringError("OpenBLAS was not found; install libopenblas0-pthread (%s)",
                             dlerror());
  OpenBlas blas;
  blas.gemm = reinterpret_cast<Gemm>(dlsym(library, "cblas_sgemm"));
  blas.getCoreName = reinterpret_cast<char *(*)()>(dlsym(library, "openblas_get_corename"));
  auto setThreads = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
  if (!blas.gemm || !blas.getCoreName || !setThreads)
    return createStringError("libopenblas.so.0 lacks cblas_sgemm, openblas_get_corename or "
                             "openblas_set_num_threads; install libopenblas0-pthread");
  setThreads(1);
  return blas;
}

void amp::OpenBlas::sgemm(bool transposeA, bool transposeB, int64_t m, int64_t n, int64_t k,
                          const float *a, const float *b, float *c) const {
  constexpr int kRowMajor = 101, kNoTranspose = 111, kTranspose = 112;
  gemm(kRowMajor, transposeA ? kTranspose : kNoTranspose, transposeB ? kTranspose : kNoTranspose, m,
       n, k, 1.0f, a, transposeA ? m : k, b, transposeB ? k : n, 1.0f, c, n);
}

std::string amp::OpenBlas::coreName() const { return getCoreName(); }

const char *amp::bestCoreType() {
  StringMap<bool> features = sys::getHostCPUFeatures();
  if (features.lookup("avx512bf16"))
    return "Cooperlake";
  if (features.lookup("avx512f") && features.lookup("avx512dq"))
    return "SkylakeX";
  if (features.lookup("avx2"))
    return sys::getHostCPUName().starts_with("znver") ? "Zen" : "Haswell";
  return "";
}

void amp::restartWithCoreType(char **argv) {
  if (std::getenv("OPENBLAS_CORETYPE") || !*bestCoreType())
    return;
  setenv("OPENBLAS_CORETYPE", bestCoreType(), 1);
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  execv("/proc/self/exe", argv);
  // Without /proc the library's own choice stands; the program prints it.
}
