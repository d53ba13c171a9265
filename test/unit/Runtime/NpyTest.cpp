//===- NpyTest.cpp ---------------------------------------------------------===//

#include "amp/Runtime/Npy.h"
#include "TestUtils.h"
#include <zip.h>

using namespace amp::runtime;

/// A .npy file with the given dictionary, version and element bytes.
static std::string npy(const std::string &header, const std::string &data, int major = 1) {
  std::string bytes("\x93NUMPY", 6);
  bytes += static_cast<char>(major);
  bytes += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    bytes += static_cast<char>((header.size() >> (8 * i)) & 0xff);
  return bytes + header + data;
}

static std::string simple(const std::string &descr, const std::string &shape,
                          const std::string &data) {
  return npy("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n",
             data);
}

TEST(Npy, EveryTypeAndRankReadsBack) {
  for (ElementType type : allElementTypes)
    for (const Shape &shape : {Shape{}, Shape{3}, Shape{2, 3}, Shape{0, 4}, Shape{1, 2, 3, 4, 5}}) {
      Tensor tensor(type, shape);
      for (int64_t i = 0; i < tensor.numElements(); ++i)
        tensor.setFromDouble(i, type == ElementType::I1 ? i % 2 : i);
      std::string bytes = serializeNpy(tensor);
      EXPECT_EQ((bytes.size() - static_cast<size_t>(tensor.byteSize())) % 64, 0u);
      Result<Tensor> read = parseNpy(bytes, "x.npy");
      ASSERT_OK(read);
      EXPECT_TRUE(read->bitsEqual(tensor)) << tensor.typeString();
    }
}

