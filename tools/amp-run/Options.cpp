//===- Options.cpp - the command line of amp-run --------------------------===//

#include "Options.h"
#include "amp/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <functional>
#include <limits>

using namespace amp;
using llvm::StringRef;

namespace {
/// Stores a flag's value; returns what is wrong with it, or an empty text.
using Setter = std::function<std::string(StringRef value)>;

struct Flag {
  StringRef name;
  StringRef value; ///< what stands after '=' in the help; empty: the flag takes no value
  StringRef help;
  Setter set;
};

Setter text(std::string &target) {
  return [&target](StringRef value) {
    target = value.str();
    return std::string(value.empty() ? "expects a value" : "");
  };
}

/// Far beyond any run, and so small that products of two counts fit 64 bits.
constexpr int64_t kMostCount = 1'000'000'000;

template <typename T> Setter integer(T &target, int64_t least, int64_t most = kMostCount) {
  return [&target, least, most](StringRef value) -> std::string {
    int64_t parsed;
    if (value.getAsInteger(10, parsed) || parsed < least || parsed > most)
      return llvm::formatv("expects an integer in [{0}, {1}] but got '{2}'", least, most, value);
    target = parsed;
    return {};
  };
}

Setter choice(std::string &target, std::vector<std::string> values) {
  return [&target, values = std::move(values)](StringRef value) -> std::string {
    if (!llvm::is_contained(values, value))
      return "expects one of " + llvm::join(values, ", ") + " but got '" + value.str() + "'";
    target = value.str();
    return {};
  };
}

Setter stage(EmitStage &target) {
  return [&target](StringRef value) -> std::string {
    static constexpr std::pair<llvm::StringLiteral, EmitStage> kStages[] = {
        {"train", EmitStage::Train},
        {"autodiff", EmitStage::Autodiff},
        {"precision", EmitStage::Precision},
        {"lowered", EmitStage::Lowered},
        {"source", EmitStage::Source}};
    for (auto &[name, stage] : kStages)
      if (name == value)
        return target = stage, std::string();
    return "expects one of train, autodiff, precision, lowered, source but got '" + value.str() +
           "'";
  };
}

std::vector<Flag> getFlags(DriverOptions &o, std::string &device) {
  return {
      {"amp", "off|f16|bf16", "mixed precision: which half type (default off)",
       [&o](StringRef value) {
         o.ampGiven = true;
         return choice(o.amp, {"off", "f16", "bf16"})(value);
       }},
      {"device", "cpu", "where to run (default cpu)", choice(device, {"cpu"})},
      {"data", "FILE.npz", "training data; arrays are named like the loss function's arguments",
       text(o.data)},
      {"eval-data", "FILE.npz", "data to evaluate on after each epoch", text(o.evalData)},
      {"batch", "N", "samples a step (default 32)", integer(o.batch, 1)},
      {"epochs", "N", "passes over the data (default 1)", integer(o.epochs, 1)},
      {"steps", "N", "steps to run, instead of --epochs", integer(o.steps, 1)},
      {"seed", "N", "seed of initial values and of the order of samples (default 0)",
       integer(o.seed, 0, std::numeric_limits<int64_t>::max())},
      {"max-consecutive-skips", "N", "skipped steps in a row that end the run (default 50)",
       integer(o.maxConsecutiveSkips, 1)},
      {"checkpoint", "FILE.safetensors", "write the state at the end", text(o.checkpoint)},
      {"resume", "FILE.safetensors", "continue from a checkpoint", text(o.resume)},
      {"log", "FILE.jsonl", "write one JSON line per step and evaluation", text(o.log)},
      {"compare", "", "train in f32 and in mixed precision from the same seeds, side by side",
       [&o](StringRef) { return o.compare = true, std::string(); }},
      {"seeds", "N", "with --compare: means over N seeds (default 1)", integer(o.seeds, 1)},
      {"tolerance", "X",
       "with --compare: largest difference, accuracy in points or loss in per cent (default 0.5)",
       [&o](StringRef value) -> std::string {
         double parsed;
         if (value.getAsDouble(parsed) || !(parsed >= 0) || std::isinf(parsed))
           return "expects a number of at least 0 but got '" + value.str() + "'";
         o.tolerance = parsed;
         return {};
       }},
      {"entry", "NAME", "call this function once, instead of training", text(o.entry)},
      {"inputs", "FILE.npz", "with --entry: arguments, arrays arg0, arg1, ...", text(o.inputs)},
      {"outputs", "FILE.npz", "with --entry: results, arrays out0, out1, ...", text(o.outputs)},
      {"emit", "STAGE", "print the module after train|autodiff|precision|lowered|source and stop",
       stage(o.emit)},
      {"help", "", "print this", {}},
      {"version", "", "print the version", {}},
      {"print-options", "", "print the pass pipeline of this run and stop", {}},
  };
}

void printHelp(llvm::ArrayRef<Flag> flags) {
  llvm::outs() << "amp-run: trains a model in f32 or in mixed precision\n\n"
                  "usage: amp-run MODEL.mlir [flags]          ('-' reads standard input)\n\n";
  for (const Flag &flag : flags) {
    std::string left = ("--" + flag.name + (flag.value.empty() ? "" : "=") + flag.value).str();
    llvm::outs() << "  " << llvm::left_justify(left, 32) << flag.help << "\n";
  }
  llvm::outs() << "\noptions of the precision pass, flags here as well (amp-opt takes them in "
                  "--amp='...'):\n";
  printPrecisionOptionHelp();
  llvm::outs() << "\nexit status: 0 done; 1 the run failed (diverged, tolerance missed); 2 bad "
                  "usage or bad input\n";
}

std::nullopt_t fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return std::nullopt;
}

