//===- TableTest.cpp -------------------------------------------------------===//

#include "amp/Runtime/Table.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace amp::runtime;

TEST(Table, AlignsColumns) {
  Table table({"", "f32", "a long name"});
  table.addRow({"loss", "1.5", "10.25"});
  table.addRule();
  table.addRow({"größe", "-", ""});
  EXPECT_EQ(table.str(), "       f32  a long name\n"
                         "-----------------------\n"
                         "loss   1.5        10.25\n"
                         "-----------------------\n"
                         "größe    -\n");
}

static std::string join(const UnitRow &row) {
  std::string text = row.unit;
  for (const std::string &cell : row.cells)
    text += "|" + cell;
  return text;
}

TEST(Table, FormatsNumbersOfARowAlike) {
  EXPECT_EQ(join(formatBytes({1023.0, 0.0})), "B|1023|0");
  EXPECT_EQ(join(formatBytes({1024.0, 512.0, std::nullopt})), "KiB|1.0|0.5|-");
  EXPECT_EQ(join(formatBytes({3.0 * (1 << 20)})), "MiB|3.0");
  EXPECT_EQ(join(formatBytes({std::ldexp(1.0, 42)})), "GiB|4096.0");
  EXPECT_EQ(join(formatSeconds({2e-6, 0.5e-6})), "us|2.0|0.5");
  EXPECT_EQ(join(formatSeconds({2e-3, 5e-6})), "ms|2.000|0.005");
  EXPECT_EQ(join(formatSeconds({2.0, 0.5})), "s|2.000|0.500");
  EXPECT_EQ(join(formatNumbers({NAN, INFINITY, -INFINITY, 1.0}, 2, "%")), "%|nan|inf|-inf|1.00");
  EXPECT_EQ(join(formatSignificant({0.123456, 65536.0, 1e-20}, 5)), "|0.12346|65536|1e-20");
}

namespace {
class TestDevice : public Device {
public:
  explicit TestDevice(std::vector<std::string> units) : units(std::move(units)) {}
  std::string name() const override { return "cpu"; }
  std::string description() const override { return "Test Processor, 2 threads"; }
  std::vector<std::string> halfUnits() const override { return units; }

private:
  std::vector<std::string> units;
};
} // namespace

TEST(Table, ComparesPrecisions) {
  PrecisionResult f32;
  f32.precision = "f32";
  f32.metric = 0.9722;
  f32.evalLoss = 0.0951234;
  f32.skippedSteps = 0;
  f32.casts = 0;
  f32.weightBytes = 71720;
  f32.halfCopyBytes = 0;
  f32.gradientBytes = 71720;
  f32.optimizerBytes = 143440;
  f32.activationBytes = 40960;
  f32.secondsPerStep = 0.00125;
  PrecisionResult f16 = f32;
  f16.precision = "f16";
  f16.metric = 0.975;
  f16.evalLoss = 0.0948;
  f16.skippedSteps = 2;
  f16.finalScale = 16384;
  f16.casts = 14;
  f16.halfCopyBytes = 35860;
  f16.activationBytes = 20480;
  f16.secondsPerStep = 0.0007;
  EXPECT_EQ(formatComparison({f32, f16}, "accuracy", TestDevice({"f16c", "amx_bf16"})),
            "cpu: Test Processor, 2 threads\n"
            "units for half types: f16c, amx_bf16\n"
            "\n"
            "                             f32     f16\n"
            "----------------------------------------\n"
            "test accuracy        %     97.22   97.50\n"
            "test loss               0.095123  0.0948\n"
            "steps skipped                  0       2\n"
            "final loss scale               -   16384\n"
            "casts in the step              0      14\n"
            "----------------------------------------\n"
            "weights            KiB      70.0    70.0\n"
            "half copies        KiB       0.0    35.0\n"
            "gradients          KiB      70.0    70.0\n"
            "optimizer state    KiB     140.1   140.1\n"
            "activations        KiB      40.0    20.0\n"
            "----------------------------------------\n"
            "time per step       ms     1.250   0.700\n");
}

TEST(Table, ComparesOtherMetricsAndNone) {
  PrecisionResult result;
  result.precision = "f32";
  result.metric = 0.5;
  std::string text = formatComparison({result}, "mean_error", TestDevice({}));
  EXPECT_NE(text.find("test mean_error        0.5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("units for half types: none (half types are emulated)\n"), std::string::npos);
  result.metric = std::nullopt;
  EXPECT_EQ(formatComparison({result}, "", TestDevice({})).find("test"), std::string::npos);
}
