//===- Span.h - a view of consecutive objects ------------------------------===//
#ifndef AMP_RUNTIME_SPAN_H
#define AMP_RUNTIME_SPAN_H

#include <cassert>
#include <cstddef>
#include <vector>

namespace amp::runtime {

/// Pointer and length; C++17 has no std::span. The objects must outlive it.
template <typename T> class Span {
public:
  Span() = default;
  Span(T *data, size_t size) : first(data), count(size) {}
  template <typename U> Span(std::vector<U> &vector) : Span(vector.data(), vector.size()) {}
  template <typename U> Span(const std::vector<U> &vector) : Span(vector.data(), vector.size()) {}

  T *data() const { return first; }
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  T *begin() const { return first; }
  T *end() const { return first + count; }
  T &operator[](size_t index) const {
    assert(index < count && "index out of range");
    return first[index];
  }

private:
  T *first = nullptr;
  size_t count = 0;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_SPAN_H
