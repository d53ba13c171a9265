//===- Safetensors.h - the checkpoint's file format ------------------------===//
#ifndef AMP_RUNTIME_SAFETENSORS_H
#define AMP_RUNTIME_SAFETENSORS_H

#include "amp/Runtime/Span.h"
#include "amp/Runtime/Tensor.h"
#include <map>
#include <string_view>

namespace amp::runtime {

/// The map of strings under the key `__metadata__`.
using Metadata = std::map<std::string, std::string>;

struct Safetensors {
  /// Sorted by name.
  std::vector<NamedTensor> tensors;
  Metadata metadata;

  /// Null if there is none.
  const Tensor *find(std::string_view name) const;
};

/// Reads a file; every rule of the format is checked: header size, types, shapes, offsets that
/// cover the data without gap or overlap, no name twice.
Result<Safetensors> readSafetensors(const std::string &path);

/// The same from memory; `origin` is the file's name in messages.
Result<Safetensors> parseSafetensors(std::string_view bytes, const std::string &origin);

/// A tensor to write; not owned.
struct TensorReference {
  std::string name;
  const Tensor *value;
};

/// The bytes of a file: a function of tensors and metadata alone, whatever the order of `tensors`.
/// The data are sorted by element size, largest first, then by name. An error if a name is there
/// twice, reserved, or not UTF-8.
Result<std::string> serializeSafetensors(std::vector<TensorReference> tensors,
                                         const Metadata &metadata);

/// Writes a file, all or nothing.
Status writeSafetensors(const std::string &path, std::vector<TensorReference> tensors,
                        const Metadata &metadata);

} // namespace amp::runtime

#endif // AMP_RUNTIME_SAFETENSORS_H
