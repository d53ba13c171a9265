//===- TrainBytecode.cpp - the version of train in bytecode ---------------===//

#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace amp::train;

namespace {
struct TrainVersion : public DialectVersion {
  explicit TrainVersion(uint64_t number) : number(number) {}
  uint64_t number;
};

struct TrainBytecodeInterface : public BytecodeDialectInterface {
  explicit TrainBytecodeInterface(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const final {
    writer.writeVarInt(TrainDialect::kBytecodeVersion);
  }

  std::unique_ptr<DialectVersion> readVersion(DialectBytecodeReader &reader) const final {
    uint64_t version;
    if (failed(reader.readVarInt(version)))
      return nullptr;
    if (version > TrainDialect::kBytecodeVersion) {
      reader.emitError() << "bytecode of the train dialect has version " << version
                         << ", this tool reads up to " << TrainDialect::kBytecodeVersion;
      return nullptr;
    }
    return std::make_unique<TrainVersion>(version);
  }
};
} // namespace

void TrainDialect::registerBytecodeInterface() { addInterfaces<TrainBytecodeInterface>(); }
