//===- Dataset.cpp - arrays of samples and their batches -------------------===//

#include "amp/Runtime/Dataset.h"
#include "amp/Runtime/Npy.h"
#include <cstring>
#include <limits>
#include <numeric>

using namespace amp::runtime;

/// "'a', 'b' and 'c'".
template <typename Range> static std::string listNames(const Range &range) {
  std::string text;
  for (size_t i = 0; i < range.size(); ++i) {
    if (i)
      text += i + 1 == range.size() ? " and " : ", ";
    text += "'" + range[i].name + "'";
  }
  return text.empty() ? "nothing" : text;
}

namespace {
struct Bounds {
  int64_t low;
  uint64_t high;
};
} // namespace

/// The smallest and largest number of an integer type.
static Bounds boundsOf(ElementType type) {
  if (type == ElementType::I1)
    return {0, 1};
  unsigned bits = static_cast<unsigned>(byteSize(type)) * 8;
  if (stringify(type)[0] == 'u')
    return {0, ~uint64_t{0} >> (64 - bits)};
  uint64_t high = (uint64_t{1} << (bits - 1)) - 1;
  return {-static_cast<int64_t>(high) - 1, high};
}

/// An integer element; `value` holds its bits, as signed if `negative` is set.
static void readInteger(const Tensor &tensor, int64_t index, uint64_t &value, bool &negative) {
  size_t bytes = byteSize(tensor.elementType());
  value = 0;
  std::memcpy(&value, static_cast<const char *>(tensor.rawData()) + index * bytes, bytes);
  negative = false;
  if (boundsOf(tensor.elementType()).low == 0)
    return;
  unsigned unused = 64 - static_cast<unsigned>(bytes) * 8;
  value = static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
  negative = static_cast<int64_t>(value) < 0;
}

static std::string integerText(uint64_t value, bool negative) {
  return negative ? std::to_string(static_cast<int64_t>(value)) : std::to_string(value);
}

/// The position of an element in its array, for people: "sample 3" or "sample 3, element 5".
static std::string positionText(const Tensor &tensor, int64_t index) {
  int64_t perSample = tensor.numElements() / tensor.dim(0);
  std::string text = "sample " + std::to_string(index / perSample);
  return perSample == 1 ? text : text + ", element " + std::to_string(index % perSample);
}

/// Converts integers to another integer type; an error names the first that does not fit.
static Result<Tensor> convertIntegers(const Tensor &from, ElementType type) {
  Result<Tensor> to = Tensor::create(type, from.shape());
  if (!to.ok())
    return to.status();
  Bounds bounds = boundsOf(type);
  size_t bytes = byteSize(type);
  for (int64_t i = 0, e = from.numElements(); i < e; ++i) {
    uint64_t value;
    bool negative;
    readInteger(from, i, value, negative);
    if (negative ? static_cast<int64_t>(value) < bounds.low : value > bounds.high)
      return error("expects integers from " + std::to_string(bounds.low) + " to " +
                   std::to_string(bounds.high) + " (" + std::string(stringify(type)) +
                   ") but got " + integerText(value, negative) + " at " + positionText(from, i));
    std::memcpy(static_cast<char *>(to->rawData()) + i * bytes, &value, bytes);
  }
  return to;
}

/// The name of the type in NumPy.
static std::string numpyName(ElementType type) {
  if (type == ElementType::BF16)
    return "ml_dtypes.bfloat16";
  std::string bits = std::to_string(byteSize(type) * 8);
  return "numpy." + (isFloat(type) ? "float" + bits : "int" + bits);
}

/// Checks one array against its argument and brings it into the argument's type.
static Result<Tensor> fitArray(Tensor array, const ArgumentSpec &argument) {
  bool fits = array.shape().size() == argument.shape.size() && !argument.shape.empty();
  for (size_t axis = 1; fits && axis < argument.shape.size(); ++axis)
    fits = argument.shape[axis] < 0 || argument.shape[axis] == array.shape()[axis];
  if (!fits) {
    Shape expected = argument.shape;
    if (expected.empty())
      return error("cannot be split into batches: the argument is a scalar; give it a batch axis");
    expected[0] = -1;
    return error("expects " + stringify(argument.elementType, expected) +
                 ", with the sample as first axis, but got " + array.typeString());
  }
  if (array.elementType() == argument.elementType)
    return array;
  if (isInteger(argument.elementType) && isInteger(array.elementType()))
    return convertIntegers(array, argument.elementType);
  return error("expects " + std::string(stringify(argument.elementType)) + " elements but got " +
               std::string(stringify(array.elementType())) + "; save it with array.astype(" +
               numpyName(argument.elementType) + ")");
}

Result<Dataset> Dataset::create(std::vector<NamedTensor> arrays,
                                const std::vector<ArgumentSpec> &arguments,
                                const std::string &origin) {
  if (arguments.empty())
    return error(origin +
                 ": the function takes no arguments, so that there is nothing to train on");
  std::vector<NamedTensor> columns;
  for (const ArgumentSpec &argument : arguments) {
    NamedTensor *found = nullptr;
    for (NamedTensor &array : arrays)
      if (array.name == argument.name)
        found = &array;
    if (!found)
      return error(origin + ": has no array '" + argument.name + "'; expects " +
                   listNames(arguments) + " but got " + listNames(arrays) +
                   "; save it with numpy.savez(file, " + argument.name + "=...)");
    std::string prefix = origin + ": array '" + argument.name + "' ";
    Result<Tensor> column = fitArray(std::move(found->value), argument);
    if (!column.ok())
      return error(prefix + column.message());
    columns.push_back({argument.name, column.take()});
    const Tensor &first = columns.front().value, &last = columns.back().value;
    if (last.dim(0) == 0)
      return error(prefix + "expects at least one sample but got " + last.typeString());
    if (last.dim(0) != first.dim(0))
      return error(prefix + "expects as many samples as array '" + columns.front().name +
                   "' has, " + std::to_string(first.dim(0)) + ", but got " +
                   std::to_string(last.dim(0)));
  }
  return Dataset(std::move(columns), origin);
}

