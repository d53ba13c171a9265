//===- Status.h - errors as values -----------------------------------------===//
#ifndef AMP_RUNTIME_STATUS_H
#define AMP_RUNTIME_STATUS_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace amp::runtime {

/// Success, or an error message. Messages start lower-case, have no final period and say what was
/// expected, what was found and how to go on.
class [[nodiscard]] Status {
public:
  /// Success.
  Status() = default;

  static Status error(std::string message) {
    Status status;
    status.text = std::move(message);
    return status;
  }

  bool ok() const { return !text; }

  /// The error's text; empty on success.
  const std::string &message() const {
    static const std::string none;
    return text ? *text : none;
  }

  /// The same error with `prefix` and ": " before it; success stays success.
  Status withPrefix(const std::string &prefix) const {
    Status status = *this;
    if (!ok())
      status.text = prefix + ": " + *text;
    return status;
  }

  /// Whether a run that had begun failed, rather than its input: amp-run exits with 1 instead of 2.
  bool isRunFailure() const { return runFailure; }
  /// The same error as the failure of a run; success stays success.
  Status asRunFailure() const {
    Status status = *this;
    status.runFailure = !ok();
    return status;
  }

private:
  std::optional<std::string> text;
  bool runFailure = false;
};

/// A failed Status: `return error("...")` also works where a Result is returned.
inline Status error(std::string message) { return Status::error(std::move(message)); }

/// A value, or the error that prevented it.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : value(std::move(value)) {}
  Result(Status status) : failure(std::move(status)) {
    assert(!failure.ok() && "a Result without a value needs an error");
  }

  bool ok() const { return value.has_value(); }
  const Status &status() const { return failure; }
  const std::string &message() const { return failure.message(); }

  T &operator*() { return assertOk(), *value; }
  const T &operator*() const { return assertOk(), *value; }
  T *operator->() { return assertOk(), &*value; }
  const T *operator->() const { return assertOk(), &*value; }

  /// Moves the value out.
  T take() { return assertOk(), std::move(*value); }

private:
  void assertOk() const { assert(ok() && "value of a failed Result"); }

  std::optional<T> value;
  Status failure;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_STATUS_H
