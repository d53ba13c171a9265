//===- Npz.cpp - archives of .npy arrays -----------------------------------===//

#include "NpyHeader.h"
#include "amp/Runtime/File.h"
#include "amp/Runtime/Npy.h"
#include <cstring>
#include <limits>
#include <set>
#include <zip.h>

using namespace amp::runtime;

namespace {
/// What must be known of a member.
constexpr zip_uint64_t neededFields = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                      ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;

/// Owners of libzip's handles.
struct Archive {
  zip_t *handle = nullptr;
  ~Archive() {
    if (handle)
      zip_discard(handle);
  }
};
struct Member {
  zip_file_t *handle = nullptr;
  ~Member() {
    if (handle)
      zip_fclose(handle);
  }
};
struct ZipError {
  zip_error_t value;
  ZipError() { zip_error_init(&value); }
  ~ZipError() { zip_error_fini(&value); }
  std::string text() { return zip_error_strerror(&value); }
};
} // namespace

/// Deflate does not make data smaller than this.
static constexpr uint64_t mostDeflated = 1032;

static constexpr std::string_view suffix = ".npy";

/// Checks what the archive's directory says of a member before anything is allocated for it.
/// `compressedBytes` is the sum over the members so far.
static Status checkDirectoryEntry(const zip_stat_t &entry, uint64_t archiveSize,
                                  uint64_t &compressedBytes) {
  if (entry.encryption_method != ZIP_EM_NONE)
    return error("is encrypted; save it without a password");
  if (entry.comp_method != ZIP_CM_STORE && entry.comp_method != ZIP_CM_DEFLATE)
    return error("expects compression method 0 (stored) or 8 (deflated) but got " +
                 std::to_string(entry.comp_method) +
                 "; save it with numpy.savez or numpy.savez_compressed");
  // Members that share bytes, or claim more than there are, would make allocations unbounded.
  if (entry.comp_size > archiveSize - compressedBytes)
    return error("claims more bytes than the archive has");
  compressedBytes += entry.comp_size;
  bool stored = entry.comp_method == ZIP_CM_STORE;
  if (stored ? entry.size != entry.comp_size : entry.size / mostDeflated > entry.comp_size)
    return error("claims to hold " + std::to_string(entry.size) + " bytes in " +
                 std::to_string(entry.comp_size) + (stored ? " stored" : " deflated") +
                 " bytes, which is not possible");
  return {};
}

/// Reads exactly `size` bytes.
static Status readBytes(zip_file_t *file, void *target, uint64_t size) {
  char *next = static_cast<char *>(target);
  while (size) {
    zip_int64_t count = zip_fread(file, next, size);
    if (count < 0)
      return error(std::string("cannot be unpacked: ") + zip_file_strerror(file));
    if (count == 0)
      return error("is cut off");
    next += count;
    size -= static_cast<uint64_t>(count);
  }
  return {};
}

/// libzip compares the checksum when it reaches the end of the member.
static Status checkEnd(zip_file_t *file) {
  char extra;
  zip_int64_t count = zip_fread(file, &extra, 1);
  if (count < 0)
    return error(std::string("cannot be unpacked: ") + zip_file_strerror(file));
  return count ? error("holds more bytes than the archive's directory says") : Status();
}

static Result<Tensor> readMember(zip_file_t *file, uint64_t size) {
  std::string start(std::min<uint64_t>(size, 12), '\0');
  if (Status status = readBytes(file, &start[0], start.size()); !status.ok())
    return status;
  Result<size_t> headerSize = npyHeaderSize(start);
  if (!headerSize.ok())
    return headerSize.status();
  if (*headerSize > size)
    return error("is cut off in the header");
  size_t known = start.size();
  if (*headerSize > known) {
    start.resize(*headerSize);
    if (Status status = readBytes(file, &start[known], start.size() - known); !status.ok())
      return status;
  }
  Result<NpyHeader> header = parseNpyHeader(start, size);
  if (!header.ok())
    return header.status();
  Result<Tensor> tensor = Tensor::create(header->type, header->shape);
  if (!tensor.ok())
    return tensor.status();
  // A header of less than 12 bytes has been read too far.
  size_t early = start.size() - header->dataOffset;
  std::memcpy(tensor->rawData(), start.data() + header->dataOffset, early);
  Status status = readBytes(file, static_cast<char *>(tensor->rawData()) + early,
                            static_cast<uint64_t>(tensor->byteSize()) - early);
  if (status.ok())
    status = checkEnd(file);
  if (status.ok())
    status = checkBooleans(*tensor);
  if (!status.ok())
    return status;
  return tensor;
}