Result<Dataset> Dataset::load(const std::string &path, const std::vector<ArgumentSpec> &arguments) {
  Result<std::vector<NamedTensor>> arrays = readArrays(path);
  if (!arrays.ok())
    return arrays.status();
  return create(arrays.take(), arguments, path);
}

Status Dataset::checkLabels(std::string_view name, int64_t classes) const {
  for (const NamedTensor &column : columns) {
    if (column.name != name || !isInteger(column.value.elementType()))
      continue;
    for (int64_t i = 0, e = column.value.numElements(); i < e; ++i) {
      uint64_t value;
      bool negative;
      readInteger(column.value, i, value, negative);
      if (negative || value >= static_cast<uint64_t>(classes))
        return error(fileName + ": array '" + column.name + "' expects labels from 0 to " +
                     std::to_string(classes - 1) + " but got " + integerText(value, negative) +
                     " at " + positionText(column.value, i));
    }
    return {};
  }
  return error(fileName + ": has no integer array '" + std::string(name) + "'");
}

std::vector<Tensor> Dataset::gather(Span<const int64_t> samples) const {
  std::vector<Tensor> batch;
  for (const NamedTensor &column : columns) {
    Shape shape = column.value.shape();
    auto stride = static_cast<size_t>(column.value.byteSize() / shape[0]);
    shape[0] = static_cast<int64_t>(samples.size());
    Tensor tensor(column.value.elementType(), std::move(shape));
    auto *target = static_cast<char *>(tensor.rawData());
    const auto *source = static_cast<const char *>(column.value.rawData());
    for (int64_t sample : samples) {
      assert(sample >= 0 && sample < size() && "sample out of range");
      std::memcpy(target, source + static_cast<size_t>(sample) * stride, stride);
      target += stride;
    }
    batch.push_back(std::move(tensor));
  }
  return batch;
}

std::vector<Tensor> Dataset::slice(int64_t begin, int64_t count) const {
  std::vector<Tensor> batch;
  batch.reserve(columns.size());
  for (const NamedTensor &column : columns)
    batch.push_back(column.value.slice(begin, count));
  return batch;
}

Result<int64_t> amp::runtime::batchOf(const FunctionSignature &signature) {
  const ArgumentSpec *first = nullptr;
  for (const ArgumentSpec &argument : signature.arguments) {
    if (argument.shape.empty())
      return error("function '" + signature.name + "' expects a batch as first axis of argument '" +
                   argument.name + "' but it is a scalar");
    if (first && first->shape[0] != argument.shape[0])
      return error("function '" + signature.name + "' expects the same batch for the arguments '" +
                   first->name + "' and '" + argument.name + "' but got " +
                   stringify(first->elementType, first->shape) + " and " +
                   stringify(argument.elementType, argument.shape));
    if (!first)
      first = &argument;
  }
  return first ? first->shape[0] : int64_t{-1};
}

std::vector<const Tensor *> amp::runtime::pointersTo(const std::vector<Tensor> &tensors) {
  std::vector<const Tensor *> pointers;
  pointers.reserve(tensors.size());
  for (const Tensor &tensor : tensors)
    pointers.push_back(&tensor);
  return pointers;
}

BatchIterator::BatchIterator(const Dataset &dataset, int64_t batch, bool dropLast, uint64_t seed)
    : dataset(dataset), batch(batch), dropLast(dropLast), seed(seed) {
  assert(batch > 0 && (!dropLast || batch <= dataset.size()) && "no batch to go through");
  seek(0, 0);
}

void BatchIterator::seek(uint64_t epoch, uint64_t position) {
  currentEpoch = epoch;
  currentPosition = position;
  order = shuffledOrder(dataset.size(), seed, epoch);
}

uint64_t BatchIterator::batchesPerEpoch() const {
  int64_t rest = dropLast ? 0 : batch - 1;
  return static_cast<uint64_t>((dataset.size() + rest) / batch);
}

bool BatchIterator::atEnd() const {
  auto size = static_cast<uint64_t>(dataset.size());
  if (currentPosition >= size)
    return true;
  return dropLast && size - currentPosition < static_cast<uint64_t>(batch);
}

std::vector<Tensor> BatchIterator::next() {
  if (atEnd())
    startNextEpoch();
  auto size = static_cast<uint64_t>(dataset.size());
  uint64_t count = std::min(static_cast<uint64_t>(batch), size - currentPosition);
  std::vector<Tensor> tensors =
      dataset.gather(Span<const int64_t>(order.data() + currentPosition, count));
  currentPosition += count;
  return tensors;
}

std::vector<int64_t> amp::runtime::shuffledOrder(int64_t count, uint64_t seed, uint64_t epoch) {
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  RandomStream random(seed, "epoch " + std::to_string(epoch), RandomPurpose::Shuffle);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.below(i, i)]);
  return order;
}
