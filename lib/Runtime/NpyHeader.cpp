//===- NpyHeader.cpp - the header of a .npy file ---------------------------===//

#include "NpyHeader.h"
#include <limits>

using namespace amp::runtime;

Result<size_t> amp::runtime::npyHeaderSize(std::string_view start) {
  if (start.substr(0, npyMagic.size()) != npyMagic)
    return error("expects the first bytes of a .npy array but got something else");
  if (start.size() < 10)
    return error("is cut off in the header");
  unsigned major = static_cast<unsigned char>(start[6]);
  unsigned minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0)
    return error("expects version 1.0, 2.0 or 3.0 of the .npy format but got " +
                 std::to_string(major) + "." + std::to_string(minor));
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (start.size() < 8 + lengthBytes)
    return error("is cut off in the header");
  size_t length = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= static_cast<size_t>(static_cast<unsigned char>(start[8 + i])) << (8 * i);
  return 8 + lengthBytes + length;
}

namespace {
/// What the header's dictionary says.
struct Description {
  std::string descr;
  bool fortranOrder = false;
  Shape shape;
};

/// Reads the Python literal that is the header, for example
/// `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text(text) {}

  Result<Description> parse();

private:
  void skipSpace() {
    while (position < text.size() && (text[position] == ' ' || text[position] == '\n'))
      ++position;
  }
  /// Skips space; then whether the next character is `wanted`, which is consumed.
  bool accept(char wanted) {
    skipSpace();
    if (position == text.size() || text[position] != wanted)
      return false;
    ++position;
    return true;
  }
  bool acceptWord(std::string_view word) {
    skipSpace();
    if (text.substr(position, word.size()) != word)
      return false;
    position += word.size();
    return true;
  }
  Status expected(const std::string &what) {
    skipSpace();
    std::string found =
        position == text.size() ? "its end" : std::string("'") + text[position] + "'";
    if (found.size() == 3 && (found[1] < 0x20 || found[1] > 0x7e))
      found = "byte " + std::to_string(static_cast<unsigned char>(text[position]));
    return error("expects " + what + " in the header but got " + found + " at its byte " +
                 std::to_string(position));
  }
  Status parseString(std::string &result);
  Status parseDescr(std::string &result);
  Status parseShape(Shape &shape);
  Status parseExtent(int64_t &extent);

  std::string_view text;
  size_t position = 0;
};
} // namespace

/// Without escapes: no key and no type that NumPy writes has one.
Status HeaderParser::parseString(std::string &result) {
  char quote = accept('\'') ? '\'' : accept('"') ? '"' : '\0';
  if (!quote)
    return expected("a string");
  size_t end = text.find(quote, position);
  if (end == std::string_view::npos) {
    position = text.size();
    return expected("the end of a string");
  }
  result = text.substr(position, end - position);
  position = end + 1;
  return {};
}

Status HeaderParser::parseDescr(std::string &result) {
  skipSpace();
  if (position < text.size() && text[position] == '[')
    return error("expects numbers but got an array of records; save its fields as arrays of their "
                 "own");
  return parseString(result);
}

Status HeaderParser::parseExtent(int64_t &extent) {
  skipSpace();
  extent = 0;
  size_t start = position;
  while (position < text.size() && text[position] >= '0' && text[position] <= '9') {
    int64_t digit = text[position++] - '0';
    if (extent > (std::numeric_limits<int64_t>::max() - digit) / 10)
      return error("has a shape with an extent above 2^63 - 1");
    extent = extent * 10 + digit;
  }
  return position == start ? expected("an extent of the shape") : Status();
}

Status HeaderParser::parseShape(Shape &shape) {
  if (!accept('('))
    return expected("'('");
  while (!accept(')')) {
    int64_t extent;
    if (Status status = parseExtent(extent); !status.ok())
      return status;
    shape.push_back(extent);
    if (shape.size() > 64)
      return error("expects at most 64 dimensions but got more");
    if (accept(','))
      continue;
    // `(3)` is a number in Python, not a shape.
    if (shape.size() < 2 || !accept(')'))
      return expected(shape.size() < 2 ? "','" : "',' or ')'");
    break;
  }
  return {};
}

