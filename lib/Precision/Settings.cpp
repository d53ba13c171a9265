//===- Settings.cpp - the options of `amp`, checked -----------------------===//

#include "Settings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace mlir;
using namespace amp;

namespace {

/// Checks options one by one; the first bad one is an error at the module.
class SettingsReader {
public:
  SettingsReader(ModuleOp module, const AmpOptions &options) : module(module), options(options) {}

  LogicalResult readTypes(Settings &settings);
  LogicalResult readScaling(Settings &settings);
  LogicalResult readPolicy(Settings &settings);
  LogicalResult readTarget(Settings &settings);

private:
  LogicalResult readWord(StringRef option, StringRef value, ArrayRef<StringRef> known);
  LogicalResult readScale(StringRef option, double value, float &scale);
  LogicalResult readBound(StringRef option, double value, std::optional<float> &bound);
  LogicalResult readCount(StringRef option, int64_t value, int32_t &count);
  LogicalResult readFactors(Settings &settings);
  LogicalResult checkBounds(const Settings &settings);

  ModuleOp module;
  const AmpOptions &options;
};

} // namespace

LogicalResult SettingsReader::readWord(StringRef option, StringRef value,
                                       ArrayRef<StringRef> known) {
  if (llvm::is_contained(known, value))
    return success();
  return emitError(module.getLoc(), "unknown ")
         << option << " '" << value << "'; expected " << llvm::join(known.drop_back(), ", ")
         << (known.size() > 1 ? " or " : "") << known.back();
}

LogicalResult SettingsReader::readTypes(Settings &settings) {
  if (failed(readWord("dtype", options.dtype, {"f16", "bf16", "none"})) ||
      failed(readWord("level", options.level, {"O0", "O1", "O2", "O3"})) ||
      failed(readWord("strategy", options.strategy, {"local", "paint", "mincut"})) ||
      failed(readWord("master-weights", options.masterWeights, {"resident", "cast"})))
    return failure();
  settings.level = llvm::StringSwitch<Level>(options.level)
                       .Case("O2", Level::O2)
                       .Case("O3", Level::O3)
                       .Default(Level::O1);
  settings.strategy = llvm::StringSwitch<Strategy>(options.strategy)
                          .Case("paint", Strategy::Paint)
                          .Case("mincut", Strategy::MinCut)
                          .Default(Strategy::Local);
  if (options.masterWeights == "cast")
    settings.masters = MasterWeights::Cast;
  if (options.level == "O0" || options.dtype == "none")
    return success();
  MLIRContext *context = module.getContext();
  if (options.dtype == "f16")
    settings.low = Float16Type::get(context);
  else
    settings.low = BFloat16Type::get(context);
  return success();
}

/// A scale is a positive f32.
LogicalResult SettingsReader::readScale(StringRef option, double value, float &scale) {
  scale = static_cast<float>(value);
  if (scale > 0 && std::isfinite(scale))
    return success();
  return emitError(module.getLoc(), "expects a positive ")
         << option << " within f32 but got " << value;
}

LogicalResult SettingsReader::readBound(StringRef option, double value,
                                        std::optional<float> &bound) {
  if (value == 0)
    return success();
  return readScale(option, value, bound.emplace());
}

LogicalResult SettingsReader::readCount(StringRef option, int64_t value, int32_t &count) {
  count = static_cast<int32_t>(value);
  if (value >= 1 && value <= std::numeric_limits<int32_t>::max())
    return success();
  return emitError(module.getLoc(), "expects ")
         << option << " in [1, " << std::numeric_limits<int32_t>::max() << "] but got " << value;
}

LogicalResult SettingsReader::readFactors(Settings &settings) {
  settings.growthFactor = options.growthFactor;
  settings.backoffFactor = options.backoffFactor;
  if (!(settings.growthFactor >= 1 && std::isfinite(settings.growthFactor)))
    return emitError(module.getLoc(), "expects a growth-factor of at least 1 but got ")
           << settings.growthFactor;
  if (!(settings.backoffFactor > 0 && settings.backoffFactor <= 1))
    return emitError(module.getLoc(), "expects a backoff-factor in (0, 1] but got ")
           << settings.backoffFactor;
  return success();
}

