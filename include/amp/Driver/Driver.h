//===- Driver.h - what amp-run does with a model --------------------------===//
#ifndef AMP_DRIVER_DRIVER_H
#define AMP_DRIVER_DRIVER_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace amp {

/// The stage after which `--emit` prints the module and stops.
enum class EmitStage { None, Train, Autodiff, Precision, Lowered, Source };

/// The exit statuses of amp-run.
enum ExitStatus : int { kDone = 0, kRunFailed = 1, kBadInput = 2 };

/// What a run is asked to do; the fields are the flags of amp-run.
struct DriverOptions {
  std::string model;       ///< path of the module, "-" for standard input
  std::string amp = "off"; ///< off, f16 or bf16
  bool ampGiven = false;   ///< whether --amp was on the command line
  /// Options of the precision pass beside dtype, as `name=value` texts in the order given.
  std::vector<std::string> precisionOptions;
  EmitStage emit = EmitStage::None;

  std::string data, evalData; ///< .npz files; empty: none
  int64_t batch = 32;
  std::optional<int64_t> epochs; ///< 1 without epochs and steps
  std::optional<int64_t> steps;  ///< instead of epochs
  uint64_t seed = 0;
  int64_t maxConsecutiveSkips = 50;
  std::string checkpoint, resume, log;

  bool compare = false;
  std::optional<int64_t> seeds;    ///< 1 if not given
  std::optional<double> tolerance; ///< accuracy in points, loss in per cent; 0.5 if not given

  std::string entry, inputs, outputs; ///< --entry: call one function once
};

/// Runs `options` to its end: output on stdout, progress and errors on stderr. Returns the exit
/// status of the process.
int runDriver(const DriverOptions &options);

/// The names of the options of the precision pass that amp-run takes as flags of its own, sorted.
std::vector<std::string> getPrecisionOptionNames();

/// Prints the help text of those options to standard output.
void printPrecisionOptionHelp();

/// The pass pipeline that `options` stand for, as `--pass-pipeline` of amp-opt takes it.
std::string getPipelineText(const DriverOptions &options);

} // namespace amp

#endif // AMP_DRIVER_DRIVER_H
