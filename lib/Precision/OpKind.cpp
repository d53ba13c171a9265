//===- OpKind.cpp - what an op computes ------------------------------------===//

#include "amp/Precision/OpKind.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace amp;
using llvm::StringRef;

static constexpr std::pair<llvm::StringLiteral, OpKind> kKinds[] = {
    {"other", OpKind::Other},
    {"constant", OpKind::Constant},
    {"iota", OpKind::Iota},
    {"random", OpKind::Random},
    {"neg", OpKind::Neg},
    {"abs", OpKind::Abs},
    {"sign", OpKind::Sign},
    {"round", OpKind::Round},
    {"relu", OpKind::Relu},
    {"gelu", OpKind::Gelu},
    {"exp", OpKind::Exp},
    {"exp2", OpKind::Exp2},
    {"expm1", OpKind::Expm1},
    {"log", OpKind::Log},
    {"log2", OpKind::Log2},
    {"log10", OpKind::Log10},
    {"log1p", OpKind::Log1p},
    {"sqrt", OpKind::Sqrt},
    {"rsqrt", OpKind::Rsqrt},
    {"cbrt", OpKind::Cbrt},
    {"reciprocal", OpKind::Reciprocal},
    {"sin", OpKind::Sin},
    {"cos", OpKind::Cos},
    {"tan", OpKind::Tan},
    {"asin", OpKind::Asin},
    {"acos", OpKind::Acos},
    {"atan", OpKind::Atan},
    {"sinh", OpKind::Sinh},
    {"cosh", OpKind::Cosh},
    {"tanh", OpKind::Tanh},
    {"sigmoid", OpKind::Sigmoid},
    {"erf", OpKind::Erf},
    {"erfc", OpKind::Erfc},
    {"add", OpKind::Add},
    {"sub", OpKind::Sub},
    {"mul", OpKind::Mul},
    {"div", OpKind::Div},
    {"rem", OpKind::Rem},
    {"pow", OpKind::Pow},
    {"atan2", OpKind::Atan2},
    {"max", OpKind::Max},
    {"min", OpKind::Min},
    {"clamp", OpKind::Clamp},
    {"fma", OpKind::Fma},
    {"copysign", OpKind::CopySign},
    {"compare", OpKind::Compare},
    {"select", OpKind::Select},
    {"contraction", OpKind::Contraction},
    {"convolution", OpKind::Convolution},
    {"reduce-sum", OpKind::ReduceSum},
    {"reduce-mean", OpKind::ReduceMean},
    {"reduce-product", OpKind::ReduceProduct},
    {"reduce-max", OpKind::ReduceMax},
    {"reduce-min", OpKind::ReduceMin},
    {"reduce", OpKind::Reduce},
    {"cumulate", OpKind::Cumulate},
    {"softmax", OpKind::Softmax},
    {"log-softmax", OpKind::LogSoftmax},
    {"normalize", OpKind::Normalize},
    {"move", OpKind::Move},
    {"concat", OpKind::Concat},
    {"pad", OpKind::Pad},
    {"gather", OpKind::Gather},
    {"scatter", OpKind::Scatter},
    {"float-cast", OpKind::FloatCast},
    {"int-to-float", OpKind::IntToFloat},
    {"float-to-int", OpKind::FloatToInt},
    {"bitcast", OpKind::Bitcast},
    {"loop", OpKind::Loop},
    {"branch", OpKind::Branch},
    {"pass", OpKind::Pass},
};

StringRef amp::stringifyOpKind(OpKind kind) {
  for (auto &[name, value] : kKinds)
    if (value == kind)
      return name;
  llvm_unreachable("every kind has a name");
}

std::optional<OpKind> amp::symbolizeOpKind(StringRef name) {
  for (auto &[known, value] : kKinds)
    if (known == name)
      return value;
  return std::nullopt;
}
