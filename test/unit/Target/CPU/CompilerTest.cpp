//===- CompilerTest.cpp - whole functions, calls and errors ---------------===//

#include "Compile.h"
#include "amp/Runtime/Half.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace amp;
using namespace amp::runtime;

TEST(Compiler, DescribesFunctions) {
  Compiled c(R"(
    func.func @f(%x: tensor<?x4xbf16> {train.name = "image"}, %n: i32)
        -> (tensor<i1> {train.name = "stepped"}, f32) {
      %true = arith.constant dense<true> : tensor<i1>
      %two = arith.constant 2.0 : f32
      %f = arith.sitofp %n : i32 to f32
      %y = arith.mulf %f, %two : f32
      return %true, %y : tensor<i1>, f32
    }
    func.func private @unused())");
  ASSERT_TRUE(c.module);
  ASSERT_EQ(c.module->functions().size(), 1u);
  const FunctionInfo &f = *c.module->function("f");
  ASSERT_EQ(f.arguments.size(), 2u);
  EXPECT_EQ(f.arguments[0].name, "image");
  EXPECT_EQ(f.arguments[0].elementType, "bf16");
  EXPECT_EQ(f.arguments[0].shape, (std::vector<int64_t>{-1, 4}));
  EXPECT_EQ(f.arguments[1].name, "arg1");
  EXPECT_TRUE(f.arguments[1].isScalar);
  ASSERT_EQ(f.results.size(), 2u);
  EXPECT_EQ(f.results[0].name, "stepped");
  EXPECT_EQ(f.results[1].name, "out1");

  std::vector<uint16_t> x(8);
  std::vector<int32_t> n{21};
  c.arg(x, {2, 4}).arg(n, {}).call("f");
  EXPECT_EQ(c.result<uint8_t>(0), std::vector<uint8_t>{1});
  EXPECT_EQ(c.result<float>(1), std::vector<float>{42});
}

TEST(Compiler, MatmulOfOnes) {
  // 4096 products of one: exact in f32, and with an f32 accumulator also in f16, where adding one
  // by one would stop at 2048.
  std::string text = R"(
    func.func @f(%a: tensor<3x4096xf16>, %b: tensor<4096x5xf16>)
        -> (tensor<3x5xf32>, tensor<3x5xf16>) {
      %c = arith.constant dense<0.0> : tensor<3x5xf32>
      %r = linalg.matmul ins(%a, %b : tensor<3x4096xf16>, tensor<4096x5xf16>)
                         outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
      %h = arith.truncf %r : tensor<3x5xf32> to tensor<3x5xf16>
      return %r, %h : tensor<3x5xf32>, tensor<3x5xf16>
    })";
  for (const std::string &features : featureSets()) {
    Compiled c(text, features);
    std::vector<uint16_t> a(3 * 4096, 0x3c00), b(4096 * 5, 0x3c00);
    c.arg(a, {3, 4096}).arg(b, {4096, 5}).call("f");
    EXPECT_EQ(c.result<float>(0), std::vector<float>(15, 4096)) << features;
    EXPECT_EQ(c.result<uint16_t>(1), std::vector<uint16_t>(15, f16FromF32(4096))) << features;
  }
}

