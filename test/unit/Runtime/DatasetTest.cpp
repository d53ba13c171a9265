//===- DatasetTest.cpp -----------------------------------------------------===//

#include "amp/Runtime/Dataset.h"
#include "TestUtils.h"
#include "amp/Runtime/Npy.h"
#include <algorithm>
#include <set>

using namespace amp::runtime;

static const std::vector<ArgumentSpec> arguments{{"image", ElementType::F32, {-1, 2}},
                                                 {"label", ElementType::I32, {-1}}};

/// `count` samples: image [i, -i], label i.
static std::vector<NamedTensor> makeArrays(int64_t count,
                                           ElementType labelType = ElementType::I32) {
  std::vector<NamedTensor> arrays;
  Tensor image(ElementType::F32, {count, 2}), label(labelType, {count});
  for (int64_t i = 0; i < count; ++i) {
    image.setFromDouble(2 * i, static_cast<double>(i));
    image.setFromDouble(2 * i + 1, static_cast<double>(-i));
    label.setFromDouble(i, static_cast<double>(i));
  }
  arrays.push_back({"label", std::move(label)});
  arrays.push_back({"image", std::move(image)});
  return arrays;
}

static Dataset makeDataset(int64_t count) {
  Result<Dataset> dataset = Dataset::create(makeArrays(count), arguments, "d.npz");
  EXPECT_OK(dataset);
  return dataset.take();
}

TEST(Dataset, PicksAndOrdersArrays) {
  std::vector<NamedTensor> arrays = makeArrays(3);
  arrays.push_back({"unused", Tensor()});
  Result<Dataset> dataset = Dataset::create(std::move(arrays), arguments, "d.npz");
  ASSERT_OK(dataset);
  EXPECT_EQ(dataset->size(), 3);
  ASSERT_EQ(dataset->arrays().size(), 2u);
  EXPECT_EQ(dataset->arrays()[0].name, "image");
  EXPECT_EQ(dataset->arrays()[1].value.toDouble(2), 2);
}

TEST(Dataset, LoadsFiles) {
  TemporaryFolder folder;
  std::string path = folder.file("d.npz");
  ASSERT_OK(writeNpz(path, makeArrays(3)));
  Result<Dataset> dataset = Dataset::load(path, arguments);
  ASSERT_OK(dataset);
  EXPECT_EQ(dataset->origin(), path);
  EXPECT_FALSE(Dataset::load(folder.file("none"), arguments).ok());
}

TEST(Dataset, ConvertsIntegers) {
  for (ElementType type : allElementTypes) {
    if (!isInteger(type))
      continue;
    int64_t count = type == ElementType::I1 ? 2 : 100;
    Result<Dataset> dataset = Dataset::create(makeArrays(count, type), arguments, "d.npz");
    ASSERT_OK(dataset);
    const Tensor &label = dataset->arrays()[1].value;
    EXPECT_EQ(label.elementType(), ElementType::I32);
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(label.toDouble(i), i);
  }
}

static Status createWithLabel(Tensor label, ElementType type) {
  std::vector<NamedTensor> arrays;
  Shape shape = label.shape();
  arrays.push_back({"label", std::move(label)});
  shape[0] = -1;
  return Dataset::create(std::move(arrays), {{"label", type, shape}}, "d.npz").status();
}

TEST(Dataset, IntegersThatDoNotFitAreErrors) {
  Tensor large(ElementType::I64, {2, 1});
  large.data<int64_t>()[1] = int64_t{1} << 31;
  EXPECT_ERROR(createWithLabel(large.clone(), ElementType::I32),
               "d.npz: array 'label' expects integers from -2147483648 to 2147483647 (i32) but got "
               "2147483648 at sample 1");
  EXPECT_OK(createWithLabel(large.clone(), ElementType::U32));
  Tensor negative = makeTensor(ElementType::I8, {1, 3}, {0, -128, 1});
  EXPECT_OK(createWithLabel(negative.clone(), ElementType::I64));
  EXPECT_ERROR(createWithLabel(negative.clone(), ElementType::U64),
               "d.npz: array 'label' expects integers from 0 to 18446744073709551615 (u64) but got "
               "-128 at sample 0, element 1");
  Tensor natural(ElementType::U64, {1});
  natural.data<uint64_t>()[0] = ~uint64_t{0};
  EXPECT_ERROR(createWithLabel(natural.clone(), ElementType::I64),
               "d.npz: array 'label' expects integers from -9223372036854775808 to "
               "9223372036854775807 (i64) but got 18446744073709551615 at sample 0");
  EXPECT_ERROR(createWithLabel(makeTensor(ElementType::I32, {1}, {2}), ElementType::I1),
               "d.npz: array 'label' expects integers from 0 to 1 (i1) but got 2 at sample 0");
}

