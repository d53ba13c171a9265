//===- Table.h - tables in plain text --------------------------------------===//
#ifndef AMP_RUNTIME_TABLE_H
#define AMP_RUNTIME_TABLE_H

#include "amp/Runtime/Device.h"
#include <optional>
#include <string>
#include <vector>

namespace amp::runtime {

/// Rows of cells in columns: the first column is aligned to the left, the others to the right.
class Table {
public:
  explicit Table(std::vector<std::string> header) : header(std::move(header)) {}

  /// As many cells as the header has.
  void addRow(std::vector<std::string> cells);
  /// A rule between the rows before and after it.
  void addRule();
  /// The text, with a rule below the header; no line ends in a space.
  std::string str() const;

private:
  std::vector<std::string> header;
  /// A row without cells is a rule.
  std::vector<std::vector<std::string>> rows;
};

/// Numbers of a row in one unit and with the same number of decimals, so that they can be compared
/// at a glance; a missing or non-finite number is "-", "inf" or "nan".
struct UnitRow {
  std::string unit;
  std::vector<std::string> cells;
};
/// Bytes in B, KiB, MiB or GiB, the unit of the largest.
UnitRow formatBytes(const std::vector<std::optional<double>> &bytes);
/// Seconds in us, ms or s.
UnitRow formatSeconds(const std::vector<std::optional<double>> &seconds);
/// Numbers with the given number of decimals.
UnitRow formatNumbers(const std::vector<std::optional<double>> &numbers, int decimals,
                      std::string unit = {});
/// Numbers with as many significant digits as `%.<digits>g` gives.
UnitRow formatSignificant(const std::vector<std::optional<double>> &numbers, int digits);

/// One column of the comparison: a training with one precision. What is unknown stays empty.
struct PrecisionResult {
  /// "f32", "f16", "bf16".
  std::string precision;
  std::optional<double> metric;
  std::optional<double> evalLoss;
  std::optional<double> skippedSteps;
  std::optional<double> finalScale;
  /// Casts in the step function.
  std::optional<double> casts;
  std::optional<double> weightBytes;
  std::optional<double> halfCopyBytes;
  std::optional<double> gradientBytes;
  std::optional<double> optimizerBytes;
  std::optional<double> activationBytes;
  std::optional<double> secondsPerStep;
};

/// The table of `amp-run --compare`. `metric` names the metric's function, empty without one; an
/// accuracy is shown in per cent. The lines above name the processor and its half units.
std::string formatComparison(const std::vector<PrecisionResult> &results, const std::string &metric,
                             const Device &device);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TABLE_H
