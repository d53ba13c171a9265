//===- Safetensors.cpp - the checkpoint's file format ----------------------===//

#include "amp/Runtime/Safetensors.h"
#include "amp/Runtime/File.h"
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

using namespace amp::runtime;
using nlohmann::json;

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "tensors are read and written as they lie in memory");

static constexpr const char *metadataKey = "__metadata__";

/// The limit of the reference implementation.
static constexpr uint64_t mostHeaderBytes = 100'000'000;

/// The names of the format are ours in capitals, but for two.
static std::string dtypeName(ElementType type) {
  if (type == ElementType::I1)
    return "BOOL";
  std::string name(stringify(type));
  for (char &letter : name)
    if (letter >= 'a' && letter <= 'z')
      letter = static_cast<char>(letter - 'a' + 'A');
  return name;
}

const Tensor *Safetensors::find(std::string_view name) const {
  for (const NamedTensor &tensor : tensors)
    if (tensor.name == name)
      return &tensor.value;
  return nullptr;
}

/// The header as JSON; an error if it is not, or if an object has a key twice.
static Result<json> parseHeader(std::string_view text) {
  // JSON would allow space and a byte order mark before the object; the format does not.
  if (text.empty() || text[0] != '{')
    return error("expects a JSON object as header but got something else");
  std::vector<std::set<std::string>> keys;
  std::string duplicate;
  auto callback = [&](int, json::parse_event_t event, json &parsed) {
    if (event == json::parse_event_t::object_start)
      keys.emplace_back();
    else if (event == json::parse_event_t::object_end && !keys.empty())
      keys.pop_back();
    else if (event == json::parse_event_t::key && !keys.empty())
      if (const auto *key = parsed.get_ptr<const std::string *>();
          key && !keys.back().insert(*key).second && duplicate.empty())
        duplicate = *key;
    return true;
  };
  json header = json::parse(text.begin(), text.end(), callback, /*allow_exceptions=*/false);
  if (!header.is_object())
    return error("expects a JSON object as header but got something else");
  if (!duplicate.empty())
    return error("has the key '" + duplicate + "' twice in the header");
  return header;
}

static Result<Metadata> parseMetadata(const json &value) {
  Metadata metadata;
  if (!value.is_object())
    return error("expects a map of strings under '__metadata__' but got something else");
  for (auto it = value.begin(); it != value.end(); ++it) {
    const auto *text = it.value().get_ptr<const std::string *>();
    if (!text)
      return error("expects a string under '__metadata__' for '" + it.key() +
                   "' but got something else");
    metadata[it.key()] = *text;
  }
  return metadata;
}

namespace {
/// One entry of the header.
struct Entry {
  std::string name;
  ElementType type;
  Shape shape;
  uint64_t begin;
  uint64_t end;
};
} // namespace

/// The element of an array of non-negative integers; none if it is something else.
static std::optional<uint64_t> unsignedAt(const json &array, size_t index) {
  const auto *number = array[index].get_ptr<const json::number_unsigned_t *>();
  return number ? std::optional<uint64_t>(*number) : std::nullopt;
}

static Result<ElementType> parseDtype(const json &value) {
  const auto *name = value.get_ptr<const std::string *>();
  if (!name)
    return error("expects a string as dtype but got something else");
  for (ElementType type : allElementTypes)
    if (dtypeName(type) == *name)
      return type;
  return error("expects dtype F64, F32, F16, BF16, BOOL, I8, I16, I32, I64, U8, U16, U32 or U64 "
               "but got '" +
               *name + "'");
}