TEST(Dataset, Errors) {
  auto create = [](const std::function<void(std::vector<NamedTensor> &)> &change) {
    std::vector<NamedTensor> arrays = makeArrays(3);
    change(arrays);
    return Dataset::create(std::move(arrays), arguments, "d.npz").status();
  };
  EXPECT_ERROR(create([](auto &arrays) { arrays[0].name = "labels"; }),
               "d.npz: has no array 'label'; expects 'image' and 'label' but got 'labels' and "
               "'image'; save it with numpy.savez(file, label=...)");
  EXPECT_ERROR(create([](auto &arrays) { arrays.clear(); }),
               "d.npz: has no array 'image'; expects 'image' and 'label' but got nothing; save it "
               "with numpy.savez(file, image=...)");
  EXPECT_ERROR(create([](auto &arrays) { arrays[1].value = Tensor(ElementType::F64, {3, 2}); }),
               "d.npz: array 'image' expects f32 elements but got f64; save it with "
               "array.astype(numpy.float32)");
  EXPECT_ERROR(create([](auto &arrays) { arrays[0].value = Tensor(ElementType::F32, {3}); }),
               "d.npz: array 'label' expects i32 elements but got f32; save it with "
               "array.astype(numpy.int32)");
  EXPECT_ERROR(create([](auto &arrays) { arrays[1].value = Tensor(ElementType::F32, {3, 3}); }),
               "d.npz: array 'image' expects tensor<?x2xf32>, with the sample as first axis, but "
               "got tensor<3x3xf32>");
  EXPECT_ERROR(create([](auto &arrays) { arrays[1].value = Tensor(ElementType::F32, {6}); }),
               "d.npz: array 'image' expects tensor<?x2xf32>, with the sample as first axis, but "
               "got tensor<6xf32>");
  EXPECT_ERROR(create([](auto &arrays) { arrays[0].value = Tensor(ElementType::I32, {4}); }),
               "d.npz: array 'label' expects as many samples as array 'image' has, 3, but got 4");
  EXPECT_ERROR(create([](auto &arrays) { arrays[1].value = Tensor(ElementType::F32, {0, 2}); }),
               "d.npz: array 'image' expects at least one sample but got tensor<0x2xf32>");
  EXPECT_ERROR(Dataset::create({}, {}, "d.npz"), "d.npz: the function takes no arguments, so that "
                                                 "there is nothing to train on");
  std::vector<NamedTensor> scalar;
  scalar.push_back({"x", Tensor()});
  EXPECT_ERROR(Dataset::create(std::move(scalar), {{"x", ElementType::F32, {}}}, "d.npz"),
               "d.npz: array 'x' cannot be split into batches: the argument is a scalar; give it a "
               "batch axis");
}

TEST(Dataset, ChecksLabels) {
  Dataset dataset = makeDataset(3);
  EXPECT_OK(dataset.checkLabels("label", 3));
  EXPECT_ERROR(dataset.checkLabels("label", 2),
               "d.npz: array 'label' expects labels from 0 to 1 but got 2 at sample 2");
  EXPECT_ERROR(dataset.checkLabels("image", 2), "d.npz: has no integer array 'image'");
  Result<Dataset> negative =
      Dataset::create(makeArrays(1), {{"label", ElementType::I32, {-1}}}, "d.npz");
  ASSERT_OK(negative);
  std::vector<NamedTensor> arrays;
  arrays.push_back({"label", makeTensor(ElementType::I32, {2}, {0, -1})});
  negative = Dataset::create(std::move(arrays), {{"label", ElementType::I32, {-1}}}, "d.npz");
  ASSERT_OK(negative);
  EXPECT_ERROR(negative->checkLabels("label", 10),
               "d.npz: array 'label' expects labels from 0 to 9 but got -1 at sample 1");
}

