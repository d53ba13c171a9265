//===- CostModel.h - what an assignment costs --------------------------------===//
#ifndef AMP_LIB_PRECISION_CUT_COSTMODEL_H
#define AMP_LIB_PRECISION_CUT_COSTMODEL_H

#include "../Model/OpModel.h"
#include "MinCut.h"
#include "Target.h"

namespace amp {

/// The number of elements of a value; sizes that are not known count as `assumedSize`.
double countElements(mlir::Type type, int64_t assumedSize);

/// Times of single terms, in picoseconds. An assignment costs the sum of its terms: nothing runs in
/// parallel with anything, so that every term stands alone.
class CostModel {
public:
  using Cost = MinCut::Cost;

  CostModel(const Target &target, mlir::FloatType low, int64_t assumedSize)
      : target(target), low(low), assumedSize(assumedSize) {}

  /// Arithmetic of a contraction with operands in f32 or low.
  Cost getArithmetic(mlir::Operation *op, bool isLow) const;
  /// One way between memory and compute of a value, in f32 or low.
  Cost getTraffic(mlir::Type type, bool isLow) const;
  /// A pass over memory that reads a value in one type and has its own launch; what it writes is
  /// counted with the copy.
  Cost getCastPass(mlir::Type type, bool readsLow) const;

private:
  double countElements(mlir::Type type) const { return amp::countElements(type, assumedSize); }
  double countOperations(mlir::Operation *op) const;

  const Target &target;
  mlir::FloatType low;
  int64_t assumedSize;
};

} // namespace amp

#endif // AMP_LIB_PRECISION_CUT_COSTMODEL_H
