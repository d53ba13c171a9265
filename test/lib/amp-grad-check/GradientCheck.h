//===- GradientCheck.h - a gradient function against differences ----------===//
//
// For f with float arguments x and a fixed random seed s, let phi(x) = sum_i s_i f(x)_i. The
// gradient function gives g_j = d phi / d x_j for every element of every float argument; the check
// is against the central difference
//
//   D(h) = (phi(x + h e_j) - phi(x - h e_j)) / (2 h),   all in f64, with h = 2^-17.
//
// Two errors make D(h) differ from the derivative:
//
// - Truncation: D(h) = g_j + h^2 phi''' / 6 + O(h^4). As D(2h) = g_j + 4 h^2 phi''' / 6 + O(h^4),
// the difference
//   |D(2h) - D(h)| is three times the truncation error of D(h), which leaves a factor 3 for O(h^4).
// - Rounding: each of the two phi is off by at most k eps S, where S = sum_i |s_i| max(1,
// |f(x)_i|), eps = 2^-53 and k is
//   the number of roundings on a path through f (option --roundings; the polynomials of
//   transcendentals count about 20 each). D(h) is then off by at most k eps S / h. The 1 in S is
//   for values inside f that are larger than f itself: inputs and thus the values between are of
//   order 1.
//
// So the tolerance is |D(2h) - D(h)| + k eps S / h, and h is near (k eps)^(1/3), where the two are
// of the same order. It depends on f alone: a wrong gradient cannot widen it. Where f has a kink
// within 2 h of x, |D(2h) - D(h)| is no longer small; beyond 1e-6 max(1, |D(h)|) that is an error
// of its own, as the check would mean nothing.
//
//===----------------------------------------------------------------------===//
#ifndef AMP_TEST_LIB_GRADIENTCHECK_H
#define AMP_TEST_LIB_GRADIENTCHECK_H

#include "amp/Target/CPU/CpuCompiler.h"

namespace amp::test {

struct GradientCheckOptions {
  /// Float arguments are uniform in [low, high), integer ones in [0, labels).
  double low = -1, high = 1;
  int64_t labels = 1;
  /// The extent that dynamic dimensions get.
  int64_t dim = 3;
  uint64_t seed = 0;
  /// The k of the tolerance.
  double roundings = 32;
};

/// What the check of one function found.
struct GradientCheckResult {
  int64_t derivatives = 0;
  /// The largest error and the largest error / tolerance over all derivatives.
  double maxError = 0, maxRatio = 0;
};

/// Checks @<name>.grad against @<name>, both in `module`, at one random point. The error names the
/// first derivative that is off.
llvm::Expected<GradientCheckResult> checkGradient(const CompiledModule &module,
                                                  llvm::StringRef name,
                                                  const GradientCheckOptions &options);

} // namespace amp::test

#endif // AMP_TEST_LIB_GRADIENTCHECK_H