/// The known flag nearest to `name`, as a hint in brackets; empty if none is near.
std::string suggest(StringRef name, llvm::ArrayRef<Flag> flags,
                    llvm::ArrayRef<std::string> precision) {
  std::string best;
  unsigned distance = 4;
  auto consider = [&](StringRef candidate) {
    unsigned d = name.edit_distance(candidate, true, distance);
    if (d < distance)
      distance = d, best = candidate.str();
  };
  for (const Flag &flag : flags)
    consider(flag.name);
  for (const std::string &option : precision)
    consider(option);
  return best.empty() ? "; --help lists the flags" : "; did you mean '--" + best + "'?";
}
} // namespace

std::optional<CommandLineAction> amp::parseCommandLine(int argc, char **argv,
                                                       DriverOptions &options) {
  std::string device = "cpu";
  std::vector<Flag> flags = getFlags(options, device);
  std::vector<std::string> precision = getPrecisionOptionNames();
  bool printOptions = false;
  for (int index = 1; index < argc; ++index) {
    StringRef argument = argv[index];
    if (!argument.starts_with("-") || argument == "-") {
      if (!options.model.empty())
        return fail("expects one model but got '" + options.model + "' and '" + argument + "'");
      options.model = argument.str();
      continue;
    }
    bool hasValue = argument.contains('=');
    StringRef name = argument.ltrim('-').split('=').first;
    StringRef value = argument.split('=').second;
    const Flag *flag = std::find_if(flags.data(), flags.data() + flags.size(),
                                    [&](const Flag &f) { return f.name == name; });
    if (name == "help" && !hasValue)
      return printHelp(flags), CommandLineAction::Exit;
    if (name == "version" && !hasValue)
      return llvm::outs() << "amp-run " AMP_VERSION_STRING "\n", CommandLineAction::Exit;
    bool isFlag = flag != flags.data() + flags.size();
    bool isPrecision = llvm::is_contained(precision, name);
    if (!isFlag && !isPrecision)
      return fail("unknown flag '--" + name + "'" + suggest(name, flags, precision));
    bool takesValue = isPrecision || !flag->value.empty();
    if (takesValue && !hasValue) {
      if (index + 1 == argc)
        return fail("flag '--" + name + "' expects a value");
      value = argv[++index];
    } else if (!takesValue && hasValue) {
      return fail("flag '--" + name + "' takes no value but got '" + value + "'");
    }
    if (isPrecision && value.empty())
      return fail("flag '--" + name + "' expects a value");
    if (isPrecision)
      options.precisionOptions.push_back((name + "=" + value).str());
    else if (name == "print-options")
      printOptions = true;
    else if (std::string problem = flag->set(value); !problem.empty())
      return fail("flag '--" + name + "' " + problem);
  }
  if (printOptions)
    return llvm::outs() << getPipelineText(options) << "\n", CommandLineAction::Exit;
  if (options.model.empty())
    return fail("expects a model; usage: amp-run MODEL.mlir [flags], --help lists them");
  return CommandLineAction::Run;
}