static Result<Entry> parseEntry(const std::string &name, const json &value) {
  if (!value.is_object() || value.size() != 3 || !value.contains("dtype") ||
      !value.contains("shape") || !value.contains("data_offsets"))
    return error("expects the keys dtype, shape and data_offsets but got something else");
  Result<ElementType> type = parseDtype(*value.find("dtype"));
  if (!type.ok())
    return type.status();
  Entry entry{name, *type, {}, 0, 0};
  const json &shape = *value.find("shape");
  if (!shape.is_array())
    return error("expects an array of extents as shape but got something else");
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    std::optional<uint64_t> extent = unsignedAt(shape, axis);
    if (!extent || *extent > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      return error("expects extents from 0 to 2^63 - 1 in the shape but got something else");
    entry.shape.push_back(static_cast<int64_t>(*extent));
  }
  const json &offsets = *value.find("data_offsets");
  std::optional<uint64_t> begin, end;
  if (offsets.is_array() && offsets.size() == 2) {
    begin = unsignedAt(offsets, 0);
    end = unsignedAt(offsets, 1);
  }
  if (!begin || !end || *begin > *end)
    return error("expects two offsets, begin and end, as data_offsets but got something else");
  entry.begin = *begin;
  entry.end = *end;
  Result<int64_t> count = checkedNumElements(entry.type, entry.shape);
  if (!count.ok())
    return count.status();
  uint64_t bytes = static_cast<uint64_t>(*count) * byteSize(entry.type);
  if (entry.end - entry.begin != bytes)
    return error("expects " + std::to_string(bytes) + " bytes for " +
                 stringify(entry.type, entry.shape) + " but its offsets span " +
                 std::to_string(entry.end - entry.begin));
  return entry;
}

/// The data must be covered without gap and overlap.
static Status checkCoverage(std::vector<Entry> &entries, uint64_t dataBytes) {
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  uint64_t position = 0;
  for (const Entry &entry : entries) {
    if (entry.begin != position)
      return error("tensor '" + entry.name + "' expects its data to start at byte " +
                   std::to_string(position) + ", where the one before ends, but got " +
                   std::to_string(entry.begin));
    if (entry.end > dataBytes)
      return error("tensor '" + entry.name + "' ends at byte " + std::to_string(entry.end) +
                   " of the data, but the file has only " + std::to_string(dataBytes) +
                   "; it is cut off: copy it again");
    position = entry.end;
  }
  if (position != dataBytes)
    return error("has " + std::to_string(dataBytes - position) +
                 " bytes after the last tensor, which no tensor owns");
  return {};
}

static Result<Safetensors> parse(std::string_view bytes) {
  uint64_t headerBytes = 0;
  if (bytes.size() < 8)
    return error("expects a safetensors file but got only " + std::to_string(bytes.size()) +
                 " bytes");
  std::memcpy(&headerBytes, bytes.data(), 8);
  if (headerBytes > mostHeaderBytes || headerBytes > bytes.size() - 8)
    return error("expects a safetensors file but the header of " + std::to_string(headerBytes) +
                 " bytes does not fit into the file of " + std::to_string(bytes.size()) +
                 " bytes; it is cut off or of another format");
  Result<json> header = parseHeader(bytes.substr(8, headerBytes));
  if (!header.ok())
    return header.status();
  std::string_view data = bytes.substr(8 + headerBytes);
  Safetensors file;
  std::vector<Entry> entries;
  for (auto it = header->begin(); it != header->end(); ++it) {
    if (it.key() == metadataKey) {
      Result<Metadata> metadata = parseMetadata(it.value());
      if (!metadata.ok())
        return metadata.status();
      file.metadata = metadata.take();
      continue;
    }
    Result<Entry> entry = parseEntry(it.key(), it.value());
    if (!entry.ok())
      return error("tensor '" + it.key() + "' " + entry.message());
    entries.push_back(entry.take());
  }
  if (Status status = checkCoverage(entries, data.size()); !status.ok())
    return status;
  for (Entry &entry : entries) {
    Result<Tensor> tensor = Tensor::create(entry.type, std::move(entry.shape));
    Status status = tensor.status();
    if (status.ok()) {
      std::memcpy(tensor->rawData(), data.data() + entry.begin, entry.end - entry.begin);
      status = checkBooleans(*tensor);
    }
    if (!status.ok())
      return error("tensor '" + entry.name + "' " + status.message());
    file.tensors.push_back({std::move(entry.name), tensor.take()});
  }
  std::sort(file.tensors.begin(), file.tensors.end(),
            [](const NamedTensor &a, const NamedTensor &b) { return a.name < b.name; });
  return file;
}

