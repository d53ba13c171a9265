//===- SessionTest.cpp -----------------------------------------------------===//

#include "amp/Runtime/Session.h"
#include "Regression.h"

using namespace amp::runtime;

namespace {
struct Batch {
  Tensor x = makeTensor(ElementType::F32, {2, 1}, {1, 2});
  Tensor y = makeTensor(ElementType::F32, {2}, {3, 6});
  std::vector<const Tensor *> tensors{&x, &y};
};
} // namespace

/// The file's tensors and metadata with one change.
static void
rewrite(const std::string &path,
        const std::function<void(Safetensors &, std::vector<TensorReference> &)> &change) {
  Result<Safetensors> file = readSafetensors(path);
  ASSERT_OK(file);
  std::vector<TensorReference> references;
  for (const NamedTensor &tensor : file->tensors)
    references.push_back({tensor.name, &tensor.value});
  change(*file, references);
  ASSERT_OK(writeSafetensors(path, references, file->metadata));
}

static Session makeSession(const Program &program) {
  Result<Session> session = Session::create(program);
  EXPECT_OK(session);
  return session.take();
}

TEST(Session, InitialValuesDependOnSeedAndName) {
  Program plain = makeRegression(), scaled = makeRegression({true});
  Session a = makeSession(plain), b = makeSession(scaled), c = makeSession(plain);
  ASSERT_OK(a.initialize(1));
  ASSERT_OK(b.initialize(1));
  ASSERT_OK(c.initialize(2));
  // Mixed precision starts from the same weights.
  EXPECT_TRUE(a.variable("w")->bitsEqual(*b.variable("w")));
  EXPECT_FALSE(a.variable("w")->bitsEqual(*c.variable("w")));
  EXPECT_EQ(b.variable("amp.scale")->toDouble(0), 65536);
  Tensor copy(ElementType::F16, {});
  convertElements(*b.variable("w"), copy);
  EXPECT_TRUE(b.variable("w.f16")->bitsEqual(copy));
  EXPECT_EQ(a.variable("none"), nullptr);
}

TEST(Session, StepsAndEvaluates) {
  Program program = makeRegression({true, 1});
  Session session = makeSession(program);
  session.variable("w")->setFromDouble(0, 1.0);
  session.variable("amp.scale")->setFromDouble(0, 8.0);
  Batch batch;
  Result<EvaluateResult> evaluation = session.evaluate(batch.tensors);
  ASSERT_OK(evaluation);
  // Residuals -2 and -4: mean of 2 and 8; mean of w x is 1.5.
  EXPECT_EQ(evaluation->loss, 5.0);
  EXPECT_EQ(evaluation->metric, 1.5);
  Result<StepResult> step = session.step(batch.tensors);
  ASSERT_OK(step);
  EXPECT_EQ(step->loss, 5.0);
  EXPECT_TRUE(step->stepped);
  EXPECT_EQ(step->scale, 8.0);
  EXPECT_EQ(step->gradNorm, 5.0);
  EXPECT_EQ(step->nonfinite, std::vector<bool>{false});
  EXPECT_EQ(session.variable("w")->toDouble(0), 1.5);
  EXPECT_EQ(session.variable("w.f16")->toDouble(0), 1.5);
  step = session.step(batch.tensors);
  ASSERT_OK(step);
  EXPECT_FALSE(step->stepped);
  EXPECT_EQ(step->nonfinite, std::vector<bool>{true});
  EXPECT_EQ(session.variable("w")->toDouble(0), 1.5);
  EXPECT_EQ(session.variable("amp.scale")->toDouble(0), 4.0);
}

TEST(Session, WorksWithoutMetricAndScale) {
  RegressionOptions options;
  options.metric = false;
  Program program = makeRegression(options);
  Session session = makeSession(program);
  Batch batch;
  Result<EvaluateResult> evaluation = session.evaluate(batch.tensors);
  ASSERT_OK(evaluation);
  EXPECT_EQ(evaluation->metric, std::nullopt);
  Result<StepResult> step = session.step(batch.tensors);
  ASSERT_OK(step);
  EXPECT_EQ(step->scale, 1.0);
  EXPECT_TRUE(step->nonfinite.empty());
}