LogicalResult SettingsReader::checkBounds(const Settings &settings) {
  float low = settings.minScale.value_or(0);
  float high = settings.maxScale.value_or(std::numeric_limits<float>::max());
  if (low > high)
    return emitError(module.getLoc(), "expects a min-scale of at most the max-scale but got ")
           << low << " and " << high;
  if (settings.initScale < low || settings.initScale > high)
    return emitError(module.getLoc(),
                     "expects the init-scale between min-scale and max-scale but got ")
           << settings.initScale;
  return success();
}

LogicalResult SettingsReader::readScaling(Settings &settings) {
  float staticScale;
  if (failed(readWord("loss-scale", options.lossScale, {"auto", "dynamic", "static", "none"})) ||
      failed(readScale("init-scale", options.initScale, settings.initScale)) ||
      failed(readScale("static-scale", options.staticScale, staticScale)) ||
      failed(readFactors(settings)) ||
      failed(readCount("growth-interval", options.growthInterval, settings.growthInterval)) ||
      failed(readCount("hysteresis", options.hysteresis, settings.hysteresis)) ||
      failed(readBound("min-scale", options.minScale, settings.minScale)) ||
      failed(readBound("max-scale", options.maxScale, settings.maxScale)) ||
      failed(checkBounds(settings)))
    return failure();
  settings.isScaleModeAsked = options.lossScale != "auto" && options.lossScale != "none";
  if (options.lossScale == "dynamic" || (options.lossScale == "auto" && options.dtype == "f16"))
    settings.scaleMode = ScaleMode::Dynamic;
  if (options.lossScale != "static")
    return success();
  settings.scaleMode = ScaleMode::Static;
  settings.initScale = staticScale;
  settings.growthFactor = settings.backoffFactor = 1;
  settings.hysteresis = 1;
  settings.minScale = settings.maxScale = std::nullopt;
  return success();
}

LogicalResult SettingsReader::readTarget(Settings &settings) {
  int32_t size, trips;
  if (failed(readCount("assume-dim", options.assumeDim, size)) ||
      failed(readCount("assume-trip-count", options.assumeTripCount, trips)))
    return failure();
  settings.assumedSize = size;
  settings.assumedTrips = trips;
  llvm::Expected<Target> target = Target::load(options.target);
  if (!target)
    return emitError(module.getLoc(), llvm::toString(target.takeError()));
  settings.target = std::move(*target);
  return success();
}

LogicalResult SettingsReader::readPolicy(Settings &settings) {
  if (options.policy.empty() && options.policyJson.empty())
    return success();
  if (!options.policy.empty() && !options.policyJson.empty())
    return emitError(module.getLoc(), "expects one of policy and policy-json but got both");
  // The parser of pass pipelines takes the outer braces off.
  std::string inlineText = options.policyJson;
  if (!StringRef(inlineText).ltrim().starts_with("{"))
    inlineText = "{" + inlineText + "}";
  SmallVector<StringRef> ops = getOpsWithPrecision(module.getContext());
  llvm::Expected<Policy> policy = options.policy.empty()
                                      ? Policy::parse(inlineText, "policy-json", ops)
                                      : Policy::load(options.policy, ops);
  if (!policy)
    return emitError(module.getLoc(), llvm::toString(policy.takeError()));
  settings.policy = std::move(*policy);
  return success();
}

FailureOr<Settings> amp::resolveSettings(ModuleOp module, const AmpOptions &options) {
  Settings settings;
  SettingsReader reader(module, options);
  if (failed(reader.readTypes(settings)) || failed(reader.readScaling(settings)) ||
      failed(reader.readTarget(settings)) || failed(reader.readPolicy(settings)))
    return failure();
  return settings;
}
