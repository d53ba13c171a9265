//===- SanitizerTest.cpp - a build with sanitizers ends at an error -------===//

#include "Compile.h"
#include "llvm/Support/Compiler.h"
#include <climits>

#if LLVM_ADDRESS_SANITIZER_BUILD

TEST(SanitizerDeathTest, HeapOverflow) {
  std::vector<int> values(3);
  volatile size_t index = 3;
  EXPECT_DEATH(values.data()[index] = 1, "heap-buffer-overflow");
}

TEST(SanitizerDeathTest, Leak) {
  EXPECT_DEATH(
      {
        volatile auto lost = new int[3];
        lost[0] = 1;
        lost = nullptr;
        std::exit(0);
      },
      "detected memory leaks");
}

TEST(SanitizerDeathTest, CompiledCodeReadsPastTheEnd) {
  for (std::string type : {"tensor<64xf32>", "tensor<?xf32>"}) {
    Compiled c("func.func @f(%x: " + type + ") -> " + type + " {\n" +
               "  %y = arith.addf %x, %x : " + type + "\n  return %y : " + type + "\n}");
    std::vector<float> x(63);
    EXPECT_DEATH(c.arg(x, {64}).call("f"), "heap-buffer-overflow");
  }
}

#endif

#if __has_feature(undefined_behavior_sanitizer)

TEST(SanitizerDeathTest, SignedOverflow) {
  volatile int value = INT_MAX;
  EXPECT_DEATH(value = value + 1, "signed integer overflow");
}

#endif
