//===- VectorizeRandomTest.cpp - random linalg ops against plain loops ----===//
//
// Numbers are small integers, so that every order of a sum gives the same result in every type.

#include "Compile.h"
#include "amp/Runtime/Half.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <random>

namespace {

/// A random linalg.generic: what it computes is `out = out + sum of the inputs` over all loops.
struct RandomOp {
  explicit RandomOp(unsigned seed);

  int pick(int bound) { return int(random() % bound); }
  std::vector<int> randomDims(bool complete);
  std::string map(const std::vector<int> &dims) const;
  std::string tensor(const std::vector<int> &dims) const;
  std::string text() const;
  std::vector<int64_t> shape(const std::vector<int> &dims) const;
  size_t offset(const std::vector<int> &dims, const std::vector<int64_t> &at) const;
  void reference(const std::vector<std::vector<int>> &inputs, std::vector<int> &output) const;

  std::mt19937 random;
  std::string type;
  std::vector<int64_t> sizes;
  std::vector<bool> isDynamic;
  std::vector<std::vector<int>> inputDims;
  std::vector<int> outputDims;
  /// The loop whose index is added too, or -1.
  int indexed = -1;
};

} // namespace

RandomOp::RandomOp(unsigned seed) : random(seed) {
  static const int64_t extents[] = {1, 2, 3, 5, 8, 16, 17, 33};
  static const char *types[] = {"i32", "f32", "f64", "f16", "bf16", "i8"};
  type = types[pick(6)];
  int loops = 1 + pick(4);
  int64_t total = 1;
  for (int loop = 0; loop < loops; ++loop) {
    int64_t extent = extents[pick(8)];
    extent = total * extent > 20000 ? 2 : extent;
    total *= extent;
    sizes.push_back(extent);
    isDynamic.push_back(pick(2));
  }
  inputDims.push_back(randomDims(/*complete=*/true));
  for (int more = pick(3); more > 0; --more)
    inputDims.push_back(randomDims(false));
  outputDims = randomDims(false);
  if (pick(3) == 0)
    indexed = pick(loops);
}

std::vector<int> RandomOp::randomDims(bool complete) {
  std::vector<int> dims;
  for (int loop = 0; loop < int(sizes.size()); ++loop)
    if (complete || pick(3) != 0)
      dims.push_back(loop);
  if (pick(2))
    std::shuffle(dims.begin(), dims.end(), random);
  return dims;
}

std::string RandomOp::map(const std::vector<int> &dims) const {
  std::string text = "affine_map<(";
  for (size_t loop = 0; loop < sizes.size(); ++loop)
    text += (loop ? ", d" : "d") + std::to_string(loop);
  text += ") -> (";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? ", d" : "d") + std::to_string(dims[i]);
  return text + ")>";
}

std::string RandomOp::tensor(const std::vector<int> &dims) const {
  std::string text = "tensor<";
  for (int dim : dims)
    text += (isDynamic[dim] ? "?" : std::to_string(sizes[dim])) + "x";
  return text + type + ">";
}

std::string RandomOp::text() const {
  bool isFloat = type[0] != 'i';
  std::string add = isFloat ? "arith.addf" : "arith.addi";
  std::string arguments, maps, iterators, ins, insTypes, block, body, sum = "%o";
  for (size_t i = 0; i < inputDims.size(); ++i) {
    std::string number = std::to_string(i), separator = i ? ", " : "";
    arguments += "%x" + number + ": " + tensor(inputDims[i]) + ", ";
    maps += map(inputDims[i]) + ", ";
    ins += separator + "%x" + number;
    insTypes += separator + tensor(inputDims[i]);
    block += "%a" + number + ": " + type + ", ";
  }
  // The inputs among themselves first, so that the last addition is the one to the output.
  std::string term = "%a0";
  for (size_t i = 1; i < inputDims.size(); ++i) {
    body += "    %t" + std::to_string(i) + " = " + add + " " + term + ", %a" + std::to_string(i) +
            " : " + type + "\n";
    term = "%t" + std::to_string(i);
  }
  if (indexed >= 0) {
    body += "    %i = linalg.index " + std::to_string(indexed) + " : index\n" +
            "    %i32 = arith.index_cast %i : index to i32\n";
    std::string convert = isFloat ? "arith.sitofp" : type == "i8" ? "arith.trunci" : "";
    std::string value = convert.empty() ? "%i32" : "%iv";
    if (!convert.empty())
      body += "    %iv = " + convert + " %i32 : i32 to " + type + "\n";
    body += "    %ti = " + add + " " + term + ", " + value + " : " + type + "\n";
    term = "%ti";
  }
  body += "    %r = " + add + " " + term + ", %o : " + type + "\n";
  for (int loop = 0; loop < int(sizes.size()); ++loop)
    iterators += std::string(loop ? ", " : "") +
                 (llvm::is_contained(outputDims, loop) ? "\"parallel\"" : "\"reduction\"");
  std::string out = tensor(outputDims);
  return "func.func @f(" + arguments + "%init: " + out + ") -> " + out + " {\n" +
         "  %0 = linalg.generic {indexing_maps = [" + maps + map(outputDims) +
         "], iterator_types = [" + iterators + "]} ins(" + ins + " : " + insTypes +
         ") outs(%init : " + out + ") {\n  ^bb0(" + block + "%o: " + type + "):\n" + body +
         "    linalg.yield %r : " + type + "\n  } -> " + out + "\n  return %0 : " + out + "\n}\n";
}

