//===- Npy.cpp - NumPy's .npy format ---------------------------------------===//

#include "amp/Runtime/Npy.h"
#include "NpyHeader.h"
#include "amp/Runtime/File.h"
#include <cstring>

using namespace amp::runtime;

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "arrays are read and written as they lie in memory");

Result<Tensor> amp::runtime::parseNpy(std::string_view bytes, const std::string &origin) {
  Result<NpyHeader> header = parseNpyHeader(bytes, bytes.size());
  if (!header.ok())
    return header.status().withPrefix(origin);
  Result<Tensor> tensor = Tensor::create(header->type, header->shape);
  if (!tensor.ok())
    return tensor.status().withPrefix(origin);
  if (tensor->byteSize())
    std::memcpy(tensor->rawData(), bytes.data() + header->dataOffset,
                static_cast<size_t>(tensor->byteSize()));
  if (Status status = checkBooleans(*tensor); !status.ok())
    return status.withPrefix(origin);
  return tensor;
}

/// The array's type as NumPy spells it.
static std::string npyDescription(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return "<f2";
  case ElementType::BF16:
    return "<V2";
  case ElementType::F32:
    return "<f4";
  case ElementType::F64:
    return "<f8";
  case ElementType::I1:
    return "|b1";
  case ElementType::I8:
    return "|i1";
  case ElementType::U8:
    return "|u1";
  default:
    return std::string(stringify(type)[0] == 'u' ? "<u" : "<i") + std::to_string(byteSize(type));
  }
}

std::string amp::runtime::serializeNpy(const Tensor &tensor) {
  std::string header = "{'descr': '" + npyDescription(tensor.elementType()) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t axis = 0; axis < tensor.rank(); ++axis)
    header += (axis ? ", " : "") + std::to_string(tensor.dim(axis));
  header += tensor.rank() == 1 ? ",), }" : "), }";
  // Magic, version and length take 10 bytes; the data start at a multiple of 64, as NumPy has it.
  size_t total = (10 + header.size() + 1 + 63) / 64 * 64;
  header.append(total - 10 - header.size() - 1, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  bytes.append(static_cast<const char *>(tensor.rawData()), static_cast<size_t>(tensor.byteSize()));
  return bytes;
}

/// The file's name without folder and extension.
static std::string stem(const std::string &path) {
  size_t slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.rfind('.'));
}

Result<std::vector<NamedTensor>> amp::runtime::readArrays(const std::string &path) {
  Result<FileContent> content = readFile(path);
  if (!content.ok())
    return content.status();
  std::string_view bytes = content->view();
  if (bytes.substr(0, 2) == "PK")
    return parseNpz(bytes, path);
  if (bytes.substr(0, npyMagic.size()) != npyMagic)
    return error(path + ": expects a .npz archive or a .npy array, as numpy.savez and numpy.save "
                        "write them, but got something else");
  Result<Tensor> tensor = parseNpy(bytes, path);
  if (!tensor.ok())
    return tensor.status();
  std::vector<NamedTensor> arrays;
  arrays.push_back({stem(path), tensor.take()});
  return arrays;
}