TEST(Session, BadBatchesAreErrors) {
  Program program = makeRegression();
  Session session = makeSession(program);
  EXPECT_ERROR(session.step({}), "function 'line.step' expects 2 arguments but got 0");
  EXPECT_ERROR(session.evaluate({}), "function 'line.eval' expects 2 arguments but got 0");
}

TEST(Session, ProgramsWithoutTaskHaveNoStep) {
  Program program;
  Session session = makeSession(program);
  EXPECT_ERROR(session.step({}), "the program has no training step; the module needs a train.task");
  EXPECT_ERROR(session.evaluate({}),
               "the program has no evaluation; the module needs a train.task");
}

static Status createWith(const FunctionSignature &signature) {
  Program program("t");
  EXPECT_OK(program.addFunction(std::make_unique<FunctionExecutable>(
      signature, [](auto, auto, auto &) { return Status(); })));
  return Session::create(program).status();
}

TEST(Session, SignatureErrors) {
  FunctionSignature step;
  step.name = "t.step";
  step.results = {{"loss", ElementType::F32, {}},
                  {"scale", ElementType::F32, {}},
                  {"grad_norm", ElementType::F32, {}}};
  EXPECT_ERROR(createWith(step),
               "function 't.step' expects a result 'stepped' but has none of that name");
  step.results.push_back({"stepped", ElementType::I32, {}});
  EXPECT_ERROR(createWith(step),
               "function 't.step' expects tensor<i1> as result 'stepped' but got tensor<i32>");
  step.results[3].elementType = ElementType::I1;
  EXPECT_OK(createWith(step));
  step.results.push_back({"nonfinite", ElementType::I1, {2}});
  EXPECT_ERROR(createWith(step),
               "function 't.step' expects tensor<0xi1> as result 'nonfinite' but got tensor<2xi1>");
  step.results[0].shape = {1};
  EXPECT_ERROR(createWith(step), "function 't.step' expects a scalar float tensor as result 'loss' "
                                 "but got tensor<1xf32>");
  FunctionSignature eval;
  eval.name = "t.eval";
  eval.metric = "accuracy";
  eval.results = {{"loss", ElementType::F32, {}}};
  EXPECT_ERROR(createWith(eval),
               "function 't.eval' expects a result 'metric' but has none of that name");
}

TEST(Session, SavesAndLoads) {
  TemporaryFolder folder;
  std::string path = folder.file("c.safetensors");
  Program program = makeRegression({true});
  Session session = makeSession(program);
  ASSERT_OK(session.initialize(3));
  Batch batch;
  ASSERT_OK(session.step(batch.tensors));
  CheckpointInfo info;
  info.seed = 3;
  info.epoch = 4;
  info.position = 5;
  info.step = ~uint64_t{0};
  info.batch = 6;
  info.samples = 7;
  info.amp = "f16";
  info.options = "amp{dtype=f16}";
  ASSERT_OK(session.save(path, info));
  EXPECT_EQ(readSafetensors(path)->tensors.size(), 3u) << "half copies are not saved";

  Session other = makeSession(program);
  Result<CheckpointInfo> read = other.load(path);
  ASSERT_OK(read);
  EXPECT_EQ(read->task, "line");
  EXPECT_EQ(read->seed, 3u);
  EXPECT_EQ(read->epoch, 4u);
  EXPECT_EQ(read->position, 5u);
  EXPECT_EQ(read->step, ~uint64_t{0});
  EXPECT_EQ(read->batch, 6u);
  EXPECT_EQ(read->samples, 7u);
  EXPECT_EQ(read->amp, "f16");
  EXPECT_EQ(read->options, "amp{dtype=f16}");
  for (const VariableSpec &variable : program.variables())
    EXPECT_TRUE(other.variable(variable.name)->bitsEqual(*session.variable(variable.name)))
        << variable.name;
}