std::vector<int64_t> RandomOp::shape(const std::vector<int> &dims) const {
  std::vector<int64_t> extents;
  extents.reserve(dims.size());
  for (int dim : dims)
    extents.push_back(sizes[dim]);
  return extents;
}

size_t RandomOp::offset(const std::vector<int> &dims, const std::vector<int64_t> &at) const {
  size_t offset = 0;
  for (int dim : dims)
    offset = offset * sizes[dim] + at[dim];
  return offset;
}

void RandomOp::reference(const std::vector<std::vector<int>> &inputs,
                         std::vector<int> &output) const {
  std::vector<int64_t> at(sizes.size());
  while (true) {
    int sum = indexed >= 0 ? int(at[indexed]) : 0;
    for (size_t i = 0; i < inputs.size(); ++i)
      sum += inputs[i][offset(inputDims[i], at)];
    output[offset(outputDims, at)] += sum;
    int loop = int(sizes.size()) - 1;
    while (loop >= 0 && ++at[loop] == sizes[loop])
      at[loop--] = 0;
    if (loop < 0)
      return;
  }
}

template <typename T> static T fromInt(int value, const std::string &type) {
  if (type == "f16")
    return T(amp::runtime::f16FromF32(float(value)));
  if (type == "bf16")
    return T(amp::runtime::bf16FromF32(float(value)));
  return T(value);
}

/// Runs the op on random numbers and compares with the reference.
template <typename T> static void check(RandomOp &op, Compiled &compiled) {
  // Half types hold small integers only; wrapping makes i8 exact anyway.
  bool isHalf = op.type == "f16" || op.type == "bf16";
  auto count = [&](const std::vector<int> &dims) {
    size_t product = 1;
    for (int64_t extent : op.shape(dims))
      product *= extent;
    return product;
  };
  std::vector<std::vector<int>> inputs;
  std::vector<std::vector<T>> stored;
  for (auto &dims : op.inputDims) {
    inputs.emplace_back(count(dims));
    stored.emplace_back(count(dims));
    for (size_t i = 0; i < inputs.back().size(); ++i) {
      // In half types a sum of many elements would leave the integers they hold: few are not zero.
      inputs.back()[i] = isHalf ? op.pick(400) == 0 : op.pick(9) - 4;
      stored.back()[i] = fromInt<T>(inputs.back()[i], op.type);
    }
  }
  std::vector<int> output(count(op.outputDims), 1);
  std::vector<T> init(output.size(), fromInt<T>(1, op.type));
  for (size_t i = 0; i < stored.size(); ++i)
    compiled.arg(stored[i], op.shape(op.inputDims[i]));
  auto got = compiled.arg(init, op.shape(op.outputDims)).call("f").template result<T>(0);
  op.reference(inputs, output);
  ASSERT_EQ(got.size(), output.size());
  int largest = *std::max_element(output.begin(), output.end());
  if ((op.type == "bf16" && largest > 256) || (op.type == "f16" && largest > 2048))
    return;
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(got[i], fromInt<T>(output[i], op.type)) << "element " << i << " of\n" << op.text();
}

TEST(VectorizeRandom, EqualsPlainLoops) {
  // AMP_SEED=N in the environment runs one of them alone.
  const char *only = std::getenv("AMP_SEED");
  unsigned first = only ? std::atoi(only) : 1;
  unsigned last = only ? first : std::getenv("AMP_EXHAUSTIVE") ? 5000 : 120;
  for (unsigned seed = first; seed <= last; ++seed) {
    RandomOp op(seed);
    Compiled compiled(op.text(), seed % 4 == 0 ? "-avx512f" : "", /*optLevel=*/seed % 3);
    if (op.type == "f64")
      check<double>(op, compiled);
    else if (op.type == "f32")
      check<float>(op, compiled);
    else if (op.type == "i32")
      check<int32_t>(op, compiled);
    else if (op.type == "i8")
      check<int8_t>(op, compiled);
    else
      check<uint16_t>(op, compiled);
    if (::testing::Test::HasFailure())
      FAIL() << "seed " << seed << "\n" << op.text();
  }
}
