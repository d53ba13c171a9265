//===- PortableMath.h - functions with the same bits everywhere -----------===//
//
// Sequences of IEEE operations in f64, without a call of the machine's mathematical library, whose
// last bits differ from version to version.
//
//===----------------------------------------------------------------------===//
#ifndef AMP_RUNTIME_PORTABLEMATH_H
#define AMP_RUNTIME_PORTABLEMATH_H

namespace amp::runtime {

/// The natural logarithm of a positive normal number, to 2 units in the last place.
double portableLog(double x);

/// cos(2 pi x) for x in [0, 1), to 2^-51. Exact at multiples of a quarter.
double portableCosTurns(double x);

} // namespace amp::runtime

#endif // AMP_RUNTIME_PORTABLEMATH_H
