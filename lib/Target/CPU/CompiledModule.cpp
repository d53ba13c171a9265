//===- CompiledModule.cpp - calls of compiled functions -------------------===//

#include "CpuCompilerDetail.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Target/TargetMachine.h"
#include <cstring>

using namespace amp;

CompiledModule::CompiledModule(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
CompiledModule::~CompiledModule() = default;

const std::vector<FunctionInfo> &CompiledModule::functions() const { return impl->functions; }
const std::string &CompiledModule::loweredText() const { return impl->lowered; }
const std::string &CompiledModule::llvmText() const { return impl->llvm; }
const std::string &CompiledModule::assemblyText() const { return impl->assembly; }

const FunctionInfo *CompiledModule::function(llvm::StringRef name) const {
  auto it = impl->index.find(name);
  return it == impl->index.end() ? nullptr : &impl->functions[it->second];
}

/// Words of a memref descriptor: two pointers, the offset, extents, strides.
static size_t getDescriptorWords(size_t rank) { return 3 + 2 * rank; }

static void writeDescriptor(const BufferRef &buffer, std::vector<int64_t> &words) {
  words.clear();
  auto address = reinterpret_cast<int64_t>(buffer.data);
  words.insert(words.end(), {address, address, 0});
  words.insert(words.end(), buffer.shape.begin(), buffer.shape.end());
  size_t rank = buffer.shape.size();
  words.resize(getDescriptorWords(rank));
  int64_t stride = 1;
  for (size_t i = rank; i-- > 0;) {
    words[3 + rank + i] = stride;
    stride *= buffer.shape[i];
  }
}

static BufferRef readDescriptor(const char *bytes, const ValueInfo &info) {
  std::vector<int64_t> words(getDescriptorWords(info.shape.size()));
  std::memcpy(words.data(), bytes, words.size() * sizeof(int64_t));
  BufferRef buffer;
  buffer.allocated = reinterpret_cast<void *>(words[0]);
  buffer.data = reinterpret_cast<char *>(words[1]) + words[2] * info.byteSize;
  buffer.shape.assign(words.begin() + 3, words.begin() + 3 + info.shape.size());
  return buffer;
}

static llvm::Error checkArgument(const FunctionInfo &function, size_t index,
                                 const BufferRef &buffer) {
  const ValueInfo &info = function.arguments[index];
  bool agrees = buffer.shape.size() == info.shape.size();
  for (size_t i = 0; agrees && i < info.shape.size(); ++i)
    agrees = info.shape[i] < 0 ? buffer.shape[i] >= 0 : buffer.shape[i] == info.shape[i];
  if (agrees)
    return llvm::Error::success();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "argument '" << info.name << "' of '" << function.name << "' has shape [";
  llvm::interleaveComma(buffer.shape, os);
  os << "], but the function takes [";
  llvm::interleaveComma(info.shape, os,
                        [&](int64_t extent) { extent < 0 ? os << "?" : os << extent; });
  os << "]";
  return llvm::createStringError(text);
}

/// Byte offsets of the results in the structure that a call fills, and its size.
static std::vector<size_t> layOutResults(const FunctionInfo &function, size_t &size) {
  std::vector<size_t> offsets;
  size = 0;
  for (const ValueInfo &info : function.results) {
    size_t bytes = info.isScalar ? info.byteSize : 8 * getDescriptorWords(info.shape.size());
    size = llvm::alignTo(size, info.isScalar ? info.byteSize : 8);
    offsets.push_back(size);
    size += bytes;
  }
  size = llvm::alignTo(size, 8);
  return offsets;
}

/// Gives `result` memory of its own if it lies in that of an earlier one: a value that is returned
/// twice is one buffer, which would be freed twice.
static void separate(BufferRef &result, const ValueInfo &info, llvm::ArrayRef<BufferRef> earlier) {
  if (!llvm::is_contained(llvm::map_range(earlier, [](auto &other) { return other.allocated; }),
                          result.allocated))
    return;
  size_t bytes = info.byteSize;
  for (int64_t extent : result.shape)
    bytes *= extent;
  void *copy = std::malloc(bytes);
  if (bytes != 0)
    std::memcpy(copy, result.data, bytes);
  result.data = result.allocated = copy;
}

static llvm::Error readResults(const FunctionInfo &function, const std::vector<char> &bytes,
                               llvm::ArrayRef<size_t> offsets, std::vector<BufferRef> &results) {
  results.clear();
  for (auto [info, offset] : llvm::zip_equal(function.results, offsets)) {
    if (!info.isScalar) {
      BufferRef result = readDescriptor(bytes.data() + offset, info);
      separate(result, info, results);
      results.push_back(std::move(result));
      continue;
    }
    BufferRef scalar;
    scalar.data = scalar.allocated = std::malloc(info.byteSize);
    std::memcpy(scalar.data, bytes.data() + offset, info.byteSize);
    results.push_back(std::move(scalar));
  }
  return llvm::Error::success();
}

/// Not checked for the callee's type, which clang looks for in front of the callee: compiled code
/// has none there, and may lie at the start of a mapping.
#ifdef __clang__
__attribute__((no_sanitize("function")))
#endif
static void enter(CompiledModule::Impl::Entry entry, std::vector<void *> &packed) {
  entry(packed.data());
}

llvm::Error CompiledModule::call(llvm::StringRef name, llvm::ArrayRef<BufferRef> arguments,
                                 std::vector<BufferRef> &results) const {
  auto it = impl->index.find(name);
  if (it == impl->index.end())
    return llvm::createStringError("there is no function '" + name + "' that can be called");
  const FunctionInfo &function = impl->functions[it->second];
  if (arguments.size() != function.arguments.size())
    return llvm::createStringError(llvm::formatv("'{0}' takes {1} arguments, but got {2}", name,
                                                 function.arguments.size(), arguments.size()));
  // What the callee takes, in order: the results' structure, then per argument a descriptor's
  // address or a scalar; the entry point wants the address of each.
  size_t size = 0;
  std::vector<size_t> offsets = layOutResults(function, size);
  std::vector<char> bytes(size);
  bool byValue = function.results.size() == 1 && function.results[0].isScalar;
  void *resultAddress = bytes.data();
  std::vector<std::vector<int64_t>> descriptors(arguments.size());
  std::vector<void *> addresses(arguments.size()), packed;
  if (!function.results.empty() && !byValue)
    packed.push_back(&resultAddress);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (llvm::Error error = checkArgument(function, i, arguments[i]))
      return error;
    if (function.arguments[i].isScalar) {
      packed.push_back(arguments[i].data);
      continue;
    }
    writeDescriptor(arguments[i], descriptors[i]);
    addresses[i] = descriptors[i].data();
    packed.push_back(&addresses[i]);
  }
  if (byValue)
    packed.push_back(resultAddress);
  ActiveCall call;
  enter(impl->entries[it->second], packed);
  if (llvm::Error error = call.takeFailure())
    return error;
  return readResults(function, bytes, offsets, results);
}
