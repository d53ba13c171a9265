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
// Reading
//===----------------------------------------------------------------------===//

/// One group: a class, its reason, and names of ops with their kinds.
static bool readGroup(const llvm::json::Value &value, llvm::json::Path path, StringRef dialect,
                      llvm::StringMap<OpEntry> &entries) {
  std::string className, resultType, bodyName;
  std::map<std::string, std::string> ops;
  std::optional<std::vector<int64_t>> numbers;
  OpEntry common;
  llvm::json::ObjectMapper mapper(value, path);
  if (!mapper || !mapper.map("class", className) || !mapper.map("ops", ops) ||
      !mapper.mapOptional("why", common.why) || !mapper.mapOptional("numbers", numbers) ||
      !mapper.mapOptional("result", resultType) || !mapper.mapOptional("body", bodyName) ||
      !mapper.mapOptional("accumulator", common.accumulator))
    return false;
  std::optional<PrecisionClass> precisionClass = symbolizePrecisionClass(className);
  if (!precisionClass)
    return path.field("class").report("expected the name of a class"), false;
  if (!resultType.empty() && resultType != "f32")
    return path.field("result").report("expected \"f32\""), false;
  if (!bodyName.empty() && bodyName != "element" && bodyName != "flow")
    return path.field("body").report("expected \"element\" or \"flow\""), false;
  if (!bodyName.empty())
    common.body = bodyName == "flow" ? BodyKind::Flow : BodyKind::Element;
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
