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

/// Writes a nest before its op, as `scf` loops around operations on `vector<16x...>`. The last
/// elements of a row that do not fill a vector are one masked vector.
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
  mlir::Value loadVector(unsigned operand, mlir::Value position, mlir::Value mask);
  mlir::Value loadLanes(unsigned operand, mlir::Value position, mlir::Value mask);
  void storeVector(unsigned operand, mlir::Value position, mlir::Value mask, mlir::Value vector);

  // The body.
  void beginRow();
  mlir::Value splat(mlir::Value scalar);
  mlir::Value getVector(mlir::Value inBody, mlir::IRMapping &vectors);
  mlir::IRMapping createBody(mlir::Value position, mlir::Value mask);
  mlir::Value createLoad(mlir::Operation *load, mlir::Value position, mlir::Value mask,
                         mlir::IRMapping &vectors);

  // Loops.
  void createLoops(llvm::ArrayRef<unsigned> order, llvm::function_ref<void()> inner);
  /// Accumulators are carried as they would be stored.
  Values createReductionLoops(llvm::ArrayRef<unsigned> order, Values accumulators);
  /// Runs `inner` for every vector of the row; it takes the position, the mask of a last vector
  /// that is not full (else null) and the carried values, and returns the next ones.
  Values createRow(Values carried,
                   llvm::function_ref<Values(mlir::Value, mlir::Value, mlir::ValueRange)> inner);
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
