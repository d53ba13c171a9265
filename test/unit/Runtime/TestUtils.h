//===- TestUtils.h - helpers of the runtime's unit tests -------------------===//
#ifndef AMP_TEST_UNIT_RUNTIME_TESTUTILS_H
#define AMP_TEST_UNIT_RUNTIME_TESTUTILS_H

#include "amp/Runtime/Program.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sstream>

// Its allocator ends the program where others return null.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define AMP_TEST_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define AMP_TEST_SANITIZED
#endif

namespace amp::runtime {

/// A tensor with the given elements.
inline Tensor makeTensor(ElementType type, Shape shape, std::vector<double> values) {
  Tensor tensor(type, std::move(shape));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.setFromDouble(i, values[static_cast<size_t>(i)]);
  return tensor;
}

/// A folder that is removed at the end of the scope.
class TemporaryFolder {
public:
  TemporaryFolder() {
    // Not $TMPDIR: lit's is closed to other users, as whom one test runs.
    path = "/tmp/amp-runtime-XXXXXX";
    if (!mkdtemp(path.data()))
      std::abort();
  }
  ~TemporaryFolder() {
    if (std::system(("chmod -R u+w '" + path + "'; rm -rf '" + path + "'").c_str()) != 0)
      std::abort();
  }
  std::string file(const std::string &name) const { return path + "/" + name; }
  /// The number of files and folders inside.
  int entries() const {
    std::FILE *listing = popen(("ls -A '" + path + "' | wc -l").c_str(), "r");
    int count = -1;
    if (std::fscanf(listing, "%d", &count) != 1)
      std::abort();
    pclose(listing);
    return count;
  }

  std::string path;
};

inline void writeText(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string readText(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A function of the program that is a C++ function.
class FunctionExecutable : public Executable {
public:
  using Body =
      std::function<Status(Span<const Tensor *const>, Span<Tensor *const>, std::vector<Tensor> &)>;
  FunctionExecutable(FunctionSignature signature, Body body)
      : Executable(std::move(signature)), body(std::move(body)) {}

protected:
  Status invoke(Span<const Tensor *const> arguments, Span<Tensor *const> state,
                std::vector<Tensor> &results) override {
    return body(arguments, state, results);
  }

private:
  Body body;
};

/// Asserts success of a Status or Result and shows the message otherwise.
#define EXPECT_OK(expression)                                                                      \
  do {                                                                                             \
    auto &&outcome = (expression);                                                                 \
    EXPECT_TRUE(outcome.ok()) << outcome.message();                                                \
  } while (false)
#define ASSERT_OK(expression)                                                                      \
  do {                                                                                             \
    auto &&outcome = (expression);                                                                 \
    ASSERT_TRUE(outcome.ok()) << outcome.message();                                                \
  } while (false)
/// The whole text of the error.
#define EXPECT_ERROR(expression, text)                                                             \
  do {                                                                                             \
    auto &&outcome = (expression);                                                                 \
    EXPECT_FALSE(outcome.ok());                                                                    \
    EXPECT_EQ(outcome.message(), text);                                                            \
  } while (false)

} // namespace amp::runtime

#endif // AMP_TEST_UNIT_RUNTIME_TESTUTILS_H
