//===- OpKind.h - what an op computes --------------------------------------===//
#ifndef AMP_PRECISION_OPKIND_H
#define AMP_PRECISION_OPKIND_H

#include "llvm/ADT/StringRef.h"
#include <optional>

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
  // Control flow by structure, of ops without an interface.
  Loop,   ///< operands, arguments of both regions, what the second gives, and results correspond
  Branch, ///< regions that take the last operands and give the results
  Pass,   ///< each operand is a result
};

/// The spelling of a kind in tables: "add", "reduce-sum", ...
llvm::StringRef stringifyOpKind(OpKind kind);
/// The kind of the given name; none if there is no such kind.
std::optional<OpKind> symbolizeOpKind(llvm::StringRef name);

} // namespace amp

#endif // AMP_PRECISION_OPKIND_H
