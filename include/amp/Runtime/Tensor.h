//===- Tensor.h - a dense tensor in host memory ----------------------------===//
#ifndef AMP_RUNTIME_TENSOR_H
#define AMP_RUNTIME_TENSOR_H

#include "amp/Runtime/ElementType.h"
#include "amp/Runtime/Status.h"
#include <cstdint>
#include <string>
#include <vector>

namespace amp::runtime {

/// Extents of a tensor; a negative extent in a specification means "any".
using Shape = std::vector<int64_t>;

/// "tensor<2x?xf32>", as MLIR prints it.
std::string stringify(ElementType type, const Shape &shape);

/// The product of the extents; an error if one is negative or the bytes exceed 2^63 - 1.
Result<int64_t> checkedNumElements(ElementType type, const Shape &shape);

/// Row-major elements without gaps. A tensor owns its memory or is a view of somebody else's.
/// Moving is cheap and leaves a tensor without elements behind; copying is spelled clone().
class Tensor {
public:
  /// Memory that the class allocates is aligned to this many bytes.
  static constexpr size_t alignment = 64;

  /// A scalar f32 zero.
  Tensor();
  /// Zeros. The shape must be small enough to exist: see create() for sizes from outside.
  Tensor(ElementType type, Shape shape);
  Tensor(Tensor &&other) noexcept;
  Tensor &operator=(Tensor &&other) noexcept;
  Tensor(const Tensor &) = delete;
  Tensor &operator=(const Tensor &) = delete;
  ~Tensor();

  /// Zeros, or an error if the shape is impossible or the memory is not there.
  static Result<Tensor> create(ElementType type, Shape shape);

  /// Takes over memory from malloc: `allocated` is what free() will get, `data` the first element
  /// in it (not necessarily aligned to `alignment`).
  static Tensor adopt(ElementType type, Shape shape, void *data, void *allocated);

  /// A view of `data`, which must outlive it.
  static Tensor view(ElementType type, Shape shape, void *data);

  /// An owned copy.
  Tensor clone() const;

  /// A view of elements [begin, begin + count) along axis 0.
  Tensor slice(int64_t begin, int64_t count) const;

  ElementType elementType() const { return type; }
  const Shape &shape() const { return extents; }
  int64_t rank() const { return static_cast<int64_t>(extents.size()); }
  int64_t dim(int64_t axis) const { return extents[axis]; }
  int64_t numElements() const { return elements; }
  int64_t byteSize() const;
  /// "tensor<2x3xf32>".
  std::string typeString() const { return stringify(type, extents); }

  void *rawData() { return memory; }
  const void *rawData() const { return memory; }
  /// The elements; T must have the size of the element type (f16 and bf16 are uint16_t).
  template <typename T> T *data() {
    assert(sizeof(T) == runtime::byteSize(type) && "wrong element type");
    return static_cast<T *>(memory);
  }
  template <typename T> const T *data() const {
    assert(sizeof(T) == runtime::byteSize(type) && "wrong element type");
    return static_cast<const T *>(memory);
  }

  /// Element `index` in row-major order, converted to double (64-bit integers round).
  double toDouble(int64_t index) const;
  /// Stores `value`, rounded to nearest even; integers are truncated and clamped to their range.
  void setFromDouble(int64_t index, double value);

  /// Copies elements from a tensor of the same type and shape.
  void copyFrom(const Tensor &other);

  /// Same type, same shape and the same bytes: NaNs are equal to themselves, -0 differs from 0.
  bool bitsEqual(const Tensor &other) const;

private:
  Tensor(ElementType type, Shape shape, void *data, void *allocated);

  ElementType type;
  Shape extents;
  int64_t elements;
  void *memory;
  /// What free() gets; null for a view.
  void *allocated;
};

/// A tensor with the name it has in a file or in the state.
struct NamedTensor {
  std::string name;
  Tensor value;
};

/// An error if an i1 tensor from outside holds something else than 0 and 1.
Status checkBooleans(const Tensor &tensor);

/// Converts every element of `from` into the element type of `to` (nearest even, as setFromDouble);
/// the shapes are equal. f32 to a half type rounds once.
void convertElements(const Tensor &from, Tensor &to);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TENSOR_H
