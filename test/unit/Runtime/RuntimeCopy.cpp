//===- RuntimeCopy.cpp - reads a file of arrays and writes it again --------===//
//
// runtime-copy IN OUT: OUT is a .npz archive, or a checkpoint if its name ends in .safetensors; IN
// is of the other kind or of the same.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Npy.h"
#include "amp/Runtime/Safetensors.h"
#include <cstdio>

using namespace amp::runtime;

static bool isSafetensors(const std::string &path) {
  constexpr std::string_view suffix = ".safetensors";
  return path.size() > suffix.size() &&
         path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0;
}

static Status copy(const std::string &from, const std::string &to) {
  Safetensors file;
  if (isSafetensors(from)) {
    Result<Safetensors> read = readSafetensors(from);
    if (!read.ok())
      return read.status();
    file = read.take();
  } else {
    Result<std::vector<NamedTensor>> read = readArrays(from);
    if (!read.ok())
      return read.status();
    file.tensors = read.take();
  }
  if (!isSafetensors(to))
    return writeNpz(to, file.tensors);
  std::vector<TensorReference> references;
  references.reserve(file.tensors.size());
  for (const NamedTensor &tensor : file.tensors)
    references.push_back({tensor.name, &tensor.value});
  return writeSafetensors(to, references, file.metadata);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: runtime-copy IN OUT\n");
    return 2;
  }
  if (Status status = copy(argv[1], argv[2]); !status.ok()) {
    std::fprintf(stderr, "error: %s\n", status.message().c_str());
    return 1;
  }
  return 0;
}
