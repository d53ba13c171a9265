//===- File.cpp - reading files, and writing them all or nothing -----------===//

#include "amp/Runtime/File.h"
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

using namespace amp::runtime;

std::string amp::runtime::describeErrorNumber(int errorNumber) {
  std::string text = std::strerror(errorNumber);
  // The system's messages start with a capital letter.
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z' && !(text[1] >= 'A' && text[1] <= 'Z'))
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

static Status fileError(const std::string &path, const char *action, int errorNumber) {
  return error(path + ": cannot " + action + " the file: " + describeErrorNumber(errorNumber));
}

namespace {
/// Closes a descriptor at the end of a scope.
struct DescriptorCloser {
  int descriptor;
  ~DescriptorCloser() { ::close(descriptor); }
};
} // namespace

Result<FileContent> amp::runtime::readFile(const std::string &path) {
  // Without O_NONBLOCK, a named pipe without a writer would block here.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return fileError(path, "open", errno);
  DescriptorCloser closer{descriptor};
  struct stat info;
  if (::fstat(descriptor, &info) != 0)
    return fileError(path, "read", errno);
  if (!S_ISREG(info.st_mode))
    return error(path + ": expects a regular file but got " +
                 (S_ISDIR(info.st_mode) ? "a folder" : "a device or a pipe"));
  auto size = static_cast<size_t>(info.st_size);
  std::unique_ptr<char[]> bytes(new (std::nothrow) char[size]);
  if (!bytes)
    return error(path + ": no memory for " + std::to_string(size) + " bytes of the file");
  size_t done = 0;
  while (done < size) {
    ssize_t count = ::read(descriptor, bytes.get() + done, size - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return fileError(path, "read", errno);
    if (count == 0)
      break;
    done += static_cast<size_t>(count);
  }
  // Somebody may have cut the file meanwhile: what is there counts.
  return FileContent(std::move(bytes), done);
}

AtomicFile::AtomicFile(std::string path, std::string target, std::string temporary, int descriptor)
    : path(std::move(path)), target(std::move(target)), temporary(std::move(temporary)),
      descriptor(descriptor) {}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path(std::move(other.path)), target(std::move(other.target)),
      temporary(std::move(other.temporary)), descriptor(other.descriptor) {
  other.descriptor = -1;
  other.temporary.clear();
}

AtomicFile::~AtomicFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (!temporary.empty())
    ::unlink(temporary.c_str());
}

/// Where the path's symbolic links lead; the path itself if there is nothing yet.
static std::string followLinks(const std::string &path) {
  char *resolved = ::realpath(path.c_str(), nullptr);
  if (!resolved)
    return path;
  std::string result = resolved;
  std::free(resolved);
  return result;
}

Result<AtomicFile> AtomicFile::create(const std::string &path) {
  if (path.empty())
    return error("expects the name of a file to write but got an empty string");
  std::string target = followLinks(path);
  mode_t mode = 0666;
  struct stat info;
  if (::stat(target.c_str(), &info) == 0) {
    if (!S_ISREG(info.st_mode))
      return error(path + ": expects a regular file to replace but got " +
                   (S_ISDIR(info.st_mode) ? "a folder" : "a device or a pipe"));
    mode = info.st_mode & 0777;
    // Renaming would replace a file that its owner protected.
    if (::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0)
      return fileError(path, "write", errno);
  }
  for (unsigned attempt = 0;; ++attempt) {
    std::string temporary =
        target + ".tmp." + std::to_string(::getpid()) + "." + std::to_string(attempt);
    int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor >= 0)
      return AtomicFile(path, std::move(target), std::move(temporary), descriptor);
    if (errno != EEXIST || attempt == 1000)
      return fileError(path, "create", errno);
  }
}

Status AtomicFile::fail(const char *action, int errorNumber) {
  if (descriptor >= 0)
    ::close(descriptor);
  descriptor = -1;
  ::unlink(temporary.c_str());
  temporary.clear();
  return fileError(path, action, errorNumber);
}

Status AtomicFile::write(std::string_view bytes) {
  assert(descriptor >= 0 && "write after commit or after a failure");
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return fail("write", errno);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return {};
}

Status AtomicFile::commit() {
  assert(descriptor >= 0 && "commit after commit or after a failure");
  if (::fsync(descriptor) != 0)
    return fail("write", errno);
  int closed = ::close(descriptor);
  descriptor = -1;
  if (closed != 0)
    return fail("write", errno);
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return fail("replace", errno);
  temporary.clear();
  // The new name is durable once the folder is. Not every file system can do this; the file itself
  // is complete either way.
  size_t slash = target.rfind('/');
  std::string folder = slash == std::string::npos ? "." : target.substr(0, slash + 1);
  int folderDescriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folderDescriptor >= 0) {
    (void)::fsync(folderDescriptor);
    ::close(folderDescriptor);
  }
  return {};
}

Status amp::runtime::writeFileAtomically(const std::string &path, std::string_view bytes) {
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file.ok())
    return file.status();
  if (Status status = file->write(bytes); !status.ok())
    return status;
  return file->commit();
}
