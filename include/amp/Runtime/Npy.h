//===- Npy.h - NumPy's .npy and .npz files ---------------------------------===//
#ifndef AMP_RUNTIME_NPY_H
#define AMP_RUNTIME_NPY_H

#include "amp/Runtime/Span.h"
#include "amp/Runtime/Tensor.h"
#include <string_view>

namespace amp::runtime {

// NumPy has no bf16. A bf16 array has the type `V2` in a file, which is what the bfloat16 of the
// Python package ml_dtypes becomes when NumPy saves it; after numpy.load,
// `.view(ml_dtypes.bfloat16)` makes numbers of it again.

/// Reads a .npz archive, or one array from a .npy file, which gets the file's name without folder
/// and extension. Arrays come in the order of the file. Errors name file, array, what was expected
/// and what was found. Never allocates more than the file's size allows.
Result<std::vector<NamedTensor>> readArrays(const std::string &path);

/// The two formats from memory; `origin` is the file's name in messages.
Result<Tensor> parseNpy(std::string_view bytes, const std::string &origin);
Result<std::vector<NamedTensor>> parseNpz(std::string_view bytes, const std::string &origin);

/// The bytes of a .npy file (format 1.0).
std::string serializeNpy(const Tensor &tensor);

/// Writes an uncompressed .npz archive, all or nothing. Same arrays, same bytes.
Status writeNpz(const std::string &path, Span<const NamedTensor> arrays);

} // namespace amp::runtime

#endif // AMP_RUNTIME_NPY_H
