//===- Settings.h - the options of `amp`, checked -------------------------===//
#ifndef AMP_LIB_PRECISION_SETTINGS_H
#define AMP_LIB_PRECISION_SETTINGS_H

#include "Cut/Target.h"
#include "amp/Precision/Passes.h"
#include "amp/Precision/Policy.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace amp {

enum class Level { O1, O2, O3 };
enum class Strategy { Local, Paint, MinCut };
enum class MasterWeights { Resident, Cast };
enum class ScaleMode { None, Static, Dynamic };

/// What a run of `amp` is to do.
struct Settings {
  mlir::FloatType low; ///< The half type; null if nothing is to change.
  Level level = Level::O1;
  Strategy strategy = Strategy::Local;
  std::optional<Target> target; ///< What costs are those of.
  int64_t assumedSize = 256;    ///< What a dimension counts as that is not known.
  int64_t assumedTrips = 16;    ///< What a loop counts as that is not known.
  MasterWeights masters = MasterWeights::Resident;
  Policy policy;

  ScaleMode scaleMode = ScaleMode::None;
  bool isScaleModeAsked = false; ///< Not `auto`: a graph that cannot be scaled is an error.
  float initScale = 1;
  double growthFactor = 1, backoffFactor = 1;
  int32_t growthInterval = 1, hysteresis = 1;
  std::optional<float> minScale, maxScale;
};

/// "f16" or "bf16".
inline llvm::StringRef spellHalfType(mlir::FloatType type) { return type.isF16() ? "f16" : "bf16"; }

/// Checks `options` and reads the policy. Fails after an error at `module` that names the option,
/// the values it may have and the one it has.
llvm::FailureOr<Settings> resolveSettings(mlir::ModuleOp module, const AmpOptions &options);

} // namespace amp

#endif // AMP_LIB_PRECISION_SETTINGS_H
