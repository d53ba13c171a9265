//===- CutOracleTest.cpp - the cut against all assignments ------------------===//
//
// AMP_ORACLE_GRAPHS says on how many graphs; the nightly target check-amp-oracle takes 10,000.
//
//===----------------------------------------------------------------------===//

#include "CutOracle.h"
#include "MinCutStrategy.h"
#include "PrecisionTestUtils.h"
#include "RandomGraph.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>

using namespace mlir;
using namespace amp;

namespace {

class CutOracleTest : public PrecisionTest {
protected:
  CutOracleTest() {
    context.loadDialect<scf::SCFDialect>();
    context.allowUnregisteredDialects();
    settings.low = Float16Type::get(&context);
    settings.strategy = Strategy::MinCut;
  }

  /// Rates of which now this and now that counts.
  Rates drawRates() {
    auto draw = [&](double least, double most) {
      double share = double(random() % 1000) / 1000;
      return least * std::pow(most / least, share);
    };
    Rates rates{draw(0.01, 10), draw(0.01, 100), draw(1, 1000), draw(0.001, 3), random() % 8 == 0};
    if (random() % 4 == 0)
      rates.launch = 0;
    if (random() % 8 == 0)
      rates.low = 0;
    // Nothing but the casts counts.
    if (random() % 8 == 0)
      rates.bandwidth = 1e9;
    return rates;
  }

  void setTarget(const Rates &rates) {
    std::string text =
        llvm::formatv(R"({{"version": 1, "name": "random", "contraction": {{"f32": {0}, "f16": {1}},
                          "bandwidth": {2}, "launch": {3}, "prefer-low": {4}})",
                      print(rates.f32), print(rates.low), print(rates.bandwidth),
                      print(rates.launch), rates.preferLow ? "true" : "false");
    llvm::Expected<Target> target = Target::parse(text, "random");
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    settings.target = std::move(*target);
  }
  static std::string print(double number) { return llvm::formatv("{0:E17}", number); }
  using PrecisionTest::print;

  bool drawGraph();
  void compare(CutOracle &oracle);

  std::mt19937 random{11};
  Settings settings;
  std::string text;
  Rates rates;
  OwningOpRef<ModuleOp> module;

  // Of all graphs.
  std::array<unsigned, kNumTerms> found{}; ///< Graphs that are not the same without the term.
  llvm::StringMap<unsigned> seen;          ///< Graphs that hold the word.
  unsigned mostChoices = 0, numAssignments = 0;
};

} // namespace

/// The next graph and target.
bool CutOracleTest::drawGraph() {
  text = makeRandomGraph(random, 3 + random() % 18);
  rates = drawRates();
  setTarget(rates);
  module = parse(text);
  return bool(module);
}

/// The cut breaks no rule, and none that breaks no rule is cheaper.
void CutOracleTest::compare(CutOracle &oracle) {
  Graph graph(*module, settings);
  Assignment cut = assignByCut(graph);
  ASSERT_EQ(oracle.findBroken(cut), "") << text;
  unsigned numLegal;
  std::string given;
  Prices least = oracle.findLeast(numLegal), own = oracle.price(cut, given);
  ASSERT_EQ(own.back(), least.back())
      << llvm::formatv("f32 {0}, low {1}, bandwidth {2}, launch {3}, prefer-low {4}\n", rates.f32,
                       rates.low, rates.bandwidth, rates.launch, rates.preferLow)
             .str()
      << text << "the cut:\n"
      << given << "cheaper:\n"
      << oracle.getCheapest().str();
  numAssignments += numLegal;
  mostChoices = std::max(mostChoices, oracle.getNumChoices());
  for (unsigned term = 0; term < kNumTerms; ++term)
    found[term] += own[term] != least[term];
  for (StringRef word : {"scf.for", "scf.if", "bf16", "test.keep", "1.0e+06", "1.0e-05",
                         "stablehlo.", "train.", "stablehlo.broadcast_in_dim", "reduce max"})
    seen[word] += StringRef(text).contains(word);
}

TEST_F(CutOracleTest, CutIsTheCheapest) {
  const char *asked = std::getenv("AMP_ORACLE_GRAPHS");
  unsigned numGraphs = asked ? std::atoi(asked) : 1000;
  for (unsigned count = 0; count < numGraphs && !HasFatalFailure();) {
    ASSERT_TRUE(drawGraph()) << text << diagnostics;
    CutOracle oracle(*module, settings, rates);
    // Few have many choices, for each may double the time.
    unsigned most = random() % 20 == 0 ? 14 : random() % 4 == 0 ? 11 : 8;
    if (oracle.getNumChoices() > most || oracle.getNumChoices() < most / 2)
      continue;
    ++count;
    compare(oracle);
  }
  // An error in any term is found: without it another assignment would be the cheapest.
  for (unsigned term = 0; term < kNumTerms; ++term)
    EXPECT_GT(found[term], 0u) << "no graph needs term " << term;
  for (const auto &[word, number] : seen)
    EXPECT_GE(number, numGraphs / 50) << word.str();
  EXPECT_GE(numAssignments, 4 * numGraphs);
  EXPECT_GE(mostChoices, 12u);
  std::printf("%u graphs, %u assignments, at most %u choices; graphs that need each term:",
              numGraphs, numAssignments, mostChoices);
  for (unsigned number : found)
    std::printf(" %u", number);
  std::printf("\n");
}
