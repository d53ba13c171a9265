//===- OpTable.cpp - precision models of ops that have no interface -------===//

#include "amp/Precision/OpTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace amp;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// One group: a class, its reason, and names of ops with their kinds.
static bool readGroup(const llvm::json::Value &value, llvm::json::Path path, StringRef dialect,
                      llvm::StringMap<OpEntry> &entries) {
  std::string className, resultType;
  std::map<std::string, std::string> ops;
  std::optional<std::vector<int64_t>> numbers;
  OpEntry common;
  llvm::json::ObjectMapper mapper(value, path);
  if (!mapper || !mapper.map("class", className) || !mapper.map("ops", ops) ||
      !mapper.mapOptional("why", common.why) || !mapper.mapOptional("numbers", numbers) ||
      !mapper.mapOptional("result", resultType))
    return false;
  std::optional<PrecisionClass> precisionClass = symbolizePrecisionClass(className);
  if (!precisionClass)
    return path.field("class").report("expected the name of a class"), false;
  if (!resultType.empty() && resultType != "f32")
    return path.field("result").report("expected \"f32\""), false;
  common.precisionClass = *precisionClass;
  common.hasF32Result = resultType == "f32";
  if (numbers)
    common.numbers.emplace(numbers->begin(), numbers->end());
  // A path points to the one that it goes on from.
  llvm::json::Path opsPath = path.field("ops");
  for (auto &[name, kindName] : ops) {
    llvm::json::Path place = opsPath.field(name);
    std::optional<OpKind> kind = symbolizeOpKind(kindName);
    if (!kind)
      return place.report("expected the name of a kind"), false;
    auto [entry, isNew] = entries.try_emplace((dialect + "." + name).str(), common);
    if (!isNew)
      return place.report("the op is listed twice"), false;
    entry->second.kind = *kind;
  }
  return true;
}

llvm::Expected<OpTable> OpTable::parse(StringRef text, StringRef name) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return llvm::createStringError(name + ": " + llvm::toString(value.takeError()));
  llvm::json::Path::Root root(name);
  llvm::json::Path path(root);
  OpTable table;
  int64_t version;
  llvm::json::ObjectMapper mapper(*value, path);
  if (!mapper || !mapper.map("version", version) || !mapper.map("dialect", table.dialect) ||
      !mapper.map("widen", table.wideningOp) || !mapper.map("narrow", table.narrowingOp))
    return root.getError();
  if (version != 1) {
    path.field("version").report("expected 1, the version of the format");
    return root.getError();
  }
  const llvm::json::Array *groups = value->getAsObject()->getArray("groups");
  if (!groups) {
    path.field("groups").report("expected array");
    return root.getError();
  }
  for (auto [index, group] : llvm::enumerate(*groups))
    if (!readGroup(group, path.field("groups").index(index), table.dialect, table.entries))
      return root.getError();
  return table;
}

const OpEntry *OpTable::lookup(StringRef op) const {
  auto found = entries.find(op);
  return found == entries.end() ? nullptr : &found->second;
}

llvm::SmallVector<StringRef> OpTable::getOps() const {
  llvm::SmallVector<StringRef> names = llvm::to_vector(entries.keys());
  llvm::sort(names);
  return names;
}

//===----------------------------------------------------------------------===//
// The tables of this build
//===----------------------------------------------------------------------===//

static constexpr std::pair<const char *, const char *> kTexts[] = {
#include "OpTables.inc"
};

static const llvm::StringMap<OpTable> &getTables() {
  static const llvm::StringMap<OpTable> tables = [] {
    llvm::StringMap<OpTable> read;
    for (auto &[name, text] : kTexts)
      // A unit test reads them all.
      read.try_emplace(name, llvm::cantFail(OpTable::parse(text, name)));
    return read;
  }();
  return tables;
}

const OpTable *OpTable::get(StringRef dialect) {
  auto found = getTables().find(dialect);
  return found == getTables().end() ? nullptr : &found->second;
}

llvm::ArrayRef<StringRef> OpTable::getDialects() {
  static const llvm::SmallVector<StringRef> names = [] {
    llvm::SmallVector<StringRef> sorted = llvm::to_vector(getTables().keys());
    llvm::sort(sorted);
    return sorted;
  }();
  return names;
}

const OpEntry *amp::lookupOpEntry(StringRef op) {
  const OpTable *table = OpTable::get(op.split('.').first);
  return table ? table->lookup(op) : nullptr;
}
