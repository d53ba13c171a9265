//===- RandomGraph.cpp - small graphs for the oracle of the cut -------------===//

#include "RandomGraph.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace amp;
using llvm::ArrayRef;
using llvm::formatv;
using llvm::SmallVector;

namespace {

class GraphWriter {
public:
  GraphWriter(std::mt19937 &random, unsigned maxOps)
      : random(random), left(maxOps), isTrain(random() % 2 == 0) {
    static constexpr unsigned kSizes[] = {4, 16, 64, 256};
    size = kSizes[random() % 4];
    matrix = formatv("tensor<{0}x{0}xf32>", size);
    row = formatv("tensor<{0}xf32>", size);
    other = formatv("tensor<{0}x{0}xbf16>", size);
  }

  std::string write();

private:
  /// Values of one type that stand at a place in the program.
  struct Scope {
    SmallVector<std::string> matrices, rows;
  };

  bool flip(unsigned outOf) { return random() % outOf == 0; }
  std::string pick(ArrayRef<std::string> values) { return values[random() % values.size()]; }
  std::string read(Scope &scope) {
    // Late values make chains, early ones make values with many readers.
    size_t count = scope.matrices.size();
    std::string name = flip(2) ? scope.matrices[count - 1 - random() % std::min<size_t>(count, 2)]
                               : pick(scope.matrices);
    unread.erase(name);
    return name;
  }
  std::string makeName() { return formatv("%v{0}", nextName++); }
  std::string makeId() { return formatv("test.id = {0} : i64", nextId++); }
  void add(Scope &scope, const std::string &name) {
    scope.matrices.push_back(name);
    unread.insert(name);
  }

  void writeLine(const std::string &result, const char *name, const std::string &operand,
                 const std::string &from, const std::string &to);
  void writeOp(Scope &scope, const char *name, SmallVector<std::string> operands,
               const char *attributes = "");
  void writeSimple(Scope &scope);
  void writeOtherHalf(Scope &scope, const std::string &value);
  void writeQuotient(Scope &scope, const std::string &value);
  void writeReduction(Scope &scope, const std::string &value);
  void writeBroadcast(Scope &scope);
  void sinkUnread(ArrayRef<std::string> values);
  void writeBody(Scope scope);
  void writeLoop(Scope &scope);
  void writeBranch(Scope &scope);

  std::mt19937 &random;
  unsigned left;
  bool isTrain;
  unsigned size, nextName = 0, nextId = 0;
  std::string matrix, row, other, text;
  llvm::StringSet<> unread;
};

} // namespace

void GraphWriter::writeLine(const std::string &result, const char *name, const std::string &operand,
                            const std::string &from, const std::string &to) {
  text += formatv("{0}{1}\"{2}\"({3}) {{{4}} : ({5}) -> {6}\n", result, result.empty() ? "" : " = ",
                  name, operand, makeId(), from, to);
}

void GraphWriter::writeOp(Scope &scope, const char *name, SmallVector<std::string> operands,
                          const char *attributes) {
  std::string result = makeName();
  SmallVector<std::string> types(operands.size(), matrix);
  text +=
      formatv("{0} = \"{1}\"({2}) {{{3}{4}} : ({5}) -> {6}\n", result, name,
              llvm::join(operands, ", "), attributes, makeId(), llvm::join(types, ", "), matrix);
  add(scope, result);
}

/// One op of each class, contractions more often than the others.
void GraphWriter::writeSimple(Scope &scope) {
  std::string lhs = read(scope);
  switch (random() % 15) {
  case 0:
  case 1:
  case 2:
  case 3:
    return writeOp(scope, isTrain && !flip(4) ? "train.matmul" : "stablehlo.dot",
                   {lhs, read(scope)});
  case 4:
    return writeOp(scope, isTrain ? "train.add" : "stablehlo.add", {lhs, read(scope)});
  case 5:
    return writeOp(scope, isTrain ? "train.mul" : "stablehlo.multiply", {lhs, read(scope)});
  case 6:
    return writeOp(scope, isTrain ? "train.sub" : "stablehlo.maximum", {lhs, read(scope)});
  case 7:
    return writeOp(scope, isTrain ? "train.relu" : "stablehlo.negate", {lhs});
  case 8:
    return writeOp(scope, isTrain ? "train.transpose" : "stablehlo.transpose", {lhs},
                   "permutation = array<i64: 1, 0>, ");
  case 9:
    return writeOp(scope, isTrain ? "train.tanh" : "stablehlo.tanh", {lhs});
  case 10:
    return writeOp(scope, isTrain ? "train.sigmoid" : "stablehlo.exponential", {lhs});
  case 11:
    return writeOtherHalf(scope, lhs);
  case 12:
    return writeQuotient(scope, lhs);
  case 13:
    if (isTrain)
      return writeReduction(scope, lhs);
    unread.insert(lhs);
    return writeBroadcast(scope);
  default:
    return writeOp(scope, "test.keep", {lhs});
  }
}