Result<Safetensors> amp::runtime::parseSafetensors(std::string_view bytes,
                                                   const std::string &origin) {
  Result<Safetensors> file = parse(bytes);
  if (!file.ok())
    return file.status().withPrefix(origin);
  return file;
}

Result<Safetensors> amp::runtime::readSafetensors(const std::string &path) {
  Result<FileContent> content = readFile(path);
  if (!content.ok())
    return content.status();
  return parseSafetensors(content->view(), path);
}

/// JSON text of the header; an error if a string is not UTF-8.
static Result<std::string> dumpHeader(const json &header) {
  std::string text = header.dump(-1, ' ', false, json::error_handler_t::ignore);
  // What is not UTF-8 was dropped, so that the text reads back as something else.
  if (json::parse(text, nullptr, /*allow_exceptions=*/false) != header)
    return error("expects names and metadata in UTF-8 but got other bytes");
  // The data start at a multiple of 8 bytes.
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

/// Brings the tensors into the order of the file and gives the bytes before their data.
static Result<std::string> layOut(std::vector<TensorReference> &tensors, const Metadata &metadata) {
  std::sort(tensors.begin(), tensors.end(), [](const TensorReference &a, const TensorReference &b) {
    size_t aSize = byteSize(a.value->elementType()), bSize = byteSize(b.value->elementType());
    return std::tie(bSize, a.name) < std::tie(aSize, b.name);
  });
  json header = json::object();
  if (!metadata.empty())
    header[metadataKey] = metadata;
  uint64_t position = 0;
  for (const TensorReference &tensor : tensors) {
    if (tensor.name == metadataKey)
      return error("tensor '" + tensor.name + "' has a reserved name");
    if (header.contains(tensor.name))
      return error("tensor '" + tensor.name + "' is there twice");
    uint64_t end = position + static_cast<uint64_t>(tensor.value->byteSize());
    header[tensor.name] = {{"dtype", dtypeName(tensor.value->elementType())},
                           {"shape", tensor.value->shape()},
                           {"data_offsets", {position, end}}};
    position = end;
  }
  Result<std::string> text = dumpHeader(header);
  if (!text.ok())
    return text.status();
  uint64_t headerBytes = text->size();
  return std::string(reinterpret_cast<const char *>(&headerBytes), 8) + *text;
}

static std::string_view dataOf(const TensorReference &tensor) {
  return {static_cast<const char *>(tensor.value->rawData()),
          static_cast<size_t>(tensor.value->byteSize())};
}

Result<std::string> amp::runtime::serializeSafetensors(std::vector<TensorReference> tensors,
                                                       const Metadata &metadata) {
  Result<std::string> bytes = layOut(tensors, metadata);
  if (!bytes.ok())
    return bytes;
  for (const TensorReference &tensor : tensors)
    *bytes += dataOf(tensor);
  return bytes;
}

Status amp::runtime::writeSafetensors(const std::string &path, std::vector<TensorReference> tensors,
                                      const Metadata &metadata) {
  Result<std::string> header = layOut(tensors, metadata);
  if (!header.ok())
    return header.status().withPrefix(path);
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file.ok())
    return file.status();
  // Tensor by tensor: a second copy of the state might not fit into memory.
  Status status = file->write(*header);
  for (size_t i = 0; status.ok() && i < tensors.size(); ++i)
    status = file->write(dataOf(tensors[i]));
  return status.ok() ? file->commit() : status;
}