TEST(Dataset, BatchOfSignatures) {
  FunctionSignature signature;
  signature.name = "f";
  EXPECT_EQ(*batchOf(signature), -1);
  signature.arguments = {{"x", ElementType::F32, {8, 2}}, {"y", ElementType::F32, {8}}};
  EXPECT_EQ(*batchOf(signature), 8);
  signature.arguments[1].shape = {-1};
  EXPECT_ERROR(batchOf(signature),
               "function 'f' expects the same batch for the arguments 'x' and 'y' but got "
               "tensor<8x2xf32> and tensor<?xf32>");
  signature.arguments[1].shape = {};
  EXPECT_ERROR(batchOf(signature),
               "function 'f' expects a batch as first axis of argument 'y' but it is a scalar");
}

TEST(Shuffle, IsAPermutationThatDependsOnSeedAndEpoch) {
  std::set<std::vector<int64_t>> orders;
  for (uint64_t seed : {0, 1})
    for (uint64_t epoch : {0, 1, 2}) {
      std::vector<int64_t> order = shuffledOrder(100, seed, epoch);
      EXPECT_EQ(order, shuffledOrder(100, seed, epoch));
      orders.insert(order);
      std::sort(order.begin(), order.end());
      for (int64_t i = 0; i < 100; ++i)
        EXPECT_EQ(order[static_cast<size_t>(i)], i);
    }
  EXPECT_EQ(orders.size(), 6u);
  EXPECT_EQ(shuffledOrder(1, 0, 0), std::vector<int64_t>{0});
}

/// Every sample comes to every place equally often.
TEST(Shuffle, IsUniform) {
  constexpr int count = 5, epochs = 5000, expected = epochs / count;
  int at[count][count] = {};
  for (int epoch = 0; epoch < epochs; ++epoch) {
    std::vector<int64_t> order = shuffledOrder(count, 1, static_cast<uint64_t>(epoch));
    for (int place = 0; place < count; ++place)
      ++at[order[static_cast<size_t>(place)]][place];
  }
  // Binomial with p = 1/5: deviation sqrt(5000 * 0.2 * 0.8) = 28.3; five of them.
  for (auto &row : at)
    for (int seen : row)
      EXPECT_NEAR(seen, expected, 142);
}

/// Labels of the batches from the iterator's place to the end of the epoch.
static std::vector<std::vector<double>> labels(BatchIterator &batches) {
  std::vector<std::vector<double>> result;
  while (!batches.atEnd()) {
    std::vector<Tensor> batch = batches.next();
    result.emplace_back();
    for (int64_t i = 0; i < batch[1].numElements(); ++i) {
      result.back().push_back(batch[1].toDouble(i));
      // The arrays stay together.
      EXPECT_EQ(batch[0].toDouble(2 * i + 1), -result.back().back());
    }
  }
  return result;
}

TEST(BatchIterator, GoesThroughEverySample) {
  Dataset dataset = makeDataset(10);
  BatchIterator batches(dataset, 4, /*dropLast=*/false, 1);
  EXPECT_EQ(batches.batchesPerEpoch(), 3u);
  std::vector<std::vector<double>> epoch = labels(batches);
  ASSERT_EQ(epoch.size(), 3u);
  EXPECT_EQ(epoch[2].size(), 2u);
  std::set<double> all;
  for (const auto &batch : epoch)
    all.insert(batch.begin(), batch.end());
  EXPECT_EQ(all.size(), 10u);
  EXPECT_EQ(batches.position(), 10u);
  // The next batch begins the next epoch, in another order.
  batches.next();
  EXPECT_EQ(batches.epoch(), 1u);
  EXPECT_EQ(batches.position(), 4u);
  batches.seek(1, 0);
  EXPECT_NE(labels(batches), epoch);
}

TEST(BatchIterator, DropsTheLastBatchIfAsked) {
  Dataset dataset = makeDataset(10);
  BatchIterator batches(dataset, 4, /*dropLast=*/true, 1);
  EXPECT_EQ(batches.batchesPerEpoch(), 2u);
  EXPECT_EQ(labels(batches).size(), 2u);
  BatchIterator exact(dataset, 5, true, 1);
  EXPECT_EQ(labels(exact).size(), 2u);
}

TEST(BatchIterator, ResumesAnywhere) {
  Dataset dataset = makeDataset(10);
  BatchIterator whole(dataset, 3, false, 7), resumed(dataset, 3, false, 7);
  whole.seek(2, 0);
  std::vector<std::vector<double>> all = labels(whole);
  resumed.seek(2, 6);
  std::vector<std::vector<double>> rest = labels(resumed);
  EXPECT_EQ(rest, (std::vector<std::vector<double>>(all.begin() + 2, all.end())));
}
