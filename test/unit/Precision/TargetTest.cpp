//===- TargetTest.cpp - costs of devices ------------------------------------===//

#include "Cut/Target.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace amp;
using namespace mlir;

static std::string errorOf(llvm::StringRef text) {
  llvm::Expected<Target> target = Target::parse(text, "t.json");
  if (target)
    return "no error";
  return llvm::toString(target.takeError());
}

TEST(Target, BuiltIn) {
  EXPECT_EQ(Target::getNames().size(), 15u);
  for (llvm::StringRef name : Target::getNames()) {
    llvm::Expected<Target> target = Target::load(name);
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    EXPECT_EQ(target->getName(), name);
    EXPECT_EQ(target->alwaysPays(), name == "generic");
  }
}

TEST(Target, Extends) {
  MLIRContext context;
  llvm::Expected<Target> target = Target::parse(
      R"({"version": 1, "name": "mine", "extends": "sm_80", "contraction": {"f16": 1.5}, "launch": 0})",
      "t.json");
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  EXPECT_EQ(target->getName(), "mine");
  EXPECT_EQ(target->getContractionRate(Float16Type::get(&context)), 1.5e12);
  EXPECT_EQ(target->getContractionRate(BFloat16Type::get(&context)), 312e12);
  EXPECT_EQ(target->getContractionRate(Float32Type::get(&context)), 19.5e12);
  EXPECT_EQ(target->getBandwidth(), 2039e9);
  EXPECT_EQ(target->getLaunchTime(), 0);
}

TEST(Target, Errors) {
  EXPECT_EQ(errorOf("["), "t.json: [1:1, byte=1]: Unexpected EOF");
  EXPECT_EQ(errorOf("{}"), "missing value at t.json.version");
  EXPECT_EQ(errorOf(R"({"version": 2, "name": "x"})"),
            "expected 1, the version of the format at t.json.version");
  EXPECT_EQ(errorOf(R"({"version": 1, "name": "x", "bandwidth": "fast"})"),
            "expected number at t.json.bandwidth");
  EXPECT_EQ(errorOf(R"({"version": 1, "name": "x", "contraction": {"f8": 1}})"),
            "expected f32, f16 or bf16 at t.json.contraction.f8");
  EXPECT_EQ(errorOf(R"({"version": 1, "name": "x", "contraction": {"f16": -1}})"),
            "expected a rate that is not negative at t.json.contraction.f16");
  EXPECT_EQ(
      errorOf(R"({"version": 1, "name": "x"})"),
      "t.json: a target needs a positive \"bandwidth\" in GB/s, a positive \"contraction\" rate "
      "for f32 in TFLOP/s, and a \"launch\" of at least 0 in microseconds");
  EXPECT_EQ(errorOf(R"({"version": 1, "name": "x", "extends": "sm_9"})").substr(0, 57),
            "t.json: unknown target 'sm_9'; expected one of aarch64, a");
  llvm::Expected<Target> missing = Target::load("nowhere.json");
  EXPECT_EQ(llvm::toString(missing.takeError()),
            "cannot read the target 'nowhere.json': No such file or directory");
}
