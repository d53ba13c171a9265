//===- NpyHeader.h - the header of a .npy file -----------------------------===//
#ifndef AMP_LIB_RUNTIME_NPYHEADER_H
#define AMP_LIB_RUNTIME_NPYHEADER_H

#include "amp/Runtime/Tensor.h"
#include <string_view>

namespace amp::runtime {

inline constexpr std::string_view npyMagic = "\x93NUMPY";

struct NpyHeader {
  ElementType type;
  Shape shape;
  /// Where the elements start.
  size_t dataOffset;
};

/// The number of bytes from the start of the file to the first element, from its first bytes (12 or
/// more, if the file has as many).
Result<size_t> npyHeaderSize(std::string_view start);

/// Parses the header at the start of `start`, which holds at least the whole header, of a file with
/// `fileSize` bytes; checks that the elements fill the rest of the file.
Result<NpyHeader> parseNpyHeader(std::string_view start, uint64_t fileSize);

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_NPYHEADER_H
