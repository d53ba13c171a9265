//===- Tensor.cpp - a dense tensor in host memory --------------------------===//

#include "amp/Runtime/Tensor.h"
#include "amp/Runtime/Half.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace amp::runtime;

std::string amp::runtime::stringify(ElementType type, const Shape &shape) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += (extent < 0 ? "?" : std::to_string(extent)) + "x";
  return text + std::string(stringify(type)) + ">";
}

Result<int64_t> amp::runtime::checkedNumElements(ElementType type, const Shape &shape) {
  int64_t count = 1;
  bool empty = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      return error("extent " + std::to_string(extent) + " is negative");
    empty |= extent == 0;
  }
  if (empty)
    return int64_t{0};
  int64_t most = std::numeric_limits<int64_t>::max() / static_cast<int64_t>(byteSize(type));
  for (int64_t extent : shape) {
    if (count > most / extent)
      return error(stringify(type, shape) + " is larger than any memory");
    count *= extent;
  }
  return count;
}

/// The product of the extents of a shape that can exist.
static int64_t product(const Shape &shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// Zeroed memory for `bytes` bytes, null if there is none. Never null for zero bytes.
static void *allocateZeros(int64_t bytes) {
  size_t rounded = (static_cast<size_t>(bytes) + Tensor::alignment) & ~(Tensor::alignment - 1);
  void *memory = std::aligned_alloc(Tensor::alignment, rounded);
  if (memory)
    std::memset(memory, 0, rounded);
  return memory;
}

Tensor::Tensor(ElementType type, Shape shape, void *data, void *allocated)
    : type(type), extents(std::move(shape)), elements(product(extents)), memory(data),
      allocated(allocated) {}

Tensor::Tensor() : Tensor(ElementType::F32, Shape{}) {}

Tensor::Tensor(ElementType type, Shape shape) : Tensor(type, std::move(shape), nullptr, nullptr) {
  memory = allocated = allocateZeros(byteSize());
  if (!memory)
    std::abort();
}

Tensor::Tensor(Tensor &&other) noexcept : Tensor(other.type, {}, other.memory, other.allocated) {
  extents = std::move(other.extents);
  elements = other.elements;
  // What is left behind has no elements.
  other.extents = {0};
  other.elements = 0;
  other.memory = other.allocated = nullptr;
}

Tensor &Tensor::operator=(Tensor &&other) noexcept {
  std::swap(type, other.type);
  std::swap(extents, other.extents);
  std::swap(elements, other.elements);
  std::swap(memory, other.memory);
  std::swap(allocated, other.allocated);
  return *this;
}

Tensor::~Tensor() { std::free(allocated); }

Result<Tensor> Tensor::create(ElementType type, Shape shape) {
  Result<int64_t> count = checkedNumElements(type, shape);
  if (!count.ok())
    return count.status();
  int64_t bytes = *count * static_cast<int64_t>(runtime::byteSize(type));
  void *memory = allocateZeros(bytes);
  if (!memory)
    return error("no memory for " + stringify(type, shape) + " (" + std::to_string(bytes) +
                 " bytes)");
  return Tensor(type, std::move(shape), memory, memory);
}

Tensor Tensor::adopt(ElementType type, Shape shape, void *data, void *allocated) {
  return Tensor(type, std::move(shape), data, allocated);
}

Tensor Tensor::view(ElementType type, Shape shape, void *data) {
  return Tensor(type, std::move(shape), data, nullptr);
}

int64_t Tensor::byteSize() const {
  return elements * static_cast<int64_t>(runtime::byteSize(type));
}

Tensor Tensor::clone() const {
  Tensor copy(type, extents);
  copy.copyFrom(*this);
  return copy;
}

Tensor Tensor::slice(int64_t begin, int64_t count) const {
  assert(rank() > 0 && begin >= 0 && count >= 0 && begin + count <= dim(0) && "slice out of range");
  Shape shape = extents;
  int64_t stride = extents[0] ? byteSize() / extents[0] : 0;
  shape[0] = count;
  return view(type, std::move(shape), static_cast<char *>(memory) + begin * stride);
}

void Tensor::copyFrom(const Tensor &other) {
  assert(type == other.type && extents == other.extents && "copy between different tensors");
  if (byteSize())
    std::memmove(memory, other.memory, static_cast<size_t>(byteSize()));
}

bool Tensor::bitsEqual(const Tensor &other) const {
  return type == other.type && extents == other.extents &&
         (byteSize() == 0 ||
          std::memcmp(memory, other.memory, static_cast<size_t>(byteSize())) == 0);
}

double Tensor::toDouble(int64_t index) const {
  assert(index >= 0 && index < elements && "index out of range");
  switch (type) {
  case ElementType::F16:
    return f32FromF16(data<uint16_t>()[index]);
  case ElementType::BF16:
    return f32FromBF16(data<uint16_t>()[index]);
  case ElementType::F32:
    return data<float>()[index];
  case ElementType::F64:
    return data<double>()[index];
  case ElementType::I1:
  case ElementType::U8:
    return data<uint8_t>()[index];
  case ElementType::I8:
    return data<int8_t>()[index];
  case ElementType::I16:
    return data<int16_t>()[index];
  case ElementType::U16:
    return data<uint16_t>()[index];
  case ElementType::I32:
    return data<int32_t>()[index];
  case ElementType::U32:
    return data<uint32_t>()[index];
  case ElementType::I64:
    return static_cast<double>(data<int64_t>()[index]);
  case ElementType::U64:
    return static_cast<double>(data<uint64_t>()[index]);
  }
  return 0.0;
}

/// Truncates towards zero and clamps to the range of T; NaN becomes zero.
template <typename T> static T clampTo(double value) {
  if (std::isnan(value))
    return 0;
  if (value <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  // 2^63 - 1 and 2^64 - 1 round up to a double that is out of range.
  if (value >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

/// f64 to f32 by the processor: one rounding to nearest even.
static float narrow(double value) { return static_cast<float>(value); }

void Tensor::setFromDouble(int64_t index, double value) {
  assert(index >= 0 && index < elements && "index out of range");
  switch (type) {
  case ElementType::F16:
    data<uint16_t>()[index] = f16FromF64(value);
    return;
  case ElementType::BF16:
    data<uint16_t>()[index] = bf16FromF64(value);
    return;
  case ElementType::F32:
    data<float>()[index] = narrow(value);
    return;
  case ElementType::F64:
    data<double>()[index] = value;
    return;
  case ElementType::I1:
    data<uint8_t>()[index] = value != 0.0;
    return;
  case ElementType::I8:
    data<int8_t>()[index] = clampTo<int8_t>(value);
    return;
  case ElementType::U8:
    data<uint8_t>()[index] = clampTo<uint8_t>(value);
    return;
  case ElementType::I16:
    data<int16_t>()[index] = clampTo<int16_t>(value);
    return;
  case ElementType::U16:
    data<uint16_t>()[index] = clampTo<uint16_t>(value);
    return;
  case ElementType::I32:
    data<int32_t>()[index] = clampTo<int32_t>(value);
    return;
  case ElementType::U32:
    data<uint32_t>()[index] = clampTo<uint32_t>(value);
    return;
  case ElementType::I64:
    data<int64_t>()[index] = clampTo<int64_t>(value);
    return;
  case ElementType::U64:
    data<uint64_t>()[index] = clampTo<uint64_t>(value);
    return;
  }
}

Status amp::runtime::checkBooleans(const Tensor &tensor) {
  if (tensor.elementType() != ElementType::I1)
    return {};
  for (int64_t i = 0, e = tensor.numElements(); i < e; ++i)
    if (unsigned value = tensor.data<uint8_t>()[i]; value > 1)
      return error("expects booleans of 0 and 1 but got " + std::to_string(value) + " at element " +
                   std::to_string(i));
  return {};
}

void amp::runtime::convertElements(const Tensor &from, Tensor &to) {
  assert(from.shape() == to.shape() && "conversion between different shapes");
  int64_t count = from.numElements();
  if (from.elementType() == to.elementType()) {
    to.copyFrom(from);
    return;
  }
  if (from.elementType() == ElementType::F32 && isHalf(to.elementType())) {
    auto *narrowTo = to.elementType() == ElementType::F16 ? f16FromF32 : bf16FromF32;
    const float *source = from.data<float>();
    uint16_t *target = to.data<uint16_t>();
    for (int64_t i = 0; i < count; ++i)
      target[i] = narrowTo(source[i]);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    to.setFromDouble(i, from.toDouble(i));
}
