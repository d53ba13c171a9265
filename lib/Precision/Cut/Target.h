//===- Target.h - what a device does in which time --------------------------===//
#ifndef AMP_LIB_PRECISION_CUT_TARGET_H
#define AMP_LIB_PRECISION_CUT_TARGET_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace amp {

/// Rates of a device, for the costs of strategy `mincut`. A target file has the same form:
///
/// ```json
/// {"version": 1, "name": "mine", "extends": "sm_90", "source": "measured",
///  "contraction": {"f32": 60.0, "f16": 800.0}, "bandwidth": 3000, "launch": 2.5}
/// ```
class Target {
public:
  /// Reads the text of a target; what it leaves out comes from the one that it extends. Errors
  /// begin with `name`.
  static llvm::Expected<Target> parse(llvm::StringRef text, llvm::StringRef name);
  /// The built-in target of the name, or else the file of that path, if the name ends in `.json`.
  /// An error lists the names that exist.
  static llvm::Expected<Target> load(llvm::StringRef name);
  /// The names of the built-in targets, sorted.
  static llvm::ArrayRef<llvm::StringRef> getNames();

  llvm::StringRef getName() const { return name; }
  /// Whether a contraction in a half type pays whatever it costs: no device is meant.
  bool alwaysPays() const { return preferLow; }
  /// Floating-point operations per second of contractions with operands of `type`.
  double getContractionRate(mlir::FloatType type) const;
  /// Bytes per second between memory and compute.
  double getBandwidth() const { return bandwidth * 1e9; }
  /// Seconds that a pass over memory costs beyond its bytes.
  double getLaunchTime() const { return launch * 1e-6; }

private:
  std::string name;
  bool preferLow = false;
  /// By type, in 10^12 operations per second; 0 where the device does not compute in the type.
  llvm::StringMap<double> contraction;
  double bandwidth = 0; ///< in 10^9 bytes per second
  double launch = 0;    ///< in microseconds
};

} // namespace amp

#endif // AMP_LIB_PRECISION_CUT_TARGET_H
