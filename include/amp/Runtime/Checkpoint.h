//===- Checkpoint.h - what a checkpoint says besides the state -------------===//
#ifndef AMP_RUNTIME_CHECKPOINT_H
#define AMP_RUNTIME_CHECKPOINT_H

#include "amp/Runtime/Safetensors.h"

namespace amp::runtime {

/// Where a run stands: with the state, all that is needed to go on bit for bit. A checkpoint keeps
/// it as strings in the metadata of a safetensors file.
struct CheckpointInfo {
  /// The task's symbol; a checkpoint belongs to one task.
  std::string task;
  uint64_t seed = 0;
  /// Epochs that are complete, and samples of the next one that are used.
  uint64_t epoch = 0;
  uint64_t position = 0;
  /// Steps done, the skipped ones included.
  uint64_t step = 0;
  uint64_t batch = 0;
  /// Samples in the training data.
  uint64_t samples = 0;
  /// The value of `--amp`: "off", "f16", "bf16".
  std::string amp;
  /// The pipeline that `--print-options` prints.
  std::string options;
};

Metadata toMetadata(const CheckpointInfo &info);

/// An error if a key is missing or malformed, or the format's version is not ours.
Result<CheckpointInfo> fromMetadata(const Metadata &metadata);

} // namespace amp::runtime

#endif // AMP_RUNTIME_CHECKPOINT_H