Result<Description> HeaderParser::parse() {
  Description description;
  bool seen[3] = {};
  static constexpr const char *keys[3] = {"descr", "fortran_order", "shape"};
  if (!accept('{'))
    return expected("'{'");
  while (!accept('}')) {
    std::string key;
    if (Status status = parseString(key); !status.ok())
      return status;
    int index = key == keys[0] ? 0 : key == keys[1] ? 1 : key == keys[2] ? 2 : -1;
    if (index < 0)
      return error("has an unknown key '" + key +
                   "' in the header; expects descr, fortran_order "
                   "and shape");
    if (seen[index])
      return error("has the key '" + key + "' twice in the header");
    seen[index] = true;
    if (!accept(':'))
      return expected("':'");
    Status status;
    if (index == 0)
      status = parseDescr(description.descr);
    else if (index == 2)
      status = parseShape(description.shape);
    else if (acceptWord("True"))
      description.fortranOrder = true;
    else if (!acceptWord("False"))
      status = expected("True or False");
    if (!status.ok())
      return status;
    if (accept(','))
      continue;
    if (!accept('}'))
      return expected("',' or '}'");
    break;
  }
  for (int index = 0; index < 3; ++index)
    if (!seen[index])
      return error(std::string("has no key '") + keys[index] + "' in the header");
  skipSpace();
  if (position != text.size())
    return expected("nothing after '}'");
  return description;
}

/// The element type for NumPy's spelling.
static Result<ElementType> elementTypeOf(const std::string &descr) {
  char order = descr.empty() ? '\0' : descr[0];
  std::string kind = descr.substr(descr.empty() ? 0 : 1);
  if (order == '>' && kind.size() == 2 && kind[1] != '1')
    return error("expects little-endian elements but got '" + descr +
                 "'; save it with array.astype(array.dtype.newbyteorder('<'))");
  if (kind == "O")
    return error("expects numbers but got pickled Python objects ('" + descr +
                 "'); save it with array.astype(numpy.float32) or another number type");
  static constexpr struct {
    std::string_view kind;
    ElementType type;
  } types[] = {{"f2", ElementType::F16}, {"V2", ElementType::BF16}, {"f4", ElementType::F32},
               {"f8", ElementType::F64}, {"b1", ElementType::I1},   {"i1", ElementType::I8},
               {"u1", ElementType::U8},  {"i2", ElementType::I16},  {"u2", ElementType::U16},
               {"i4", ElementType::I32}, {"u4", ElementType::U32},  {"i8", ElementType::I64},
               {"u8", ElementType::U64}};
  if (order == '<' || order == '>' || order == '|' || order == '=')
    for (const auto &entry : types)
      if (entry.kind == kind)
        return entry.type;
  return error("expects elements of type f2, f4, f8, b1, i1, i2, i4, i8, u1, u2, u4, u8 or V2 "
               "(bf16) but got '" +
               descr + "'; convert it with array.astype");
}

/// The elements must fill the file exactly.
static Status checkDataSize(const NpyHeader &header, uint64_t fileSize) {
  Result<int64_t> count = checkedNumElements(header.type, header.shape);
  if (!count.ok())
    return count.status();
  uint64_t expected = static_cast<uint64_t>(*count) * byteSize(header.type);
  uint64_t found = fileSize - header.dataOffset;
  if (found == expected)
    return {};
  std::string numbers = "expects " + std::to_string(expected) + " bytes of elements for " +
                        stringify(header.type, header.shape) + " but got " + std::to_string(found) +
                        "; ";
  return error(numbers + (found < expected ? "the file is cut off: save or copy it again"
                                           : "something was appended to it: save it again"));
}

Result<NpyHeader> amp::runtime::parseNpyHeader(std::string_view start, uint64_t fileSize) {
  Result<size_t> size = npyHeaderSize(start);
  if (!size.ok())
    return size.status();
  if (start.size() < *size)
    return error("is cut off in the header");
  size_t textStart = start[6] == 1 ? 10 : 12;
  Result<Description> description =
      HeaderParser(start.substr(textStart, *size - textStart)).parse();
  if (!description.ok())
    return description.status();
  Result<ElementType> type = elementTypeOf(description->descr);
  if (!type.ok())
    return type.status();
  // The order of axes makes no difference with one axis.
  if (description->fortranOrder && description->shape.size() > 1)
    return error("expects elements in C order but got Fortran order; save it with "
                 "numpy.ascontiguousarray(array)");
  NpyHeader header{*type, std::move(description->shape), *size};
  if (Status status = checkDataSize(header, fileSize); !status.ok())
    return status;
  return header;
}
