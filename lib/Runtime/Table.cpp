//===- Table.cpp - tables in plain text ------------------------------------===//

#include "amp/Runtime/Table.h"
#include <algorithm>
#include <cassert>
#include <cmath>

using namespace amp::runtime;

using Numbers = std::vector<std::optional<double>>;

void Table::addRow(std::vector<std::string> cells) {
  assert(cells.size() == header.size() && "as many cells as the header has");
  rows.push_back(std::move(cells));
}

void Table::addRule() { rows.emplace_back(); }

/// The number of columns that UTF-8 text takes: its code points.
static size_t columnsOf(const std::string &text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
  }));
}

std::string Table::str() const {
  std::vector<size_t> widths;
  widths.reserve(header.size());
  for (const std::string &cell : header)
    widths.push_back(columnsOf(cell));
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columnsOf(row[i]));
  size_t total = 0;
  for (size_t width : widths)
    total += width + 2;
  const std::string rule(total - 2, '-');
  std::string text;
  auto append = [&](const std::vector<std::string> &row) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      std::string padding(widths[i] - columnsOf(row[i]), ' ');
      line += (i ? "  " : "") + (i ? padding + row[i] : row[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  append(header);
  text += rule + "\n";
  for (const auto &row : rows) {
    if (row.empty())
      text += rule + "\n";
    else
      append(row);
  }
  return text;
}

/// A number through a printf pattern.
static std::string cellOf(const std::optional<double> &number, const char *pattern, int precision) {
  if (!number)
    return "-";
  if (std::isnan(*number))
    return "nan";
  if (std::isinf(*number))
    return *number < 0 ? "-inf" : "inf";
  char text[400];
  std::snprintf(text, sizeof(text), pattern, precision, *number);
  return text;
}

static UnitRow formatAll(const Numbers &numbers, const char *pattern, int precision,
                         std::string unit) {
  UnitRow row{std::move(unit), {}};
  for (const std::optional<double> &number : numbers)
    row.cells.push_back(cellOf(number, pattern, precision));
  return row;
}

UnitRow amp::runtime::formatNumbers(const Numbers &numbers, int decimals, std::string unit) {
  return formatAll(numbers, "%.*f", decimals, std::move(unit));
}

UnitRow amp::runtime::formatSignificant(const Numbers &numbers, int digits) {
  return formatAll(numbers, "%.*g", digits, "");
}

static double largest(const Numbers &numbers) {
  double result = 0.0;
  for (const std::optional<double> &number : numbers)
    if (number && std::isfinite(*number))
      result = std::max(result, std::fabs(*number));
  return result;
}

static Numbers scaled(Numbers numbers, double factor) {
  for (std::optional<double> &number : numbers)
    if (number)
      *number *= factor;
  return numbers;
}

UnitRow amp::runtime::formatBytes(const Numbers &bytes) {
  double most = largest(bytes);
  static constexpr const char *units[] = {"B", "KiB", "MiB", "GiB"};
  int unit = 0;
  while (unit < 3 && most >= std::ldexp(1.0, 10 * (unit + 1)))
    ++unit;
  return formatNumbers(scaled(bytes, std::ldexp(1.0, -10 * unit)), unit ? 1 : 0, units[unit]);
}

UnitRow amp::runtime::formatSeconds(const Numbers &seconds) {
  double most = largest(seconds);
  if (most >= 1.0)
    return formatNumbers(seconds, 3, "s");
  if (most >= 1e-3)
    return formatNumbers(scaled(seconds, 1e3), 3, "ms");
  return formatNumbers(scaled(seconds, 1e6), 1, "us");
}

/// One row: the member of each result.
static Numbers collect(const std::vector<PrecisionResult> &results,
                       std::optional<double> PrecisionResult::*member) {
  Numbers numbers;
  for (const PrecisionResult &result : results)
    numbers.push_back(result.*member);
  return numbers;
}

static bool anyKnown(const Numbers &numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](const auto &number) { return !!number; });
}

static std::string joinUnits(const std::vector<std::string> &units) {
  std::string text;
  for (const std::string &unit : units)
    text += (text.empty() ? "" : ", ") + unit;
  return text.empty() ? "none (half types are emulated)" : text;
}

std::string amp::runtime::formatComparison(const std::vector<PrecisionResult> &results,
                                           const std::string &metric, const Device &device) {
  std::vector<std::string> header{"", ""};
  for (const PrecisionResult &result : results)
    header.push_back(result.precision);
  Table table(std::move(header));
  auto addRow = [&](const std::string &name, UnitRow row) {
    std::vector<std::string> cells{name, std::move(row.unit)};
    cells.insert(cells.end(), row.cells.begin(), row.cells.end());
    table.addRow(std::move(cells));
  };
  auto values = [&](std::optional<double> PrecisionResult::*member) {
    return collect(results, member);
  };
  if (Numbers numbers = values(&PrecisionResult::metric); anyKnown(numbers)) {
    if (metric == "accuracy")
      addRow("test accuracy", formatNumbers(scaled(numbers, 100), 2, "%"));
    else
      addRow("test " + metric, formatSignificant(numbers, 5));
  }
  if (Numbers numbers = values(&PrecisionResult::evalLoss); anyKnown(numbers))
    addRow("test loss", formatSignificant(numbers, 5));
  addRow("steps skipped", formatSignificant(values(&PrecisionResult::skippedSteps), 6));
  addRow("final loss scale", formatSignificant(values(&PrecisionResult::finalScale), 6));
  addRow("casts in the step", formatSignificant(values(&PrecisionResult::casts), 6));
  table.addRule();
  addRow("weights", formatBytes(values(&PrecisionResult::weightBytes)));
  addRow("half copies", formatBytes(values(&PrecisionResult::halfCopyBytes)));
  addRow("gradients", formatBytes(values(&PrecisionResult::gradientBytes)));
  addRow("optimizer state", formatBytes(values(&PrecisionResult::optimizerBytes)));
  addRow("activations", formatBytes(values(&PrecisionResult::activationBytes)));
  table.addRule();
  addRow("time per step", formatSeconds(values(&PrecisionResult::secondsPerStep)));
  return device.name() + ": " + device.description() +
         "\nunits for half types: " + joinUnits(device.halfUnits()) + "\n\n" + table.str();
}