/// A value that a user rounded to the other half type, and one that is made from it.
void GraphWriter::writeOtherHalf(Scope &scope, const std::string &value) {
  std::string rounded = makeName(), back = makeName();
  const char *narrow = isTrain ? "arith.truncf" : "stablehlo.convert";
  const char *widen = isTrain ? "arith.extf" : "stablehlo.convert";
  writeLine(rounded, narrow, value, matrix, other);
  writeLine(back, widen, rounded, other, matrix);
  add(scope, back);
}

/// A quotient whose divisor holds an epsilon that f16 does not (P2), or another number.
void GraphWriter::writeQuotient(Scope &scope, const std::string &value) {
  std::string constant = makeName();
  const char *number = flip(2) ? "1.0e-05" : "1.0";
  text +=
      formatv("{0} = arith.constant {{{1}} dense<{2}> : {3}\n", constant, makeId(), number, matrix);
  writeOp(scope, isTrain ? "train.add" : "stablehlo.add", {value, constant});
  std::string divisor = scope.matrices.back();
  unread.erase(divisor);
  writeOp(scope, isTrain ? "train.div" : "stablehlo.divide", {read(scope), divisor});
}

/// A sum, which stays f32 (P3), or a maximum.
void GraphWriter::writeReduction(Scope &scope, const std::string &value) {
  std::string result = makeName();
  text += formatv("{0} = train.reduce {1} {2} dimensions [1] {{{3}} : ({4}) -> {5}\n", result,
                  flip(2) ? "sum" : "max", value, makeId(), matrix, row);
  writeLine("", "test.sink", result, row, "()");
}

void GraphWriter::writeBroadcast(Scope &scope) {
  std::string result = makeName(), from = pick(scope.rows);
  if (flip(2)) {
    // One that is computed.
    std::string negated = makeName();
    writeLine(negated, flip(2) ? "stablehlo.negate" : "stablehlo.tanh", from, row, row);
    from = negated;
  }
  text +=
      formatv("{0} = \"stablehlo.broadcast_in_dim\"({1}) {{broadcast_dimensions = array<i64: 1>, "
              "{2}} : ({3}) -> {4}\n",
              result, from, makeId(), row, matrix);
  add(scope, result);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void GraphWriter::sinkUnread(ArrayRef<std::string> values) {
  for (const std::string &value : values)
    if (unread.erase(value))
      writeLine("", "test.sink", value, matrix, "()");
}

/// Ops of a region, which gives one of its values.
void GraphWriter::writeBody(Scope scope) {
  size_t outside = scope.matrices.size();
  for (unsigned count = 1 + random() % 3; count > 0 && left > 0; --count, --left)
    writeSimple(scope);
  std::string result = read(scope);
  sinkUnread(ArrayRef(scope.matrices).drop_front(outside));
  writeLine("", "scf.yield", result, matrix, "()");
}

void GraphWriter::writeLoop(Scope &scope) {
  std::string result = makeName(), carried = makeName(), init = read(scope);
  text += formatv("{0} = scf.for %i = %zero to %n{1} step %one iter_args({2} = {3}) -> ({4}) {{\n",
                  result, 2 + random() % 3, carried, init, matrix);
  Scope inner = scope;
  inner.matrices.push_back(carried);
  writeBody(inner);
  text += formatv("} {{{0}}\n", makeId());
  add(scope, result);
}

void GraphWriter::writeBranch(Scope &scope) {
  std::string result = makeName();
  text += formatv("{0} = scf.if %flag -> ({1}) {{\n", result, matrix);
  writeBody(scope);
  text += "} else {\n";
  writeBody(scope);
  text += formatv("} {{{0}}\n", makeId());
  add(scope, result);
}

std::string GraphWriter::write() {
  Scope scope;
  scope.matrices = {"%a", "%b"};
  scope.rows = {"%r"};
  text = formatv("func.func @f(%a: {0}, %b: {0}, %r: {1}, %flag: i1) {{\n", matrix, row);
  for (auto [name, number] : {std::pair("zero", 0), {"one", 1}, {"n2", 2}, {"n3", 3}, {"n4", 4}})
    text += formatv("%{0} = arith.constant {1} : index\n", name, number);
  // The second does not fit f16.
  for (const char *number : {"0.5", "1.0e+06"})
    if (flip(3)) {
      std::string name = makeName();
      text +=
          formatv("{0} = arith.constant {{{1}} dense<{2}> : {3}\n", name, makeId(), number, matrix);
      scope.matrices.push_back(name);
    }
  while (left > 0) {
    --left;
    if (flip(8))
      writeLoop(scope);
    else if (flip(10))
      writeBranch(scope);
    else
      writeSimple(scope);
  }
  sinkUnread(scope.matrices);
  text += "return\n}\n";
  return text;
}

std::string amp::makeRandomGraph(std::mt19937 &random, unsigned maxOps) {
  return GraphWriter(random, maxOps).write();
}