Result<std::vector<NamedTensor>> amp::runtime::parseNpz(std::string_view bytes,
                                                        const std::string &origin) {
  if (bytes.empty())
    return error(origin + ": expects a .npz archive, as numpy.savez writes it, but got no bytes");
  ZipError failure;
  zip_source_t *source =
      zip_source_buffer_create(bytes.data(), bytes.size(), /*freep=*/0, &failure.value);
  if (!source)
    return error(origin + ": " + failure.text());
  Archive archive;
  archive.handle = zip_open_from_source(source, ZIP_RDONLY, &failure.value);
  if (!archive.handle) {
    zip_source_free(source);
    return error(origin +
                 ": expects a .npz archive, as numpy.savez writes it, but cannot read it: " +
                 failure.text());
  }
  std::vector<NamedTensor> arrays;
  std::set<std::string> names;
  uint64_t compressedBytes = 0;
  zip_int64_t count = zip_get_num_entries(archive.handle, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t entry;
    if (zip_stat_index(archive.handle, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW, &entry) != 0 ||
        (entry.valid & neededFields) != neededFields)
      return error(origin + ": " + zip_strerror(archive.handle));
    std::string name = entry.name;
    if (name.size() <= suffix.size() ||
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0)
      return error(origin + ": expects arrays, with names in .npy, but got the member '" + name +
                   "'");
    name.resize(name.size() - suffix.size());
    const std::string prefix = origin + ": array '" + name + "'";
    if (!names.insert(name).second)
      return error(prefix + " is there twice; save every array under a name of its own");
    if (Status status = checkDirectoryEntry(entry, bytes.size(), compressedBytes); !status.ok())
      return error(prefix + " " + status.message());
    Member member;
    member.handle = zip_fopen_index(archive.handle, static_cast<zip_uint64_t>(i), 0);
    if (!member.handle)
      return error(prefix + " cannot be unpacked: " + zip_strerror(archive.handle));
    Result<Tensor> tensor = readMember(member.handle, entry.size);
    if (!tensor.ok())
      return error(prefix + " " + tensor.message());
    arrays.push_back({std::move(name), tensor.take()});
  }
  return arrays;
}

/// Adds one member to an archive that is being written. `bytes` must live until it is closed.
static Status addMember(zip_t *archive, const std::string &name, const std::string &bytes) {
  zip_source_t *source = zip_source_buffer(archive, bytes.data(), bytes.size(), /*freep=*/0);
  if (!source)
    return error(zip_strerror(archive));
  zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return error("array '" + name + "' cannot be added: " + zip_strerror(archive));
  }
  // 1980-01-01, the first day there is: the same arrays give the same bytes.
  constexpr zip_uint16_t firstDay = (1 << 5) | 1;
  auto member = static_cast<zip_uint64_t>(index);
  if (zip_set_file_compression(archive, member, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(archive, member, 0, firstDay, 0) != 0)
    return error(zip_strerror(archive));
  return {};
}

/// The archive's bytes, from the source that libzip wrote them to.
static Result<std::string> readSource(zip_source_t *source) {
  if (zip_source_open(source) != 0)
    return error(zip_error_strerror(zip_source_error(source)));
  std::string bytes;
  char buffer[1 << 16];
  zip_int64_t count;
  while ((count = zip_source_read(source, buffer, sizeof(buffer))) > 0)
    bytes.append(buffer, static_cast<size_t>(count));
  zip_source_close(source);
  if (count < 0)
    return error(zip_error_strerror(zip_source_error(source)));
  return bytes;
}

static Result<std::string> serializeNpz(Span<const NamedTensor> arrays) {
  // libzip deletes an archive without members; this is the end record that such a one consists of.
  if (arrays.empty())
    return std::string("PK\5\6", 4) + std::string(18, '\0');
  ZipError failure;
  zip_source_t *target = zip_source_buffer_create(nullptr, 0, 0, &failure.value);
  if (!target)
    return error(failure.text());
  Archive archive;
  archive.handle = zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, &failure.value);
  if (!archive.handle) {
    zip_source_free(target);
    return error(failure.text());
  }
  zip_source_keep(target);
  std::vector<std::string> contents;
  std::set<std::string> names;
  contents.reserve(arrays.size());
  Status status;
  for (const NamedTensor &array : arrays) {
    if (!names.insert(array.name).second)
      status = error("array '" + array.name + "' is there twice");
    if (!status.ok())
      break;
    contents.push_back(serializeNpy(array.value));
    status = addMember(archive.handle, array.name + std::string(suffix), contents.back());
  }
  if (status.ok()) {
    if (zip_close(archive.handle) == 0)
      archive.handle = nullptr;
    else
      status = error(zip_strerror(archive.handle));
  }
  Result<std::string> bytes = status.ok() ? readSource(target) : Result<std::string>(status);
  zip_source_free(target);
  return bytes;
}

Status amp::runtime::writeNpz(const std::string &path, Span<const NamedTensor> arrays) {
  Result<std::string> bytes = serializeNpz(arrays);
  if (!bytes.ok())
    return bytes.status().withPrefix(path);
  return writeFileAtomically(path, *bytes);
}
