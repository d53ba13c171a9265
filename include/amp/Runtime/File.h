//===- File.h - reading files, and writing them all or nothing -------------===//
#ifndef AMP_RUNTIME_FILE_H
#define AMP_RUNTIME_FILE_H

#include "amp/Runtime/Status.h"
#include <memory>
#include <string>
#include <string_view>

namespace amp::runtime {

/// The system's text for an error number, lower-case: "no such file or directory".
std::string describeErrorNumber(int errorNumber);

/// Bytes that were read from a file.
class FileContent {
public:
  FileContent(std::unique_ptr<char[]> bytes, size_t size) : bytes(std::move(bytes)), count(size) {}

  std::string_view view() const { return {bytes.get(), count}; }

private:
  std::unique_ptr<char[]> bytes;
  size_t count;
};

/// The whole content of a regular file, or why it cannot be read.
Result<FileContent> readFile(const std::string &path);

/// A file that appears under its name only when it is complete: the text goes to a temporary file
/// in the same folder, which commit() renames. Until then, and after any failure, what was there
/// before stays as it was. A symbolic link is followed, so that it goes on pointing to the file.
class AtomicFile {
public:
  static Result<AtomicFile> create(const std::string &path);
  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&) = delete;
  /// Removes the temporary file unless it was committed.
  ~AtomicFile();

  Status write(std::string_view bytes);
  /// Flushes to the disk and renames. No write may follow.
  Status commit();

private:
  AtomicFile(std::string path, std::string target, std::string temporary, int descriptor);
  Status fail(const char *action, int errorNumber);

  /// As the caller spelled it, for messages.
  std::string path;
  std::string target;
  std::string temporary;
  int descriptor;
};

/// Writes a whole file through an AtomicFile.
Status writeFileAtomically(const std::string &path, std::string_view bytes);

} // namespace amp::runtime

#endif // AMP_RUNTIME_FILE_H
