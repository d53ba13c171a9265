//===- Policy.cpp - a user's choice of precision classes ------------------===//

#include "amp/Precision/Policy.h"
#include "JsonLocations.h"
#include "amp/Precision/OpTable.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace amp;

static constexpr llvm::StringLiteral kKeys[] = {"version", "classes", "tables"};
static constexpr llvm::StringLiteral kClasses[] = {"allow",   "deny",  "internal-f32",
                                                   "promote", "clear", "keep"};

std::string amp::suggestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> known) {
  llvm::StringRef nearest;
  unsigned best = std::max<size_t>(2, name.size() / 2) + 1;
  for (llvm::StringRef candidate : known) {
    unsigned distance = name.edit_distance(candidate, /*AllowReplacements=*/true, best);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  if (!nearest.empty())
    return ("; did you mean '" + nearest + "'?").str();
  return "; expected one of " + llvm::join(known, ", ");
}

namespace {

/// Reads one text; every method gives the message of the first error.
class PolicyReader {
public:
  PolicyReader(llvm::StringRef text, llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> knownOps)
      : text(text), name(name), knownOps(knownOps) {}

  llvm::Error readVersion(const llvm::json::Object &object) const;
  llvm::Error readClasses(const llvm::json::Object &object,
                          llvm::StringMap<PrecisionClass> &classes) const;
  llvm::Error readTables(const llvm::json::Object &object,
                         std::optional<llvm::StringSet<>> &tables) const;
  llvm::Error checkKeys(const llvm::json::Object &object) const;
  llvm::Expected<llvm::json::Value> readText() const;

private:
  llvm::Error fail(const std::string &place, const llvm::Twine &message) const {
    return llvm::createStringError(name + ":" + place + ": " + message);
  }
  /// Where a value has the wrong kind.
  llvm::Error failKind(llvm::StringRef path, llvm::StringRef expected) const {
    JsonLocations locations(text);
    return fail(locations.formatValue(path), "expected " + expected);
  }

  llvm::StringRef text, name;
  llvm::ArrayRef<llvm::StringRef> knownOps;
};

} // namespace

/// "[line:column, byte=n]: message", with columns from 0, becomes "line:column" and "message".
llvm::Expected<llvm::json::Value> PolicyReader::readText() const {
  constexpr unsigned maxDepth = 64; // A policy has two levels; the parser recurses.
  if (std::optional<size_t> deep = findTooDeep(text, maxDepth))
    return fail(formatPlace(text, *deep), "invalid JSON for a policy: more than " +
                                              llvm::Twine(maxDepth) + " levels of brackets");
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (value)
    return value;
  std::string message = llvm::toString(value.takeError());
  auto [place, rest] = llvm::StringRef(message).split(", byte=");
  llvm::StringRef reason = rest.split("]: ").second;
  auto [line, column] = place.split(':');
  unsigned number;
  if (!line.consume_front("[") || column.getAsInteger(10, number) || reason.empty())
    return llvm::createStringError(name + ": " + message);
  // Errors start lower-case here.
  std::string lowered = reason.str();
  lowered.front() = llvm::toLower(lowered.front());
  return fail(line.str() + ":" + std::to_string(number + 1), "invalid JSON: " + lowered);
}

llvm::Error PolicyReader::checkKeys(const llvm::json::Object &object) const {
  JsonLocations locations(text);
  if (auto duplicate = locations.getDuplicate())
    return fail(duplicate->first,
                "'" + llvm::StringRef(duplicate->second).drop_front() + "' is given twice");
  SmallVector<llvm::StringRef> known(std::begin(kKeys), std::end(kKeys));
  for (auto &[key, value] : object)
    if (!llvm::is_contained(known, llvm::StringRef(key)))
      return fail(locations.formatKey("/" + llvm::StringRef(key).str()),
                  "unknown key '" + llvm::StringRef(key) + "'" + suggestName(key, known));
  return llvm::Error::success();
}

llvm::Error PolicyReader::readVersion(const llvm::json::Object &object) const {
  const llvm::json::Value *version = object.get("version");
  if (!version)
    return llvm::Error::success();
  std::optional<int64_t> number = version->getAsInteger();
  if (!number)
    return failKind("/version", "the number 1, the version of the format");
  if (*number == 1)
    return llvm::Error::success();
  JsonLocations locations(text);
  return fail(locations.formatValue("/version"),
              "the policy has version " + llvm::Twine(*number) + ", this tool reads version 1");
}

llvm::Error PolicyReader::readClasses(const llvm::json::Object &object,
                                      llvm::StringMap<PrecisionClass> &classes) const {
  const llvm::json::Value *value = object.get("classes");
  if (!value)
    return llvm::Error::success();
  const llvm::json::Object *entries = value->getAsObject();
  if (!entries)
    return failKind("/classes", "an object from op names to classes");
  JsonLocations locations(text);
  SmallVector<llvm::StringRef> classNames(std::begin(kClasses), std::end(kClasses));
  for (auto &[key, className] : *entries) {
    llvm::StringRef op = key;
    std::string path = ("/classes/" + op).str();
    if (!llvm::is_contained(knownOps, op))
      return fail(locations.formatKey(path),
                  "there is no op '" + op + "' with a precision class" + suggestName(op, knownOps));
    std::optional<llvm::StringRef> spelled = className.getAsString();
    if (!spelled)
      return failKind(path, "the name of a class: " + llvm::join(classNames, ", "));
    std::optional<PrecisionClass> parsed = symbolizePrecisionClass(*spelled);
    if (!parsed)
      return fail(locations.formatValue(path),
                  "unknown class '" + *spelled + "'" + suggestName(*spelled, classNames));
    classes[op] = *parsed;
  }
  return llvm::Error::success();
}

llvm::Error PolicyReader::readTables(const llvm::json::Object &object,
                                     std::optional<llvm::StringSet<>> &tables) const {
  const llvm::json::Value *value = object.get("tables");
  if (!value)
    return llvm::Error::success();
  const llvm::json::Array *names = value->getAsArray();
  if (!names)
    return failKind("/tables", "a list of the names of built-in tables");
  // The classes of the train dialect are in its interface.
  SmallVector<llvm::StringRef> known(OpTable::getDialects());
  known.push_back("train");
  llvm::sort(known);
  tables.emplace();
  JsonLocations locations(text);
  for (auto [index, entry] : llvm::enumerate(*names)) {
    std::string path = "/tables/" + std::to_string(index);
    std::optional<llvm::StringRef> table = entry.getAsString();
    if (!table)
      return failKind(path, "the name of a built-in table");
    if (!llvm::is_contained(known, *table))
      return fail(locations.formatValue(path),
                  "unknown table '" + *table + "'" + suggestName(*table, known));
    tables->insert(*table);
  }
  return llvm::Error::success();
}

llvm::Expected<Policy> Policy::parse(llvm::StringRef text, llvm::StringRef name,
                                     llvm::ArrayRef<llvm::StringRef> knownOps) {
  // Editors on Windows begin UTF-8 with a byte order mark.
  text.consume_front("\xef\xbb\xbf");
  PolicyReader reader(text, name, knownOps);
  llvm::Expected<llvm::json::Value> value = reader.readText();
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return llvm::createStringError(name + ":1:1: expected an object, as in {\"classes\": {...}}");
  Policy policy;
  if (llvm::Error error = reader.checkKeys(*object))
    return error;
  if (llvm::Error error = reader.readVersion(*object))
    return error;
  if (llvm::Error error = reader.readClasses(*object, policy.classes))
    return error;
  if (llvm::Error error = reader.readTables(*object, policy.tables))
    return error;
  return policy;
}

llvm::Expected<Policy> Policy::load(llvm::StringRef path,
                                    llvm::ArrayRef<llvm::StringRef> knownOps) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (std::error_code error = buffer.getError())
    return llvm::createStringError("cannot read the policy '" + path + "': " + error.message());
  return parse((*buffer)->getBuffer(), path, knownOps);
}

std::optional<PrecisionClass> Policy::lookup(llvm::StringRef op) const {
  auto found = classes.find(op);
  if (found == classes.end())
    return std::nullopt;
  return found->second;
}

SmallVector<llvm::StringRef> amp::getOpsWithPrecision(MLIRContext *context) {
  SmallVector<llvm::StringRef> names;
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (name.hasInterface<PrecisionOpInterface>())
      names.push_back(name.getStringRef());
  for (llvm::StringRef dialect : OpTable::getDialects())
    for (llvm::StringRef op : OpTable::get(dialect)->getOps())
      if (OpTable::get(dialect)->lookup(op)->precisionClass != PrecisionClass::Keep)
        names.push_back(op);
  llvm::sort(names);
  return names;
}
