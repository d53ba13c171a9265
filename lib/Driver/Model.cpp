//===- Model.cpp - a model compiled for one precision ---------------------===//

#include "Model.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace amp;

OwningOpRef<ModuleOp> amp::prepareModule(ModuleOp module, const DriverOptions &options,
                                         StringRef amp) {
  OwningOpRef<ModuleOp> copy(module.clone());
  std::string passes;
  if (!copy->getOps<train::TaskOp>().empty())
    passes = "amp-stage-autodiff";
  if (amp != "off")
    passes += (passes.empty() ? "" : ",") + getPrecisionPass(options, amp);
  if (!passes.empty() && failed(runPasses(*copy, passes)))
    return {};
  return copy;
}

static double getLearningRate(train::TaskOp task) {
  return llvm::TypeSwitch<Attribute, double>(task.getOptimizer())
      .Case<train::SgdAttr, train::MomentumAttr, train::AdamAttr, train::AdamWAttr>(
          [](auto optimizer) -> double { return optimizer.getLearningRate(); });
}

/// The arguments of the step that a cross-entropy takes as labels.
static std::vector<LabelArgument> findLabels(ModuleOp module) {
  std::vector<LabelArgument> labels;
  module.walk([&](train::CrossEntropyOp op) {
    auto argument = dyn_cast<BlockArgument>(op.getLabels());
    auto function = op->getParentOfType<func::FuncOp>();
    int64_t classes = op.getLogits().getType().getDimSize(1);
    if (!argument || !function || !function->hasAttr(train::TrainDialect::kStepOfAttr) ||
        ShapedType::isDynamic(classes))
      return;
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      train::TrainDialect::kNameAttr);
    labels.push_back(
        {name ? name.str() : "arg" + std::to_string(argument.getArgNumber()), classes});
  });
  return labels;
}

static std::nullopt_t fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return std::nullopt;
}

std::optional<CompiledModel> amp::compileModel(ModuleOp module, const DriverOptions &options,
                                               StringRef amp) {
  auto tasks = module.getOps<train::TaskOp>();
  if (std::distance(tasks.begin(), tasks.end()) > 1)
    return fail("the module has several tasks, '" + (*tasks.begin()).getSymName() + "' and '" +
                (*std::next(tasks.begin())).getSymName() + "'; amp-run trains one");
  OwningOpRef<ModuleOp> prepared = prepareModule(module, options, amp);
  if (!prepared)
    return std::nullopt;
  CompiledModel model;
  model.amp = amp.str();
  if (!tasks.empty())
    model.learningRate = getLearningRate(*tasks.begin());
  model.summary = summarizePrecision(*prepared, options.batch);
  model.labels = findLabels(*prepared);

  runtime::Result<CpuProgram> cpu = createCpuProgram(*prepared, CpuOptions());
  if (!cpu.ok())
    return fail(cpu.message());
  model.cpu = std::make_unique<CpuProgram>(cpu.take());
  return model;
}
