//===- FileTest.cpp --------------------------------------------------------===//

#include "amp/Runtime/File.h"
#include "TestUtils.h"
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace amp::runtime;

TEST(File, WritesAndReads) {
  TemporaryFolder folder;
  std::string path = folder.file("a");
  ASSERT_OK(writeFileAtomically(path, std::string("one\0two", 7)));
  Result<FileContent> content = readFile(path);
  ASSERT_OK(content);
  EXPECT_EQ(content->view(), std::string("one\0two", 7));
  ASSERT_OK(writeFileAtomically(path, ""));
  EXPECT_EQ(readFile(path)->view(), "");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(File, UncommittedLeavesNothing) {
  TemporaryFolder folder;
  std::string path = folder.file("a");
  writeText(path, "old");
  {
    Result<AtomicFile> file = AtomicFile::create(path);
    ASSERT_OK(file);
    ASSERT_OK(file->write("new"));
    EXPECT_EQ(readText(path), "old");
  }
  EXPECT_EQ(readText(path), "old");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(File, KeepsModeAndFollowsLinks) {
  TemporaryFolder folder;
  std::string path = folder.file("a"), link = folder.file("link");
  writeText(path, "old");
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  ASSERT_EQ(symlink("a", link.c_str()), 0);
  ASSERT_OK(writeFileAtomically(link, "new"));
  EXPECT_EQ(readText(path), "new");
  struct stat info;
  ASSERT_EQ(lstat(link.c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

/// A file size limit stands for a full disk: write() fails half-way.
TEST(File, FullDiskKeepsTheOldFile) {
  TemporaryFolder folder;
  std::string path = folder.file("a");
  writeText(path, "old");
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  Status status = writeFileAtomically(path, std::string(5000, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_ERROR(status, path + ": cannot write the file: file too large");
  EXPECT_EQ(readText(path), "old");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(File, Errors) {
  TemporaryFolder folder;
  std::string missing = folder.file("missing"), below = folder.file("no/such");
  EXPECT_ERROR(readFile(missing), missing + ": cannot open the file: no such file or directory");
  EXPECT_ERROR(readFile(folder.path), folder.path + ": expects a regular file but got a folder");
  EXPECT_ERROR(readFile("/dev/null"),
               "/dev/null: expects a regular file but got a device or a pipe");
  EXPECT_ERROR(writeFileAtomically(below, "x"),
               below + ": cannot create the file: no such file or directory");
  EXPECT_ERROR(writeFileAtomically(folder.path, "x"),
               folder.path + ": expects a regular file to replace but got a folder");
  EXPECT_ERROR(writeFileAtomically("/dev/null", "x"),
               "/dev/null: expects a regular file to replace but got a device or a pipe");
  EXPECT_ERROR(writeFileAtomically("", "x"),
               "expects the name of a file to write but got an empty string");
}

namespace {
/// The superuser may write everywhere: be nobody for a while.
struct Unprivileged {
  uid_t before = geteuid();
  Unprivileged() {
    if (before == 0 && seteuid(65534) != 0)
      std::abort();
  }
  ~Unprivileged() {
    if (seteuid(before) != 0)
      std::abort();
  }
};
} // namespace

TEST(File, ProtectedFilesStay) {
  TemporaryFolder folder;
  std::string path = folder.file("a"), other = folder.file("b");
  writeText(path, "old");
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder.path.c_str(), 0555), 0);
  Unprivileged unprivileged;
  if (faccessat(AT_FDCWD, "/", X_OK, AT_EACCESS) != 0)
    GTEST_SKIP() << "only root gets through the root folder of this system";
  EXPECT_ERROR(writeFileAtomically(path, "x"), path + ": cannot write the file: permission denied");
  EXPECT_ERROR(writeFileAtomically(other, "x"),
               other + ": cannot create the file: permission denied");
  EXPECT_EQ(readText(path), "old");
}

namespace {
/// Leaves the process 4 GiB of addresses for a while.
struct LittleMemory {
  rlimit before;
  LittleMemory() {
    if (getrlimit(RLIMIT_AS, &before) != 0)
      std::abort();
    rlimit small = before;
    small.rlim_cur = rlim_t{1} << 32;
#ifndef AMP_TEST_SANITIZED // Its shadow takes terabytes of addresses; it gives out at most one.
    if (setrlimit(RLIMIT_AS, &small) != 0)
      std::abort();
#endif
  }
  ~LittleMemory() {
    if (setrlimit(RLIMIT_AS, &before) != 0)
      std::abort();
  }
};
} // namespace

TEST(File, NoMemoryIsAnError) {
  TemporaryFolder folder;
  std::string path = folder.file("sparse");
  writeText(path, "");
  ASSERT_EQ(truncate(path.c_str(), off_t{1} << 41), 0);
  Status status;
  {
    LittleMemory littleMemory;
    status = readFile(path).status();
  }
  EXPECT_ERROR(status, path + ": no memory for 2199023255552 bytes of the file");
}

TEST(File, PipeWithoutWriterDoesNotBlock) {
  TemporaryFolder folder;
  std::string path = folder.file("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_ERROR(readFile(path), path + ": expects a regular file but got a device or a pipe");
}
