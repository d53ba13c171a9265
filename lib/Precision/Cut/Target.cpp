//===- Target.cpp - what a device does in which time ------------------------===//

#include "Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace amp;
using llvm::StringRef;

static constexpr std::pair<const char *, const char *> kTexts[] = {
#include "Targets.inc"
};

static StringRef findText(StringRef name) {
  for (auto &[known, text] : kTexts)
    if (name == known)
      return text;
  return {};
}

llvm::ArrayRef<StringRef> Target::getNames() {
  static const llvm::SmallVector<StringRef> names = [] {
    llvm::SmallVector<StringRef> sorted;
    for (auto &[name, text] : kTexts)
      sorted.push_back(name);
    llvm::sort(sorted);
    return sorted;
  }();
  return names;
}

static llvm::Error makeUnknown(StringRef name) {
  return llvm::createStringError("unknown target '" + name + "'; expected one of " +
                                 llvm::join(Target::getNames(), ", ") +
                                 ", or a file that ends in .json");
}

double Target::getContractionRate(mlir::FloatType type) const {
  double rate = contraction.lookup(type.isF32() ? "f32" : type.isF16() ? "f16" : "bf16");
  return rate * 1e12;
}

llvm::Expected<Target> Target::parse(StringRef text, StringRef name) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return llvm::createStringError(name + ": " + llvm::toString(value.takeError()));
  llvm::json::Path::Root root(name);
  llvm::json::Path path(root);
  Target target;
  int64_t version;
  std::string ownName, extends, source; // The source is for who reads the file.
  llvm::json::ObjectMapper mapper(*value, path);
  if (!mapper || !mapper.map("version", version) || !mapper.map("name", ownName) ||
      !mapper.mapOptional("extends", extends))
    return root.getError();
  if (version != 1) {
    path.field("version").report("expected 1, the version of the format");
    return root.getError();
  }
  if (!extends.empty()) {
    // Only the built-in ones can be extended, so that no chain goes in a circle.
    StringRef base = findText(extends);
    if (base.empty())
      return llvm::createStringError(name + ": " + llvm::toString(makeUnknown(extends)));
    llvm::Expected<Target> parsed = parse(base, extends);
    if (!parsed)
      return parsed.takeError();
    target = std::move(*parsed);
  }
  target.name = ownName;
  std::map<std::string, double> rates;
  if (!mapper.mapOptional("contraction", rates) || !mapper.mapOptional("source", source) ||
      !mapper.mapOptional("bandwidth", target.bandwidth) ||
      !mapper.mapOptional("launch", target.launch) ||
      !mapper.mapOptional("prefer-low", target.preferLow))
    return root.getError();
  llvm::json::Path ratesPath = path.field("contraction");
  for (auto &[type, rate] : rates) {
    if (type != "f32" && type != "f16" && type != "bf16") {
      llvm::json::Path place = ratesPath.field(type);
      place.report("expected f32, f16 or bf16");
      return root.getError();
    }
    if (!(rate >= 0)) {
      llvm::json::Path place = ratesPath.field(type);
      place.report("expected a rate that is not negative");
      return root.getError();
    }
    target.contraction[type] = rate;
  }
  if (!(target.contraction.lookup("f32") > 0) || !(target.bandwidth > 0) || !(target.launch >= 0))
    return llvm::createStringError(name + ": a target needs a positive \"bandwidth\" in GB/s, a "
                                          "positive \"contraction\" rate for f32 in TFLOP/s, and "
                                          "a \"launch\" of at least 0 in microseconds");
  return target;
}

llvm::Expected<Target> Target::load(StringRef name) {
  if (StringRef text = findText(name); !text.empty())
    return parse(text, name);
  if (!name.ends_with(".json"))
    return makeUnknown(name);
  auto buffer = llvm::MemoryBuffer::getFile(name, /*IsText=*/true);
  if (std::error_code error = buffer.getError())
    return llvm::createStringError("cannot read the target '" + name + "': " + error.message());
  return parse((*buffer)->getBuffer(), name);
}
