//===- SafetensorsTest.cpp -------------------------------------------------===//

#include "amp/Runtime/Safetensors.h"
#include "TestUtils.h"

using namespace amp::runtime;

/// A file with the given header text and data.
static std::string file(const std::string &header, const std::string &data) {
  uint64_t size = header.size();
  return std::string(reinterpret_cast<const char *>(&size), 8) + header + data;
}

static std::string entry(const std::string &dtype, const std::string &shape,
                         const std::string &offsets) {
  return "{\"dtype\":" + dtype + ",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

static Result<Safetensors> parse(const std::string &header, const std::string &data) {
  return parseSafetensors(file(header, data), "x");
}

TEST(Safetensors, EveryTypeReadsBack) {
  std::vector<NamedTensor> tensors;
  for (ElementType type : allElementTypes)
    tensors.push_back({std::string(stringify(type)), makeTensor(type, {1, 2}, {1, 0})});
  tensors.push_back({"scalar", makeTensor(ElementType::F64, {}, {7})});
  tensors.push_back({"empty", Tensor(ElementType::F32, {0, 3})});
  std::vector<TensorReference> references;
  references.reserve(tensors.size());
  for (const NamedTensor &tensor : tensors)
    references.push_back({tensor.name, &tensor.value});
  Metadata metadata{{"k", "v\n\"quoted\" \u00e4"}};
  Result<std::string> bytes = serializeSafetensors(references, metadata);
  ASSERT_OK(bytes);
  Result<Safetensors> read = parseSafetensors(*bytes, "x");
  ASSERT_OK(read);
  EXPECT_EQ(read->metadata, metadata);
  EXPECT_EQ(read->tensors.size(), tensors.size());
  for (const NamedTensor &tensor : tensors) {
    const Tensor *found = read->find(tensor.name);
    ASSERT_NE(found, nullptr);
    EXPECT_TRUE(found->bitsEqual(tensor.value)) << tensor.name;
  }
  EXPECT_EQ(read->find("other"), nullptr);
  // The order in which they come makes no difference.
  std::reverse(references.begin(), references.end());
  EXPECT_EQ(*serializeSafetensors(references, metadata), *bytes);
}

TEST(Safetensors, NumbersAreAligned) {
  Tensor flag(ElementType::I1, {1}), number(ElementType::F64, {1});
  Result<std::string> bytes = serializeSafetensors({{"a", &flag}, {"b", &number}}, {});
  ASSERT_OK(bytes);
  uint64_t headerBytes;
  std::memcpy(&headerBytes, bytes->data(), 8);
  EXPECT_EQ(headerBytes % 8, 0u);
  EXPECT_NE(bytes->find("\"b\":{\"data_offsets\":[0,8]"), std::string::npos) << *bytes;
}

TEST(Safetensors, WritesAndReadsFiles) {
  TemporaryFolder folder;
  std::string path = folder.file("a.safetensors");
  Tensor tensor = makeTensor(ElementType::F32, {2}, {1, 2});
  ASSERT_OK(writeSafetensors(path, {{"w", &tensor}}, {}));
  Result<Safetensors> read = readSafetensors(path);
  ASSERT_OK(read);
  EXPECT_TRUE(read->find("w")->bitsEqual(tensor));
  EXPECT_FALSE(readSafetensors(folder.file("none")).ok());
  EXPECT_FALSE(writeSafetensors(folder.file("no/a"), {{"w", &tensor}}, {}).ok());
}

TEST(Safetensors, HeaderErrors) {
  EXPECT_ERROR(parseSafetensors("1234567", "x"),
               "x: expects a safetensors file but got only 7 bytes");
  EXPECT_ERROR(parseSafetensors(file("{}", "").substr(0, 9), "x"),
               "x: expects a safetensors file but the header of 2 bytes does not fit into the file "
               "of 9 bytes; it is cut off or of another format");
  EXPECT_ERROR(parseSafetensors("PK\3\4PK\3\4....", "x"),
               "x: expects a safetensors file but the header of 289157608118635344 bytes does not "
               "fit into the file of 12 bytes; it is cut off or of another format");
  for (const char *header : {"", "[]", " {}", "\xef\xbb\xbf{}", "{", "{}x", "{\"a\":\"\xff\"}"})
    EXPECT_ERROR(parse(header, ""), "x: expects a JSON object as header but got something else");
  EXPECT_OK(parse("{}", ""));
  EXPECT_OK(parse("{}  ", ""));
  EXPECT_OK(parse("{\"__metadata__\":{}}", ""));
  std::string scalar = entry("\"U8\"", "[]", "[0,1]");
  EXPECT_ERROR(parse("{\"a\":" + scalar + ",\"a\":" + scalar + "}", "1"),
               "x: has the key 'a' twice in the header");
  EXPECT_ERROR(parse("{\"a\":{\"dtype\":\"U8\",\"dtype\":\"I8\"}}", "1"),
               "x: has the key 'dtype' twice in the header");
  EXPECT_ERROR(parse("{\"__metadata__\":[]}", ""),
               "x: expects a map of strings under '__metadata__' but got something else");
  EXPECT_ERROR(parse("{\"__metadata__\":{\"k\":1}}", ""),
               "x: expects a string under '__metadata__' for 'k' but got something else");
}

TEST(Safetensors, EntryErrors) {
  auto parseEntry = [](const std::string &text) {
    return parse("{\"a\":" + text + "}", "12345678");
  };
  ASSERT_OK(parseEntry(entry("\"F32\"", "[2]", "[0,8]")));
  for (const char *text : {"5", "{}", "{\"dtype\":\"F32\",\"shape\":[2],\"offsets\":[0,8]}",
                           "{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],\"x\":1}"})
    EXPECT_ERROR(parseEntry(text), "x: tensor 'a' expects the keys dtype, shape and data_offsets "
                                   "but got something else");
  EXPECT_ERROR(parseEntry(entry("1", "[2]", "[0,8]")),
               "x: tensor 'a' expects a string as dtype but got something else");
  EXPECT_ERROR(parseEntry(entry("\"F8_E4M3\"", "[8]", "[0,8]")),
               "x: tensor 'a' expects dtype F64, F32, F16, BF16, BOOL, I8, I16, I32, I64, U8, U16, "
               "U32 or U64 but got 'F8_E4M3'");
  EXPECT_ERROR(parseEntry(entry("\"F32\"", "2", "[0,8]")),
               "x: tensor 'a' expects an array of extents as shape but got something else");
  for (const char *shape : {"[-2]", "[2.0]", "[\"2\"]", "[9223372036854775808]", "[1e3]"})
    EXPECT_ERROR(parseEntry(entry("\"F32\"", shape, "[0,8]")),
                 "x: tensor 'a' expects extents from 0 to 2^63 - 1 in the shape but got something "
                 "else");
  for (const char *offsets : {"8", "[8]", "[8,0]", "[-8,0]", "[0,8,8]", "[0.0,8.0]"})
    EXPECT_ERROR(parseEntry(entry("\"F32\"", "[2]", offsets)),
                 "x: tensor 'a' expects two offsets, begin and end, as data_offsets but got "
                 "something else");
  EXPECT_ERROR(parseEntry(entry("\"F32\"", "[3]", "[0,8]")),
               "x: tensor 'a' expects 12 bytes for tensor<3xf32> but its offsets span 8");
  EXPECT_ERROR(parseEntry(entry("\"F64\"", "[4294967296,4294967296]", "[0,8]")),
               "x: tensor 'a' tensor<4294967296x4294967296xf64> is larger than any memory");
  EXPECT_ERROR(parseEntry(entry("\"BOOL\"", "[8]", "[0,8]")),
               "x: tensor 'a' expects booleans of 0 and 1 but got 49 at element 0");
}

TEST(Safetensors, CoverageErrors) {
  std::string a = "{\"a\":" + entry("\"U8\"", "[4]", "[0,4]") + ",\"b\":";
  EXPECT_OK(parse(a + entry("\"U8\"", "[4]", "[4,8]") + "}", "12345678"));
  // No elements, at either end.
  EXPECT_OK(parse(a + entry("\"U8\"", "[0]", "[0,0]") + "}", "1234"));
  EXPECT_OK(parse(a + entry("\"U8\"", "[0]", "[4,4]") + "}", "1234"));
  EXPECT_ERROR(parse(a + entry("\"U8\"", "[3]", "[5,8]") + "}", "12345678"),
               "x: tensor 'b' expects its data to start at byte 4, where the one before ends, but "
               "got 5");
  EXPECT_ERROR(parse(a + entry("\"U8\"", "[5]", "[3,8]") + "}", "12345678"),
               "x: tensor 'b' expects its data to start at byte 4, where the one before ends, but "
               "got 3");
  EXPECT_ERROR(parse(a + entry("\"U8\"", "[4]", "[4,8]") + "}", "1234567"),
               "x: tensor 'b' ends at byte 8 of the data, but the file has only 7; it is cut off: "
               "copy it again");
  EXPECT_ERROR(parse(a + entry("\"U8\"", "[4]", "[4,8]") + "}", "123456789"),
               "x: has 1 bytes after the last tensor, which no tensor owns");
}

TEST(Safetensors, WriterErrors) {
  Tensor tensor;
  EXPECT_ERROR(serializeSafetensors({{"a", &tensor}, {"a", &tensor}}, {}),
               "tensor 'a' is there twice");
  EXPECT_ERROR(serializeSafetensors({{"__metadata__", &tensor}}, {}),
               "tensor '__metadata__' has a reserved name");
  EXPECT_ERROR(serializeSafetensors({{"\xff", &tensor}}, {}),
               "expects names and metadata in UTF-8 but got other bytes");
  EXPECT_ERROR(serializeSafetensors({}, {{"k", "\xff"}}),
               "expects names and metadata in UTF-8 but got other bytes");
}

TEST(Safetensors, DamagedFilesNeverCrash) {
  Tensor a = makeTensor(ElementType::F32, {2}, {1, 2}),
         b = makeTensor(ElementType::I1, {2}, {1, 0});
  std::string bytes = *serializeSafetensors({{"a", &a}, {"b", &b}}, {{"k", "v"}});
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(parseSafetensors(bytes.substr(0, size), "x").ok());
  for (size_t position = 0; position < bytes.size(); ++position)
    for (int bit = 1; bit < 256; bit *= 2) {
      std::string flipped = bytes;
      flipped[position] = static_cast<char>(flipped[position] ^ bit);
      (void)parseSafetensors(flipped, "x").ok();
    }
}

/// A header of nothing but brackets must not overflow the stack.
TEST(Safetensors, DeepNestingNeverCrashes) {
  EXPECT_FALSE(parse("{\"a\":" + std::string(1000000, '['), "").ok());
  EXPECT_FALSE(
      parse("{\"a\":" + std::string(1000000, '[') + std::string(1000000, ']') + "}", "").ok());
}
