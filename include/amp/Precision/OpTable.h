//===- OpTable.h - precision models of ops that have no interface ---------===//
//
// Dialects from outside are described by tables, one JSON file per dialect in lib/Precision/Tables,
// compiled in. An op is looked up by its name, so that an unregistered op has the same model as the
// registered one.
//
//===----------------------------------------------------------------------===//
#ifndef AMP_PRECISION_OPTABLE_H
#define AMP_PRECISION_OPTABLE_H

#include "amp/Precision/PrecisionOpInterface.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace amp {

/// What an op computes, as far as the analyses of the precision pass know it: the same for all
/// dialects.
enum class OpKind {
  Other, ///< nothing is known but the class
  // Sources.
  Constant,
  Iota,   ///< positions along an axis
  Random, ///< uniform or normal random numbers
  // Elementwise, one number.
  Neg,
  Abs,
  Sign,
  Round, ///< to an integral value: ceil, floor, trunc, round
  Relu,
  Gelu,
  Exp,
  Exp2,
  Expm1,
  Log,
  Log2,
  Log10,
  Log1p,
  Sqrt,
  Rsqrt,
  Cbrt,
  Reciprocal,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Tanh,
  Sigmoid,
  Erf,
  Erfc,
  // Elementwise, several numbers.
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Pow,
  Atan2,
  Max,
  Min,
  Clamp,
  Fma,
  CopySign,
  Compare,
  Select,
  // Products.
  Contraction,
  Convolution,
  // Reductions over axes or windows.
  ReduceSum,
  ReduceMean,
  ReduceProduct,
  ReduceMax,
  ReduceMin,
  Reduce,     ///< with a region that says how
  Cumulate,   ///< running sums and products
  Softmax,    ///< along one axis
  LogSoftmax, ///< along one axis
  Normalize,  ///< by mean and variance
  // Data movement. The elements of the result are elements of the numbers that the op reads.
  Move,    ///< reshape, transpose, broadcast, slice, reverse: of the first number
  Concat,  ///< of all numbers
  Pad,     ///< of the first number, and a padding value
  Gather,  ///< of the first number, at indices
  Scatter, ///< of the first number, and updates at indices
  // Conversions.
  FloatCast,
  IntToFloat,
  FloatToInt,
  Bitcast,
};

/// The spelling of a kind in tables: "add", "reduce-sum", ...
llvm::StringRef stringifyOpKind(OpKind kind);
/// The kind of the given name; none if there is no such kind.
std::optional<OpKind> symbolizeOpKind(llvm::StringRef name);

/// The model of the ops of one name.
struct OpEntry {
  PrecisionClass precisionClass = PrecisionClass::Keep;
  OpKind kind = OpKind::Other;
  /// The operands that are numbers the op computes with; all operands of floats if there is none.
  std::optional<llvm::SmallVector<unsigned>> numbers;
  /// Whether the result leaves the op in f32 because no operand bounds it (P3).
  bool hasF32Result = false;
  /// Why the op has its class, for remarks: "overflows f16 from 11.1 on".
  std::string why;
};

/// The models of one dialect.
class OpTable {
public:
  /// Reads the text of a table. Errors begin with `name` and say where in the text they are.
  static llvm::Expected<OpTable> parse(llvm::StringRef text, llvm::StringRef name);

  /// The table that is compiled in for a dialect; null if there is none.
  static const OpTable *get(llvm::StringRef dialect);
  /// The dialects with a table, sorted.
  static llvm::ArrayRef<llvm::StringRef> getDialects();

  llvm::StringRef getDialect() const { return dialect; }
  /// The ops that convert to a wider and to a narrower float type, as `arith.extf` and
  /// `arith.truncf`; in many dialects it is one op.
  llvm::StringRef getWideningOp() const { return wideningOp; }
  llvm::StringRef getNarrowingOp() const { return narrowingOp; }
  /// Null if the table does not list the op, whose full name is given.
  const OpEntry *lookup(llvm::StringRef op) const;
  /// The full names of all ops of the table, sorted.
  llvm::SmallVector<llvm::StringRef> getOps() const;

private:
  std::string dialect, wideningOp, narrowingOp;
  llvm::StringMap<OpEntry> entries;
};

/// The entry for an op's full name in the compiled-in tables; null if there is none.
const OpEntry *lookupOpEntry(llvm::StringRef op);

} // namespace amp

#endif // AMP_PRECISION_OPTABLE_H