TEST(Npy, ReadsAllVersionsAndSpellings) {
  std::string data(8, '\1');
  for (int major : {1, 2, 3})
    EXPECT_OK(
        parseNpy(npy("{'descr':'<f4','fortran_order':False,'shape':(2,)}", data, major), "x"));
  EXPECT_OK(parseNpy(
      npy("{ \"shape\" : ( 2 , 1 ) ,\n'fortran_order': False, 'descr': '=i4' } \n", data), "x"));
  EXPECT_OK(parseNpy(simple(">u1", "(8,)", data), "x"));
  EXPECT_OK(parseNpy(simple("|V2", "(2, 2)", data), "x"));
  // One axis has one order.
  EXPECT_OK(parseNpy(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (1,)}", data), "x"));
}

TEST(Npy, HeaderErrors) {
  const std::string data(8, '\0');
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  auto parse = [&](const std::string &header) { return parseNpy(npy(header, data), "x"); };
  ASSERT_OK(parse(good));
  EXPECT_ERROR(parseNpy("", "x"), "x: expects the first bytes of a .npy array but got something "
                                  "else");
  EXPECT_ERROR(parseNpy(npy(good, data).substr(0, 9), "x"), "x: is cut off in the header");
  EXPECT_ERROR(parseNpy(npy(good, data, 2).substr(0, 11), "x"), "x: is cut off in the header");
  EXPECT_ERROR(parseNpy(npy(good, data).substr(0, 40), "x"), "x: is cut off in the header");
  EXPECT_ERROR(parseNpy(npy(good, data, 4), "x"),
               "x: expects version 1.0, 2.0 or 3.0 of the .npy format but got 4.0");
  EXPECT_ERROR(parse("[]"), "x: expects '{' in the header but got '[' at its byte 0");
  EXPECT_ERROR(parse("{5"), "x: expects a string in the header but got '5' at its byte 1");
  EXPECT_ERROR(parse("{'descr"),
               "x: expects the end of a string in the header but got its end at its byte 7");
  EXPECT_ERROR(parse("{'descr' '<f4'}"), "x: expects ':' in the header but got ''' at its byte 9");
  EXPECT_ERROR(parse("{'descr': '<f4' 'x'"),
               "x: expects ',' or '}' in the header but got ''' at its byte 16");
  EXPECT_ERROR(parse("{'dtype': '<f4'}"), "x: has an unknown key 'dtype' in the header; expects "
                                          "descr, fortran_order and shape");
  EXPECT_ERROR(parse("{'descr': '<f4', 'descr': '<f4'}"), "x: has the key 'descr' twice in the "
                                                          "header");
  EXPECT_ERROR(parse("{'descr': '<f4', 'shape': (2,)}"),
               "x: has no key 'fortran_order' in the header");
  EXPECT_ERROR(parse("{'fortran_order': 0}"),
               "x: expects True or False in the header but got '0' at its byte 18");
  EXPECT_ERROR(parse("{'shape': 2}"), "x: expects '(' in the header but got '2' at its byte 10");
  EXPECT_ERROR(parse("{'shape': (2)}"), "x: expects ',' in the header but got ')' at its byte 12");
  EXPECT_ERROR(parse("{'shape': (2, 3 4)}"),
               "x: expects ',' or ')' in the header but got '4' at its byte 16");
  EXPECT_ERROR(parse("{'shape': (-2,)}"),
               "x: expects an extent of the shape in the header but got '-' at its byte 11");
  EXPECT_ERROR(parse("{'shape': (9223372036854775808,)}"),
               "x: has a shape with an extent above 2^63 - 1");
  std::string ones;
  for (int i = 0; i < 65; ++i)
    ones += "1,";
  EXPECT_ERROR(parse("{'shape': (" + ones + ")}"), "x: expects at most 64 dimensions but got more");
  EXPECT_ERROR(parse(good + "x"),
               "x: expects nothing after '}' in the header but got 'x' at its byte 57");
  EXPECT_ERROR(parse(good + "\x01"),
               "x: expects nothing after '}' in the header but got byte 1 at its byte 57");
}

TEST(Npy, TypeErrors) {
  const std::string data(8, '\0');
  EXPECT_ERROR(parseNpy(simple(">f4", "(2,)", data), "x"),
               "x: expects little-endian elements but got '>f4'; save it with "
               "array.astype(array.dtype.newbyteorder('<'))");
  EXPECT_ERROR(parseNpy(simple("|O", "(1,)", data), "x"),
               "x: expects numbers but got pickled Python objects ('|O'); save it with "
               "array.astype(numpy.float32) or another number type");
  for (const char *descr : {"<c8", "<U4", "<M8[ns]", "<f3", "f4", "", "<"})
    EXPECT_ERROR(parseNpy(simple(descr, "(2,)", data), "x"),
                 "x: expects elements of type f2, f4, f8, b1, i1, i2, i4, i8, u1, u2, u4, u8 or V2 "
                 "(bf16) but got '" +
                     std::string(descr) + "'; convert it with array.astype");
  EXPECT_ERROR(
      parseNpy(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", data), "x"),
      "x: expects numbers but got an array of records; save its fields as arrays of their "
      "own");
  EXPECT_ERROR(parseNpy(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2)}", data), "x"),
               "x: expects elements in C order but got Fortran order; save it with "
               "numpy.ascontiguousarray(array)");
  EXPECT_ERROR(parseNpy(simple("|b1", "(2,)", "\1\2"), "x"),
               "x: expects booleans of 0 and 1 but got 2 at element 1");
}

TEST(Npy, SizeErrors) {
  EXPECT_ERROR(parseNpy(simple("<f4", "(2,)", "1234567"), "x"),
               "x: expects 8 bytes of elements for tensor<2xf32> but got 7; the file is cut off: "
               "save or copy it again");
  EXPECT_ERROR(parseNpy(simple("<f4", "(2,)", "123456789"), "x"),
               "x: expects 8 bytes of elements for tensor<2xf32> but got 9; something was appended "
               "to it: save it again");
  // No allocation of what the header only claims.
  EXPECT_ERROR(parseNpy(simple("<f8", "(1000000000000000000,)", ""), "x"),
               "x: expects 8000000000000000000 bytes of elements for "
               "tensor<1000000000000000000xf64> but got 0; the file is cut off: save or copy it "
               "again");
  EXPECT_ERROR(parseNpy(simple("<f8", "(4294967296, 4294967296)", ""), "x"),
               "x: tensor<4294967296x4294967296xf64> is larger than any memory");
}

/// An archive with the given members, as libzip writes it.
static std::string zip(const std::vector<std::pair<std::string, std::string>> &members,
                       zip_int32_t method = ZIP_CM_STORE, const char *password = nullptr) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npz");
  int code;
  zip_t *archive = zip_open(path.c_str(), ZIP_CREATE, &code);
  for (const auto &[name, bytes] : members) {
    zip_source_t *source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    auto index = static_cast<zip_uint64_t>(zip_file_add(archive, name.c_str(), source, 0));
    zip_set_file_compression(archive, index, method, 0);
    if (password)
      zip_file_set_encryption(archive, index, ZIP_EM_AES_256, password);
  }
  EXPECT_EQ(zip_close(archive), 0);
  return readText(path);
}