TEST(Compiler, ArgumentsAreOnlyRead) {
  Compiled c(R"(
    func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %y = arith.addf %x, %x : tensor<4xf32>
      return %y, %x : tensor<4xf32>, tensor<4xf32>
    })");
  std::vector<float> x{1, 2, 3, 4};
  c.arg(x, {4}).call("f");
  EXPECT_EQ(x, (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(c.result<float>(0), (std::vector<float>{2, 4, 6, 8}));
  EXPECT_EQ(c.result<float>(1), x);
}

TEST(Compiler, ResultsDoNotShareMemory) {
  Compiled c(R"(
    func.func @f(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<4xf32>) {
      %y = arith.addf %x, %x : tensor<2x2xf32>
      %z = tensor.collapse_shape %y [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
      return %y, %y, %z : tensor<2x2xf32>, tensor<2x2xf32>, tensor<4xf32>
    })");
  std::vector<float> x{1, 2, 3, 4};
  // Freeing them all is what fails if they do.
  c.arg(x, {2, 2}).call("f");
  for (size_t index : {0, 1, 2})
    EXPECT_EQ(c.result<float>(index), (std::vector<float>{2, 4, 6, 8}));
}

TEST(Compiler, CallErrors) {
  Compiled c("func.func @f(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {\n"
             "  return %x : tensor<?x4xf32>\n}");
  ASSERT_TRUE(c.module);
  std::vector<BufferRef> results;
  auto errorOf = [&](const char *name, const std::vector<BufferRef> &arguments) {
    return llvm::toString(c.module->call(name, arguments, results));
  };
  EXPECT_EQ(errorOf("g", {}), "there is no function 'g' that can be called");
  EXPECT_EQ(errorOf("f", {}), "'f' takes 1 arguments, but got 0");
  float x[8];
  EXPECT_EQ(errorOf("f", {{x, {2, 3}, nullptr}}),
            "argument 'arg0' of 'f' has shape [2, 3], but the function takes [?, 4]");
  EXPECT_EQ(errorOf("f", {{x, {4}, nullptr}}),
            "argument 'arg0' of 'f' has shape [4], but the function takes [?, 4]");
}

TEST(Compiler, FailedAssertions) {
  // The second one stands behind an allocation, the first before all.
  Compiled c(
      "func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>, %i: index) -> (tensor<?xf32>, f32) {\n"
      "  %0 = arith.addf %x, %y : tensor<?xf32>\n"
      "  %1 = arith.mulf %0, %0 : tensor<?xf32>\n"
      "  %2 = tensor.extract %1[%i] : tensor<?xf32>\n"
      "  return %0, %2 : tensor<?xf32>, f32\n}");
  ASSERT_TRUE(c.module);
  std::vector<float> x{1, 2, 3}, y{4, 5, 6};
  std::vector<int64_t> i{3};
  std::vector<BufferRef> results;
  auto errorOf = [&](int64_t rows) {
    return llvm::toString(c.module->call(
        "f", {{x.data(), {3}, nullptr}, {y.data(), {rows}, nullptr}, {i.data(), {}, nullptr}},
        results));
  };
  EXPECT_EQ(errorOf(2), "-:2:8: 'arith.addf' op dimension 0 of operand 1 has size 2, expected 3 as "
                        "in operand 0");
  EXPECT_EQ(errorOf(3), "-:4:8: 'tensor.extract' op index 3 of dimension 0 is out of bounds, "
                        "expected less than 3");
  EXPECT_TRUE(results.empty());
  // As if nothing had happened.
  i[0] = 2;
  c.arg(x, {3}).arg(y, {3}).arg(i, {}).call("f");
  EXPECT_EQ(c.result<float>(0), (std::vector<float>{5, 7, 9}));
  EXPECT_EQ(c.result<float>(1), std::vector<float>{81});
}

TEST(Compiler, FailuresReachTheCaller) {
  // Recursion is not inlined away.
  Compiled c("func.func private @g(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index)\n"
             "    -> tensor<?xf32> {\n"
             "  %zero = arith.constant 0 : index\n"
             "  %one = arith.constant 1 : index\n"
             "  %end = arith.cmpi eq, %n, %zero : index\n"
             "  %0 = scf.if %end -> tensor<?xf32> {\n"
             "    %1 = arith.addf %x, %y : tensor<?xf32>\n"
             "    scf.yield %1 : tensor<?xf32>\n"
             "  } else {\n"
             "    %m = arith.subi %n, %one : index\n"
             "    %1 = func.call @g(%x, %y, %m) : (tensor<?xf32>, tensor<?xf32>, index)\n"
             "        -> tensor<?xf32>\n"
             "    %2 = arith.addf %1, %1 : tensor<?xf32>\n"
             "    scf.yield %2 : tensor<?xf32>\n"
             "  }\n"
             "  return %0 : tensor<?xf32>\n}\n"
             "func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {\n"
             "  %three = arith.constant 3 : index\n"
             "  %0 = call @g(%x, %y, %three) : (tensor<?xf32>, tensor<?xf32>, index)\n"
             "      -> tensor<?xf32>\n"
             "  return %0 : tensor<?xf32>\n}");
  ASSERT_TRUE(c.module);
  std::vector<float> x{1, 2}, y{3, 4};
  std::vector<BufferRef> results;
  EXPECT_EQ(llvm::toString(
                c.module->call("f", {{x.data(), {2}, nullptr}, {y.data(), {1}, nullptr}}, results)),
            "-:7:10: 'arith.addf' op dimension 0 of operand 1 has size 1, expected 2 as in "
            "operand 0");
  c.arg(x, {2}).arg(y, {2}).call("f");
  EXPECT_EQ(c.result<float>(0), (std::vector<float>{32, 48}));
}

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
TEST(Compiler, FailuresLeaveNoBuffers) {
  // By the time of the failure one buffer is to be returned, and who frees another depends on %c.
  Compiled c(R"(
    func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>, %c: i1) -> (tensor<?xf32>, f32) {
      %zero = arith.constant 0 : index
      %0 = arith.addf %x, %x : tensor<?xf32>
      %1 = scf.if %c -> tensor<?xf32> {
        %4 = arith.mulf %0, %x : tensor<?xf32>
        scf.yield %4 : tensor<?xf32>
      } else {
        scf.yield %0 : tensor<?xf32>
      }
      %size = tensor.dim %y, %zero : tensor<?xf32>
      %last = tensor.extract %1[%size] : tensor<?xf32>
      return %0, %last : tensor<?xf32>, f32
    })");
  ASSERT_TRUE(c.module);
  constexpr int64_t kSize = 1 << 20;
  std::vector<float> x(kSize, 1), y(kSize);
  auto getUsed = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  for (bool branch : {false, true}) {
    std::vector<BufferRef> results;
    std::vector<BufferRef> arguments{
        {x.data(), {kSize}, nullptr}, {y.data(), {kSize}, nullptr}, {&branch, {}, nullptr}};
    size_t before = getUsed();
    std::string message = llvm::toString(c.module->call("f", arguments, results));
    EXPECT_NE(message.find("'tensor.extract' op"), std::string::npos) << message;
    EXPECT_LT(getUsed(), before + kSize);
  }
}
#endif

TEST(Compiler, CompileErrors) {
  EXPECT_EQ(compileError("func.func @f(%x: complex<f32>) { return }"),
            "-:1:1: error: 'func.func' op cannot be called from outside: argument 0 has type "
            "'complex<f32>', but only numbers and ranked, dense tensors of numbers can pass a "
            "call; make the function private");
  EXPECT_EQ(
      compileError("func.func private @g()\n"
                   "func.func @f() { call @g() : () -> () return }"),
      "-:1:1: error: 'func.func' op has no body; define it in the module, nothing is linked to it");
  CpuOptions options;
  options.features = "avx2";
  EXPECT_EQ(compileError("func.func @f() { return }", options),
            "expected CPU features like \"+fma,-avx512f\", but found \"avx2\" without a sign");
}

TEST(Compiler, LastFeatureWins) {
  // Names of kernels tell the width of the vectors that they were made for.
  std::string text = R"(
    func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>)
        -> tensor<64x64xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
                         outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
      return %r : tensor<64x64xf32>
    })";
  auto lower = [&](const char *features) {
    mlir::MLIRContext context;
    context.loadDialect<mlir::func::FuncDialect, mlir::linalg::LinalgDialect>();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    CpuOptions options;
    options.features = features;
    options.keepLowered = true;
    auto compiled = compileForCpu(*module, options);
    return compiled ? (*compiled)->loweredText() : llvm::toString(compiled.takeError());
  };
  std::string narrow = lower("-avx512f");
  EXPECT_NE(narrow.find("amp_matmul_tile"), std::string::npos);
  EXPECT_EQ(lower("+avx512f,-avx512f"), narrow);
  ASSERT_EQ(setenv("AMP_CPU_FEATURES", "-avx512f", /*overwrite=*/1), 0);
  EXPECT_EQ(lower("+avx512f"), narrow);
  ASSERT_EQ(unsetenv("AMP_CPU_FEATURES"), 0);
}

TEST(Compiler, DescribesTheCpu) {
  std::string text = describeCpu();
  EXPECT_NE(text.find(" ("), std::string::npos) << text;
  EXPECT_EQ(text.back(), ')');
}