TEST(Session, LoadErrorsChangeNothing) {
  TemporaryFolder folder;
  std::string path = folder.file("c.safetensors");
  Program program = makeRegression({true});
  Session session = makeSession(program);
  ASSERT_OK(session.initialize(3));
  Tensor before = session.variable("w")->clone();
  Tensor other(ElementType::F32, {2});
  auto loadChanged = [&](auto change) {
    Session writer = makeSession(program);
    CheckpointInfo info;
    info.amp = "bf16";
    EXPECT_OK(writer.save(path, info));
    rewrite(path, change);
    Status status = session.load(path).status();
    EXPECT_TRUE(session.variable("w")->bitsEqual(before));
    return status;
  };
  using References = std::vector<TensorReference>;
  EXPECT_ERROR(loadChanged([](Safetensors &, References &references) { references.pop_back(); }),
               path + ": expects variable 'w' of type tensor<f32> but the checkpoint has none of "
                      "that name; it was saved with --amp=bf16: pass the same options");
  EXPECT_ERROR(loadChanged([&](Safetensors &, References &references) {
                 references.push_back({"extra", &other});
               }),
               path + ": has variable 'extra' of type tensor<2xf32>, which the model has not; it "
                      "was saved with --amp=bf16: pass the same options");
  EXPECT_ERROR(loadChanged([&](Safetensors &, References &references) {
                 references.push_back({"w.f16", &other});
               }),
               path + ": has variable 'w.f16' of type tensor<2xf32>, which the model has not; it "
                      "was saved with --amp=bf16: pass the same options");
  EXPECT_ERROR(
      loadChanged([&](Safetensors &, References &references) { references.back().value = &other; }),
      path + ": expects tensor<f32> for variable 'w' but got tensor<2xf32>; it is a "
             "checkpoint of another model");
  EXPECT_ERROR(loadChanged([](Safetensors &file, References &) { file.metadata["task"] = "x"; }),
               path + ": expects a checkpoint of task 'line' but got one of task 'x'");
  EXPECT_ERROR(loadChanged([](Safetensors &file, References &) { file.metadata.clear(); }),
               path + ": expects a checkpoint, with 'amp.checkpoint' in its metadata, but got "
                      "another safetensors file");
  EXPECT_ERROR(
      loadChanged([](Safetensors &file, References &) { file.metadata["amp.checkpoint"] = "9"; }),
      path + ": expects version 1 of the checkpoint but got '9'; load it with the version "
             "of the program that wrote it");
  for (const char *text : {"", "-1", "1x", "18446744073709551616"})
    EXPECT_ERROR(
        loadChanged([&](Safetensors &file, References &) { file.metadata["epoch"] = text; }),
        path + ": expects a number as 'epoch' in the metadata but got '" + text + "'");
  EXPECT_ERROR(loadChanged([](Safetensors &file, References &) { file.metadata.erase("seed"); }),
               path + ": expects a number as 'seed' in the metadata but got nothing");
  EXPECT_ERROR(loadChanged([](Safetensors &file, References &) { file.metadata.erase("amp"); }),
               path + ": expects 'amp' in the metadata but got nothing");
}

TEST(Session, DamagedCheckpointsChangeNothing) {
  TemporaryFolder folder;
  std::string path = folder.file("c.safetensors");
  Program program = makeRegression();
  Session session = makeSession(program);
  ASSERT_OK(session.save(path, {}));
  std::string bytes = readText(path);
  ASSERT_OK(session.initialize(3));
  Tensor before = session.variable("w")->clone();
  for (size_t size = 0; size < bytes.size(); ++size) {
    writeText(path, bytes.substr(0, size));
    EXPECT_FALSE(session.load(path).ok());
    EXPECT_TRUE(session.variable("w")->bitsEqual(before));
  }
}