/// Overwrites a little-endian field in the n-th entry of the archive's directory.
static std::string patched(std::string bytes, int entry, size_t offset, uint64_t value, int width) {
  size_t position = bytes.find("PK\1\2");
  for (int i = 0; i < entry; ++i)
    position = bytes.find("PK\1\2", position + 4);
  for (int i = 0; i < width; ++i)
    bytes[position + offset + static_cast<size_t>(i)] = static_cast<char>(value >> (8 * i));
  return bytes;
}

// Offsets in an entry of the directory.
static constexpr size_t methodField = 10, crcField = 16, compressedField = 20, sizeField = 24;

TEST(Npz, WritesAndReads) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npz");
  std::vector<NamedTensor> arrays;
  arrays.push_back({"image", makeTensor(ElementType::F32, {2, 2}, {1, 2, 3, 4})});
  arrays.push_back({"a/b", makeTensor(ElementType::BF16, {}, {5})});
  ASSERT_OK(writeNpz(path, arrays));
  std::string bytes = readText(path);
  Result<std::vector<NamedTensor>> read = readArrays(path);
  ASSERT_OK(read);
  ASSERT_EQ(read->size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ((*read)[i].name, arrays[i].name);
    EXPECT_TRUE((*read)[i].value.bitsEqual(arrays[i].value));
  }
  // The same arrays give the same bytes, at any time.
  ASSERT_OK(writeNpz(path, arrays));
  EXPECT_EQ(readText(path), bytes);
}

TEST(Npz, EmptyArchive) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npz");
  ASSERT_OK(writeNpz(path, std::vector<NamedTensor>()));
  Result<std::vector<NamedTensor>> read = readArrays(path);
  ASSERT_OK(read);
  EXPECT_TRUE(read->empty());
}

TEST(Npz, ReadsDeflated) {
  Tensor zeros(ElementType::F32, {1000, 100});
  Result<std::vector<NamedTensor>> read =
      parseNpz(zip({{"z.npy", serializeNpy(zeros)}}, ZIP_CM_DEFLATE), "x.npz");
  ASSERT_OK(read);
  EXPECT_EQ((*read)[0].name, "z");
  EXPECT_TRUE((*read)[0].value.bitsEqual(zeros));
}

TEST(Npz, SingleArraysAreNamedAfterTheFile) {
  TemporaryFolder folder;
  std::string path = folder.file("label.npy");
  writeText(path, serializeNpy(makeTensor(ElementType::I64, {2}, {3, 4})));
  Result<std::vector<NamedTensor>> read = readArrays(path);
  ASSERT_OK(read);
  EXPECT_EQ((*read)[0].name, "label");
  EXPECT_EQ((*read)[0].value.toDouble(1), 4);
}

TEST(Npz, Errors) {
  const std::string array = serializeNpy(makeTensor(ElementType::F32, {2}, {1, 2}));
  const std::string good = zip({{"a.npy", array}, {"b.npy", array}});
  ASSERT_OK(parseNpz(good, "x"));
  EXPECT_ERROR(parseNpz(zip({{"a.txt", array}}), "x"),
               "x: expects arrays, with names in .npy, but got the member 'a.txt'");
  EXPECT_ERROR(parseNpz(zip({{".npy", array}}), "x"),
               "x: expects arrays, with names in .npy, but got the member '.npy'");
  EXPECT_ERROR(parseNpz(zip({{"a.npy", "text"}}), "x"),
               "x: array 'a' expects the first bytes of a .npy array but got something else");
  EXPECT_ERROR(parseNpz(zip({{"a.npy", array.substr(0, 30)}}), "x"),
               "x: array 'a' is cut off in the header");
  EXPECT_ERROR(parseNpz(zip({{"a.npy", array.substr(0, array.size() - 1)}}), "x"),
               "x: array 'a' expects 8 bytes of elements for tensor<2xf32> but got 7; the file is "
               "cut off: save or copy it again");
  EXPECT_ERROR(parseNpz(zip({{"a.npy", simple("|b1", "(1,)", "\3")}}), "x"),
               "x: array 'a' expects booleans of 0 and 1 but got 3 at element 0");
  // Both names start one byte after the sizes' fields; 'b' becomes 'a'.
  std::string twice = good;
  twice[twice.rfind("b.npy")] = 'a';
  twice[twice.find("b.npy")] = 'a';
  EXPECT_ERROR(parseNpz(twice, "x"),
               "x: array 'a' is there twice; save every array under a name of its own");
  EXPECT_ERROR(parseNpz(zip({{"a.npy", array}}, ZIP_CM_STORE, "secret"), "x"),
               "x: array 'a' is encrypted; save it without a password");
  EXPECT_ERROR(parseNpz(patched(good, 0, methodField, 12, 2), "x"),
               "x: array 'a' expects compression method 0 (stored) or 8 (deflated) but got 12; "
               "save it with numpy.savez or numpy.savez_compressed");
}

