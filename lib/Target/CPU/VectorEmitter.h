//===- VectorEmitter.h - writes a nest as loops of vectors ----------------===//
#ifndef AMP_LIB_TARGET_CPU_VECTOREMITTER_H
#define AMP_LIB_TARGET_CPU_VECTOREMITTER_H

#include "VectorPlan.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace amp::cpu {

/// A number or vector as it lies in memory, and back as `element`: i1 as bytes, halves as integers.
mlir::Value toStored(mlir::ImplicitLocOpBuilder &b, mlir::Value value);
mlir::Value fromStored(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::Type element);

/// The lanes that the last vector of a row has; all 16 of any other.
struct Lanes {
  bool arePartial() const { return static_cast<bool>(mask); }

  /// True for the lanes in the row; null if all are.
  mlir::Value mask;
  /// How many those are, and the same as a number if it is known.
  mlir::Value count;
  int64_t fixed = 0;
};

/// Loads or stores the first lanes of a vector at consecutive elements. Lanes beyond load zero.
mlir::Value loadLanes(mlir::ImplicitLocOpBuilder &b, mlir::Value buffer, mlir::ValueRange indices,
                      const Lanes &lanes);
void storeLanes(mlir::ImplicitLocOpBuilder &b, mlir::Value vector, mlir::Value buffer,
                mlir::ValueRange indices, const Lanes &lanes);

/// Writes a nest before its op, as `scf` loops around operations on `vector<16x...>`. The last
/// elements of a row that do not fill a vector are one vector with fewer lanes in use.
class VectorEmitter {
public:
  VectorEmitter(const LoopNest &nest, const VectorPlan &plan);
  void run();

private:
  using Values = llvm::SmallVector<mlir::Value>;

  // Addresses.
  void prepareOperands();
  mlir::Value createExtent(unsigned loop);
  Values createIndices(unsigned operand, mlir::Value position);
  mlir::Value loadScalar(unsigned operand);
  void storeScalar(unsigned operand, mlir::Value value);
  mlir::Value loadVector(unsigned operand, mlir::Value position, const Lanes &lanes);
  mlir::Value gather(unsigned operand, mlir::Value position, const Lanes &lanes);

  // The body.
  void beginRow();
  mlir::Value splat(mlir::Value scalar);
  mlir::Value getVector(mlir::Value inBody, mlir::IRMapping &vectors);
  mlir::IRMapping createBody(mlir::Value position, const Lanes &lanes);
  mlir::Value createLoad(mlir::Operation *load, mlir::Value position, const Lanes &lanes,
                         mlir::IRMapping &vectors);

  // Loops.
  void createLoops(llvm::ArrayRef<unsigned> order, llvm::function_ref<void()> inner);
  /// Accumulators are carried as they would be stored.
  Values createReductionLoops(llvm::ArrayRef<unsigned> order, const Values &accumulators);
  /// Runs `inner` for every vector of the row; it takes the position, the lanes and the carried
  /// values, and returns the next ones.
  Values createRow(Values carried,
                   llvm::function_ref<Values(mlir::Value, const Lanes &, mlir::ValueRange)> inner);
  void emitParallel();
  void emitReduction();
  mlir::Value combineLanes(const Combiner &combiner, mlir::Value lanes);
  mlir::Value combine(const Combiner &combiner, mlir::Value term, mlir::Value accumulator);

  mlir::VectorType vectorOf(mlir::Type element, int64_t lanes = kLanes);
  mlir::Value createIndex(int64_t value);

  const LoopNest &nest;
  const VectorPlan &plan;
  mlir::ImplicitLocOpBuilder b;
  /// Per operand: the collapsed buffer, integers in place of i1 and halves; or the number.
  Values buffers;
  /// Per loop.
  Values extents, positions;
  /// Scalars and their splats of the current row.
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, mlir::Value> splats;
};

} // namespace amp::cpu

#endif // AMP_LIB_TARGET_CPU_VECTOREMITTER_H
