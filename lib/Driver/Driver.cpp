//===- Driver.cpp - what amp-run does with a model ------------------------===//

#include "Commands.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace amp;

/// What is wrong with the combination of flags; empty if nothing is.
static std::string checkFlags(const DriverOptions &options, bool hasTask) {
  bool entry = !options.entry.empty();
  if (!entry && (!options.inputs.empty() || !options.outputs.empty()))
    return "--inputs and --outputs go with --entry=NAME";
  if (entry && (options.compare || !options.data.empty()))
    return "--entry calls one function; it does not go with --data and --compare";
  if (options.emit != EmitStage::None || entry)
    return {};
  if (!hasTask)
    return "the module has no train.task, so there is nothing to train; declare one, or call a "
           "function with --entry=NAME";
  if (options.data.empty())
    return "training needs --data=FILE.npz";
  if (options.compare &&
      (!options.checkpoint.empty() || !options.resume.empty() || !options.log.empty()))
    return "--compare trains several times; it does not go with --checkpoint, --resume and --log";
  if (!options.compare && options.seeds)
    return "--seeds goes with --compare";
  if (!options.compare && options.tolerance)
    return "--tolerance goes with --compare";
  if (options.epochs && options.steps)
    return "--steps goes instead of --epochs; give one of them";
  return {};
}

/// Names an output that would destroy an input or another output; empty if there is none. A
/// checkpoint may replace the one that the run resumes from.
static std::string checkFiles(const DriverOptions &options) {
  const std::pair<StringRef, StringRef> inputs[] = {{"the model", options.model},
                                                    {"--data", options.data},
                                                    {"--eval-data", options.evalData},
                                                    {"--inputs", options.inputs},
                                                    {"--resume", options.resume}};
  const std::pair<StringRef, StringRef> outputs[] = {
      {"--checkpoint", options.checkpoint}, {"--log", options.log}, {"--outputs", options.outputs}};
  auto isSame = [](StringRef lhs, StringRef rhs) {
    return !lhs.empty() && !rhs.empty() && lhs != "-" && rhs != "-" &&
           (lhs == rhs || llvm::sys::fs::equivalent(lhs, rhs));
  };
  for (auto &output : outputs) {
    for (auto &input : inputs)
      if (isSame(output.second, input.second) &&
          !(output.first == "--checkpoint" && input.first == "--resume"))
        return (output.first + " would overwrite " + input.first + ", '" + input.second + "'")
            .str();
    for (auto &other : outputs)
      if (&other != &output && isSame(output.second, other.second))
        return (output.first + " and " + other.first + " name the same file, '" + output.second +
                "'")
            .str();
  }
  return {};
}

/// Without mixed precision the pass does not run; what is wrong with its options shows even so.
static LogicalResult checkPrecisionOptions(MLIRContext *context, const DriverOptions &options) {
  if (options.precisionOptions.empty())
    return success();
  OwningOpRef<ModuleOp> empty = ModuleOp::create(UnknownLoc::get(context));
  return runPasses(*empty, getPrecisionPass(options, "none"));
}

int amp::runDriver(const DriverOptions &options) {
  if (std::string problem = checkFiles(options); !problem.empty()) {
    llvm::errs() << "error: " << problem << "\n";
    return kBadInput;
  }
  StageContext context;
  OwningOpRef<ModuleOp> module = context.load(options.model);
  if (!module)
    return kBadInput;
  bool hasTask = !module->getOps<train::TaskOp>().empty();
  if (std::string problem = checkFlags(options, hasTask); !problem.empty()) {
    llvm::errs() << "error: " << problem << "\n";
    return kBadInput;
  }
  if (failed(checkPrecisionOptions(module->getContext(), options)))
    return kBadInput;
  if (options.emit != EmitStage::None)
    return emitStage(*module, options);
  if (!options.entry.empty())
    return callEntry(*module, options);
  return options.compare ? comparePrecisions(*module, options) : trainOnce(*module, options);
}