TEST(Npz, BombsAreNotUnpacked) {
  const std::string array = serializeNpy(Tensor(ElementType::F32, {1000}));
  const std::string stored = zip({{"a.npy", array}, {"b.npy", array}});
  const std::string deflated = zip({{"a.npy", array}}, ZIP_CM_DEFLATE);
  ASSERT_OK(parseNpz(deflated, "x"));
  EXPECT_ERROR(parseNpz(patched(stored, 0, sizeField, 4000000000u, 4), "x"),
               "x: array 'a' claims to hold 4000000000 bytes in 4128 stored bytes, which is not "
               "possible");
  uint64_t compressed = 0;
  std::memcpy(&compressed, deflated.data() + deflated.find("PK\1\2") + compressedField, 4);
  EXPECT_ERROR(parseNpz(patched(deflated, 0, sizeField, 4000000000u, 4), "x"),
               "x: array 'a' claims to hold 4000000000 bytes in " + std::to_string(compressed) +
                   " deflated bytes, which is not possible");
  // The second entry claims what the first one has taken.
  std::string overlapping = patched(stored, 1, compressedField, stored.size() - 1000, 4);
  overlapping = patched(overlapping, 1, sizeField, stored.size() - 1000, 4);
  Result<std::vector<NamedTensor>> read = parseNpz(overlapping, "x");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.message(), "x: array 'b' claims more bytes than the archive has");
}

TEST(Npz, DamageIsFound) {
  const std::string array = serializeNpy(makeTensor(ElementType::F32, {2}, {1, 2}));
  std::string bytes = zip({{"a.npy", array}});
  bytes = patched(bytes, 0, crcField, 12345, 4);
  Result<std::vector<NamedTensor>> read = parseNpz(bytes, "x");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.message().rfind("x: array 'a' cannot be unpacked: ", 0), 0u) << read.message();
}

TEST(Npz, OtherFilesAreErrors) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npz");
  writeText(path, "PK");
  Result<std::vector<NamedTensor>> read = readArrays(path);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.message().rfind(path + ": expects a .npz archive, as numpy.savez writes it, but "
                                        "cannot read it: ",
                                 0),
            0u)
      << read.message();
  EXPECT_ERROR(parseNpz("", "x"),
               "x: expects a .npz archive, as numpy.savez writes it, but got no bytes");
  writeText(path, "hello");
  EXPECT_ERROR(readArrays(path),
               path + ": expects a .npz archive or a .npy array, as numpy.savez and numpy.save "
                      "write them, but got something else");
  std::vector<NamedTensor> twins;
  twins.push_back({"a", Tensor()});
  twins.push_back({"a", Tensor()});
  EXPECT_ERROR(writeNpz(path, twins), path + ": array 'a' is there twice");
  twins[0].name = "\xff";
  EXPECT_ERROR(writeNpz(path, twins),
               path + ": array '\xff.npy' cannot be added: Invalid argument");
}

/// Reads every prefix of the bytes and every version with one byte flipped. Nothing may crash; a
/// prefix is never a whole file.
template <typename Parse> static void mutate(const std::string &bytes, Parse parse) {
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(parse(bytes.substr(0, size)).ok()) << "the first " << size << " bytes";
  for (size_t position = 0; position < bytes.size(); ++position)
    for (int bit : {0x01, 0x10, 0x80, 0xff}) {
      std::string flipped = bytes;
      flipped[position] = static_cast<char>(flipped[position] ^ bit);
      (void)parse(flipped).ok();
    }
}

TEST(Npy, DamagedFilesNeverCrash) {
  mutate(serializeNpy(makeTensor(ElementType::F32, {2, 3}, {1, 2, 3, 4, 5, 6})),
         [](const std::string &bytes) { return parseNpy(bytes, "x"); });
}

TEST(Npz, DamagedFilesNeverCrash) {
  const std::string array = serializeNpy(makeTensor(ElementType::F32, {3}, {1, 2, 3}));
  for (zip_int32_t method : {ZIP_CM_STORE, ZIP_CM_DEFLATE})
    mutate(zip({{"a.npy", array}, {"b.npy", array}}, method),
           [](const std::string &bytes) { return parseNpz(bytes, "x"); });
}
