//===- TensorTest.cpp ------------------------------------------------------===//

#include "amp/Runtime/Tensor.h"
#include "TestUtils.h"
#include <cmath>
#include <limits>

using namespace amp::runtime;

TEST(ElementType, NamesReadBack) {
  for (ElementType type : allElementTypes) {
    EXPECT_EQ(symbolizeElementType(stringify(type)), type);
    EXPECT_EQ(isFloat(type), stringify(type).find('f') != std::string_view::npos);
    EXPECT_NE(isFloat(type), isInteger(type));
  }
  EXPECT_EQ(symbolizeElementType("ui8"), ElementType::U8);
  EXPECT_EQ(symbolizeElementType("si64"), ElementType::I64);
  for (const char *name : {"", "u", "ui", "f8", "uif16", "sf32", "i128"})
    EXPECT_EQ(symbolizeElementType(name), std::nullopt) << name;
  EXPECT_TRUE(isHalf(ElementType::BF16));
  EXPECT_FALSE(isHalf(ElementType::F32));
}

TEST(Tensor, StartsAsAlignedZeros) {
  for (ElementType type : allElementTypes) {
    Tensor tensor(type, {3, 5});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.rawData()) % Tensor::alignment, 0u);
    EXPECT_EQ(tensor.byteSize(), static_cast<int64_t>(15 * byteSize(type)));
    for (int64_t i = 0; i < 15; ++i)
      EXPECT_EQ(tensor.toDouble(i), 0.0);
  }
}

TEST(Tensor, ElementsReadBack) {
  for (ElementType type : allElementTypes) {
    Tensor tensor(type, {2});
    tensor.setFromDouble(0, 1.0);
    EXPECT_EQ(tensor.toDouble(0), 1.0) << stringify(type);
    EXPECT_EQ(tensor.toDouble(1), 0.0);
  }
}

TEST(Tensor, IntegersClamp) {
  Tensor small = makeTensor(ElementType::I8, {5}, {1e9, -1e9, -1.9, 127.5, NAN});
  EXPECT_EQ(small.toDouble(0), 127);
  EXPECT_EQ(small.toDouble(1), -128);
  EXPECT_EQ(small.toDouble(2), -1);
  EXPECT_EQ(small.toDouble(3), 127);
  EXPECT_EQ(small.toDouble(4), 0);
  Tensor large = makeTensor(ElementType::I64, {3}, {1e19, -1e19, 0x1p63});
  EXPECT_EQ(large.data<int64_t>()[0], std::numeric_limits<int64_t>::max());
  EXPECT_EQ(large.data<int64_t>()[1], std::numeric_limits<int64_t>::min());
  EXPECT_EQ(large.data<int64_t>()[2], std::numeric_limits<int64_t>::max());
  Tensor natural = makeTensor(ElementType::U64, {3}, {2e19, -1, 0x1p64});
  EXPECT_EQ(natural.data<uint64_t>()[2], std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(natural.data<uint64_t>()[0], std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(natural.data<uint64_t>()[1], 0u);
}

TEST(Tensor, EqualityIsOfBits) {
  Tensor a = makeTensor(ElementType::F32, {2}, {NAN, 0.0});
  EXPECT_TRUE(a.bitsEqual(a.clone()));
  Tensor b = a.clone();
  b.setFromDouble(1, -0.0);
  EXPECT_FALSE(a.bitsEqual(b));
  EXPECT_FALSE(a.bitsEqual(makeTensor(ElementType::F32, {1, 2}, {NAN, 0.0})));
  EXPECT_FALSE(Tensor(ElementType::F32, {2}).bitsEqual(Tensor(ElementType::I32, {2})));
  EXPECT_TRUE(Tensor(ElementType::F32, {0}).bitsEqual(Tensor(ElementType::F32, {0})));
}

TEST(Tensor, SlicesShareMemory) {
  Tensor whole = makeTensor(ElementType::I32, {3, 2}, {0, 1, 2, 3, 4, 5});
  Tensor rows = whole.slice(1, 2);
  EXPECT_EQ(rows.typeString(), "tensor<2x2xi32>");
  EXPECT_EQ(rows.toDouble(3), 5);
  rows.setFromDouble(0, 9);
  EXPECT_EQ(whole.toDouble(2), 9);
  EXPECT_EQ(whole.slice(3, 0).numElements(), 0);
}

TEST(Tensor, MovesAndAdopts) {
  void *memory = std::malloc(100);
  auto *values = static_cast<float *>(memory) + 1;
  values[0] = 5.0f;
  Tensor adopted = Tensor::adopt(ElementType::F32, {1}, values, memory);
  Tensor moved = std::move(adopted);
  // NOLINTNEXTLINE(bugprone-use-after-move): what is left behind is promised to be empty.
  EXPECT_EQ(adopted.numElements(), 0);
  EXPECT_EQ(moved.toDouble(0), 5.0);
  adopted = makeTensor(ElementType::F64, {}, {7.0});
  EXPECT_EQ(adopted.toDouble(0), 7.0);
  moved = std::move(adopted);
  EXPECT_EQ(moved.typeString(), "tensor<f64>");
}

TEST(Tensor, ConversionRoundsOnce) {
  // The middle of two bf16 after f32 rounding would go the other way if it went through f16.
  Tensor source = makeTensor(ElementType::F32, {3}, {1.0 + 0x1p-8, 1.0 + 0x1p-8 + 0x1p-23, -70000});
  Tensor bf16(ElementType::BF16, {3}), f16(ElementType::F16, {3});
  convertElements(source, bf16);
  EXPECT_EQ(bf16.toDouble(0), 1.0);
  EXPECT_EQ(bf16.toDouble(1), 1.0 + 0x1p-7);
  convertElements(source, f16);
  EXPECT_EQ(f16.toDouble(2), -INFINITY);
  Tensor integers(ElementType::I32, {3});
  convertElements(source, integers);
  EXPECT_EQ(integers.toDouble(2), -70000);
  Tensor copy(ElementType::F32, {3});
  convertElements(source, copy);
  EXPECT_TRUE(copy.bitsEqual(source));
}

TEST(Tensor, ImpossibleShapesAreErrors) {
  EXPECT_ERROR(Tensor::create(ElementType::F32, {2, -1}), "extent -1 is negative");
  EXPECT_ERROR(Tensor::create(ElementType::F64, {int64_t{1} << 40, int64_t{1} << 40}),
               "tensor<1099511627776x1099511627776xf64> is larger than any memory");
  // Zero elements, whatever the other extents.
  EXPECT_OK(Tensor::create(ElementType::F64, {int64_t{1} << 62, int64_t{1} << 62, 0}));
}

TEST(Tensor, NoMemoryIsAnError) {
  EXPECT_ERROR(Tensor::create(ElementType::I8, {int64_t{1} << 60}),
               "no memory for tensor<1152921504606846976xi8> (1152921504606846976 bytes)");
}

TEST(Tensor, BooleansAreZeroOrOne) {
  Tensor flags = makeTensor(ElementType::I1, {3}, {1, 0, 1});
  EXPECT_OK(checkBooleans(flags));
  flags.data<uint8_t>()[2] = 7;
  EXPECT_ERROR(checkBooleans(flags), "expects booleans of 0 and 1 but got 7 at element 2");
  EXPECT_OK(checkBooleans(makeTensor(ElementType::U8, {1}, {7})));
}

TEST(Tensor, TypesPrint) {
  EXPECT_EQ(stringify(ElementType::BF16, {-1, 64}), "tensor<?x64xbf16>");
  EXPECT_EQ(Tensor().typeString(), "tensor<f32>");
}
