//===- Entry.cpp - calls one function once --------------------------------===//

#include "Commands.h"
#include "amp/Runtime/Npy.h"
#include "amp/Runtime/Session.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace amp;
using runtime::NamedTensor;
using runtime::Tensor;

static int fail(const llvm::Twine &message, int status = kBadInput) {
  llvm::errs() << "error: " << message << "\n";
  return status;
}

/// The arrays arg0, arg1, ... of the inputs in the order of the arguments; an error if they do not
/// fit the signature.
static runtime::Result<std::vector<const Tensor *>>
orderArguments(const std::vector<NamedTensor> &arrays, const runtime::FunctionSignature &signature,
               const std::string &inputs) {
  std::string file = inputs.empty() ? "--inputs=FILE.npz" : inputs;
  std::vector<const Tensor *> arguments;
  for (size_t index = 0; index < signature.arguments.size(); ++index) {
    std::string name = "arg" + std::to_string(index);
    auto array = llvm::find_if(arrays, [&](const NamedTensor &a) { return a.name == name; });
    if (array == arrays.end())
      return runtime::error(
          file + ": expects an array '" + name + "' for argument " + std::to_string(index) +
          " of '" + signature.name + "', but has " +
          (arrays.empty()
               ? "none"
               : llvm::join(llvm::map_range(
                                arrays, [](const NamedTensor &a) { return "'" + a.name + "'"; }),
                            ", ")));
    arguments.push_back(&array->value);
  }
  if (arrays.size() > arguments.size())
    return runtime::error(file + ": has " + std::to_string(arrays.size()) + " arrays, but '" +
                          signature.name + "' takes " + std::to_string(arguments.size()));
  return arguments;
}

int amp::callEntry(ModuleOp module, const DriverOptions &options) {
  std::optional<CompiledModel> model = compileModel(module, options, options.amp);
  if (!model)
    return kBadInput;
  runtime::Executable *function = model->program().function(options.entry);
  if (!function) {
    std::vector<std::string> names;
    for (const auto &candidate : model->program().functions())
      names.push_back("'" + candidate->signature().name + "'");
    return fail("there is no public function '" + options.entry + "'; the module has " +
                (names.empty() ? "none" : llvm::join(names, ", ")));
  }
  std::vector<NamedTensor> arrays;
  if (!options.inputs.empty()) {
    runtime::Result<std::vector<NamedTensor>> read = runtime::readArrays(options.inputs);
    if (!read.ok())
      return fail(read.message());
    arrays = read.take();
  }
  auto arguments = orderArguments(arrays, function->signature(), options.inputs);
  if (!arguments.ok())
    return fail(arguments.message());
  runtime::Result<runtime::Session> session = runtime::Session::create(model->program());
  if (!session.ok())
    return fail(session.message());
  if (runtime::Status status = session->initialize(options.seed); !status.ok())
    return fail(status.message());
  runtime::Result<std::vector<Tensor>> results = session->call(*function, *arguments);
  if (!results.ok())
    return fail(results.message());

  std::vector<NamedTensor> outputs;
  outputs.reserve((*results).size());
  for (size_t index = 0; index < (*results).size(); ++index)
    outputs.push_back({"out" + std::to_string(index), std::move((*results)[index])});
  if (options.outputs.empty()) {
    for (const NamedTensor &output : outputs)
      llvm::outs() << output.name << ": " << output.value.typeString() << "\n";
    return kDone;
  }
  if (runtime::Status status = runtime::writeNpz(options.outputs, outputs); !status.ok())
    return fail(status.message(), kRunFailed);
  return kDone;
}
