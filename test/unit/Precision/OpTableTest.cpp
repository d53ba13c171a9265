//===- OpTableTest.cpp - the tables of dialects from outside ---------------===//

#include "amp/Precision/OpTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace amp;

static std::string errorOf(StringRef text) {
  llvm::Expected<OpTable> table = OpTable::parse(text, "t.json");
  return table ? "no error" : llvm::toString(table.takeError());
}

static std::string withGroup(StringRef group) {
  return (R"({"version": 1, "dialect": "d", "widen": "d.cast", "narrow": "d.cast", "groups": [)" +
          group + "]}")
      .str();
}

TEST(OpTable, Reads) {
  llvm::Expected<OpTable> table = OpTable::parse(withGroup(R"(
      {"class": "promote", "ops": {"add": "add"}},
      {"class": "deny", "why": "sums", "numbers": [0, 2], "result": "f32", "ops": {"sum": "reduce-sum"}})"),
                                                 "t.json");
  ASSERT_TRUE(bool(table)) << llvm::toString(table.takeError());
  EXPECT_EQ(table->getDialect(), "d");
  EXPECT_EQ(table->getWideningOp(), "d.cast");
  EXPECT_EQ(table->getOps(), (SmallVector<StringRef>{"d.add", "d.sum"}));
  const OpEntry &add = *table->lookup("d.add"), &sum = *table->lookup("d.sum");
  EXPECT_EQ(add.precisionClass, PrecisionClass::Promote);
  EXPECT_EQ(add.kind, OpKind::Add);
  EXPECT_FALSE(add.numbers);
  EXPECT_FALSE(add.hasF32Result);
  EXPECT_EQ(sum.why, "sums");
  EXPECT_EQ(*sum.numbers, (SmallVector<unsigned>{0, 2}));
  EXPECT_TRUE(sum.hasF32Result);
  EXPECT_EQ(table->lookup("d.mul"), nullptr);
}

TEST(OpTable, Errors) {
  EXPECT_EQ(errorOf("{"), "t.json: [1:1, byte=1]: Expected object key");
  EXPECT_EQ(errorOf("{}"), "missing value at t.json.version");
  EXPECT_EQ(errorOf(R"({"version": 2, "dialect": "d", "widen": "c", "narrow": "c"})"),
            "expected 1, the version of the format at t.json.version");
  EXPECT_EQ(errorOf(R"({"version": 1, "dialect": "d", "widen": "c", "narrow": "c"})"),
            "expected array at t.json.groups");
  EXPECT_EQ(errorOf(withGroup(R"({"class": "low", "ops": {}})")),
            "expected the name of a class at t.json.groups[0].class");
  EXPECT_EQ(errorOf(withGroup(R"({"class": "deny", "result": "f16", "ops": {}})")),
            "expected \"f32\" at t.json.groups[0].result");
  EXPECT_EQ(errorOf(withGroup(R"({"class": "deny", "body": "loop", "ops": {}})")),
            "expected \"element\" or \"flow\" at t.json.groups[0].body");
  EXPECT_EQ(errorOf(withGroup(R"({"class": "deny", "ops": {"x": "y"}})")),
            "expected the name of a kind at t.json.groups[0].ops.x");
  EXPECT_EQ(errorOf(withGroup(R"({"class": "deny", "ops": {"x": "add"}},
                                 {"class": "keep", "ops": {"x": "add"}})")),
            "the op is listed twice at t.json.groups[1].ops.x");
}

TEST(OpTable, EveryKindHasItsName) {
  for (int kind = 0; kind <= int(OpKind::Pass); ++kind)
    EXPECT_EQ(symbolizeOpKind(stringifyOpKind(OpKind(kind))), OpKind(kind));
  EXPECT_EQ(symbolizeOpKind("plus"), std::nullopt);
}

TEST(OpTable, CompiledIn) {
  EXPECT_EQ(
      llvm::to_vector(OpTable::getDialects()),
      (SmallVector<StringRef>{"arith", "chlo", "linalg", "math", "stablehlo", "tensor", "tosa"}));
  for (StringRef dialect : OpTable::getDialects())
    EXPECT_EQ(OpTable::get(dialect)->getDialect(), dialect);
  EXPECT_EQ(lookupOpEntry("stablehlo.tanh")->kind, OpKind::Tanh);
  EXPECT_EQ(lookupOpEntry("stablehlo.nothing"), nullptr);
  EXPECT_EQ(lookupOpEntry("nothing.tanh"), nullptr);
  EXPECT_EQ(lookupOpEntry("nothing"), nullptr);
}

/// Ops of the dialects that hold no floats, or that their interfaces speak for.
static const llvm::StringSet<> kWithoutEntry = {
    // Integers.
    "arith.addi", "arith.addui_extended", "arith.subi", "arith.muli", "arith.mulsi_extended",
    "arith.mului_extended", "arith.divui", "arith.divsi", "arith.ceildivui", "arith.ceildivsi",
    "arith.floordivsi", "arith.remui", "arith.remsi", "arith.andi", "arith.ori", "arith.xori",
    "arith.shli", "arith.shrui", "arith.shrsi", "arith.maxsi", "arith.maxui", "arith.minsi",
    "arith.minui", "arith.extui", "arith.extsi", "arith.trunci", "arith.cmpi", "arith.index_cast",
    "arith.index_castui", "math.absi", "math.ctlz", "math.cttz", "math.ctpop", "math.ipowi",
    "tosa.arithmetic_right_shift", "tosa.bitwise_and", "tosa.bitwise_or", "tosa.bitwise_xor",
    "tosa.bitwise_not", "tosa.intdiv", "tosa.logical_and", "tosa.logical_or", "tosa.logical_xor",
    "tosa.logical_not", "tosa.logical_left_shift", "tosa.logical_right_shift", "tosa.clz",
    "tosa.table", "tosa.reduce_all", "tosa.reduce_any", "tosa.rescale", "tosa.const_shape",
    "tosa.apply_scale", "linalg.index",
    // Terminators.
    "tosa.yield", "linalg.yield", "tensor.yield"};

/// The tables say something about every op that may hold a float, and nothing about ops that the
/// dialect does not have.
TEST(OpTable, CoversTheDialects) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, linalg::LinalgDialect, math::MathDialect,
                      tensor::TensorDialect, tosa::TosaDialect>();
  llvm::StringSet<> registered;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    StringRef op = name.getStringRef();
    registered.insert(op);
    bool isShapeOp = name.getDialectNamespace() == "tosa" && op.ends_with("_shape");
    if (OpTable::get(name.getDialectNamespace()) && !kWithoutEntry.contains(op) && !isShapeOp)
      EXPECT_NE(lookupOpEntry(op), nullptr) << op.str() << " has no entry";
  }
  for (StringRef dialect : {"arith", "linalg", "math", "tensor", "tosa"})
    for (StringRef op : OpTable::get(dialect)->getOps()) {
      EXPECT_TRUE(registered.contains(op)) << op.str() << " is not an op";
      EXPECT_FALSE(kWithoutEntry.contains(op)) << op.str();
    }
}
