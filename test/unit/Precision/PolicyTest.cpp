//===- PolicyTest.cpp - reading policies ----------------------------------===//

#include "amp/Precision/Policy.h"
#include "gtest/gtest.h"

using namespace amp;

static const llvm::StringRef kOps[] = {"train.add", "train.softmax", "train.softmax_grad"};

static Policy parse(llvm::StringRef text) {
  llvm::Expected<Policy> policy = Policy::parse(text, "p.json", kOps);
  EXPECT_TRUE(bool(policy)) << text.str();
  return policy ? *policy : (llvm::consumeError(policy.takeError()), Policy());
}

static std::string errorOf(llvm::StringRef text) {
  llvm::Expected<Policy> policy = Policy::parse(text, "p.json", kOps);
  return policy ? "no error" : llvm::toString(policy.takeError());
}

TEST(Policy, NothingSaysNothing) {
  for (llvm::StringRef text : {"{}", "{\"version\": 1}", "{\"classes\": {}}"}) {
    Policy policy = parse(text);
    EXPECT_TRUE(policy.usesTable("train"));
    EXPECT_TRUE(policy.usesTable("stablehlo"));
    EXPECT_FALSE(policy.isEmpty());
    EXPECT_EQ(policy.lookup("train.add"), std::nullopt);
  }
}

TEST(Policy, ClassesByName) {
  Policy policy = parse(R"({"version": 1, "classes": {"train.add": "internal-f32",
                           "train.softmax": "allow"}})");
  EXPECT_EQ(policy.lookup("train.add"), PrecisionClass::InternalF32);
  EXPECT_EQ(policy.lookup("train.softmax"), PrecisionClass::Allow);
  EXPECT_EQ(policy.lookup("train.softmax_grad"), std::nullopt);
}

TEST(Policy, EveryClassHasItsName) {
  for (PrecisionClass value :
       {PrecisionClass::Allow, PrecisionClass::Deny, PrecisionClass::InternalF32,
        PrecisionClass::Promote, PrecisionClass::Clear, PrecisionClass::Keep}) {
    std::string text =
        ("{\"classes\": {\"train.add\": \"" + stringifyPrecisionClass(value) + "\"}}").str();
    EXPECT_EQ(parse(text).lookup("train.add"), value);
  }
}

TEST(Policy, Tables) {
  Policy some = parse(R"({"tables": ["train", "arith"]})");
  EXPECT_TRUE(some.usesTable("train"));
  EXPECT_TRUE(some.usesTable("arith"));
  EXPECT_FALSE(some.usesTable("math"));
  Policy none = parse(R"({"tables": []})");
  EXPECT_FALSE(none.usesTable("train"));
  EXPECT_TRUE(none.isEmpty());
  // Without tables, what is named still counts.
  EXPECT_FALSE(parse(R"({"tables": [], "classes": {"train.add": "deny"}})").isEmpty());
}

TEST(Policy, ErrorsNameThePlaceAndTheNearestName) {
  EXPECT_EQ(errorOf("{\n  \"clases\": {}\n}"),
            "p.json:2:3: unknown key 'clases'; did you mean 'classes'?");
  EXPECT_EQ(errorOf(R"({"x": 1})"), "p.json:1:2: unknown key 'x'; expected one of version, "
                                    "classes, tables");
  EXPECT_EQ(errorOf("{\"classes\": {\n\"train.sofmax\": \"allow\"}}"),
            "p.json:2:1: there is no op 'train.sofmax' with a precision class; did you mean "
            "'train.softmax'?");
  EXPECT_EQ(errorOf(R"({"classes": {"train.add": "denied"}})"),
            "p.json:1:27: unknown class 'denied'; did you mean 'deny'?");
  EXPECT_EQ(errorOf(R"({"tables": ["train", "trane"]})"),
            "p.json:1:22: unknown table 'trane'; did you mean 'train'?");
}

TEST(Policy, ErrorsOfKinds) {
  EXPECT_EQ(errorOf("[]"), "p.json:1:1: expected an object, as in {\"classes\": {...}}");
  EXPECT_EQ(errorOf(R"({"version": "1"})"),
            "p.json:1:13: expected the number 1, the version of the format");
  EXPECT_EQ(errorOf(R"({"version": 2})"),
            "p.json:1:13: the policy has version 2, this tool reads version 1");
  EXPECT_EQ(errorOf(R"({"classes": []})"),
            "p.json:1:13: expected an object from op names to classes");
  EXPECT_EQ(errorOf(R"({"classes": {"train.add": 1}})"),
            "p.json:1:27: expected the name of a class: allow, deny, internal-f32, promote, "
            "clear, keep");
  EXPECT_EQ(errorOf(R"({"tables": true})"),
            "p.json:1:12: expected a list of the names of built-in tables");
  EXPECT_EQ(errorOf(R"({"tables": [1]})"), "p.json:1:13: expected the name of a built-in table");
  EXPECT_EQ(errorOf(R"({"version": 1, "version": 1})"), "p.json:1:16: 'version' is given twice");
}

TEST(Policy, ErrorsOfSyntax) {
  EXPECT_EQ(errorOf(""), "p.json:1:1: invalid JSON: unexpected EOF");
  EXPECT_EQ(errorOf("{\n  \"version\" 1}"),
            "p.json:2:14: invalid JSON: expected : after object key");
  EXPECT_EQ(errorOf("{} x"), "p.json:1:4: invalid JSON: text after end of document");
}

TEST(Policy, ByteOrderMark) {
  Policy policy = parse("\xef\xbb\xbf{\"classes\": {\"train.add\": \"deny\"}}");
  EXPECT_EQ(policy.lookup("train.add"), PrecisionClass::Deny);
}

TEST(Policy, MissingFile) {
  llvm::Expected<Policy> policy = Policy::load("/nonexistent/p.json", kOps);
  ASSERT_FALSE(bool(policy));
  EXPECT_EQ(llvm::toString(policy.takeError()),
            "cannot read the policy '/nonexistent/p.json': No such file or directory");
}

// Bad input is an error, never a crash: every prefix of a policy, and each with one byte changed.
TEST(Policy, BrokenTexts) {
  std::string text =
      R"({"version": 1, "classes": {"train.add": "\u0064eny"}, "tables": ["train"]})";
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_NE(errorOf(text.substr(0, length)), "no error");
    for (char byte : {'"', '{', '}', '[', ']', ',', ':', '\\', '\0', '\xff'}) {
      std::string changed = text;
      changed[length] = byte;
      llvm::Expected<Policy> policy = Policy::parse(changed, "p.json", kOps);
      if (!policy)
        llvm::consumeError(policy.takeError());
    }
  }
  EXPECT_EQ(parse(text).lookup("train.add"), PrecisionClass::Deny);
}
