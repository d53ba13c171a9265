//===- ElementType.cpp - names and sizes of element types ------------------===//

#include "amp/Runtime/ElementType.h"

using namespace amp::runtime;

namespace {
struct ElementTypeInfo {
  std::string_view name;
  size_t bytes;
};
} // namespace

/// In the order of the enumeration.
static constexpr ElementTypeInfo infos[] = {
    {"f16", 2}, {"bf16", 2}, {"f32", 4}, {"f64", 8}, {"i1", 1},  {"i8", 1}, {"u8", 1},
    {"i16", 2}, {"u16", 2},  {"i32", 4}, {"u32", 4}, {"i64", 8}, {"u64", 8}};

size_t amp::runtime::byteSize(ElementType type) { return infos[static_cast<int>(type)].bytes; }

std::string_view amp::runtime::stringify(ElementType type) {
  return infos[static_cast<int>(type)].name;
}

std::optional<ElementType> amp::runtime::symbolizeElementType(std::string_view name) {
  if (name.substr(0, 2) == "ui" || name.substr(0, 2) == "si") {
    std::optional<ElementType> bare = symbolizeElementType(name.substr(1));
    // "si8" is i8, "ui8" is u8.
    if (name[0] == 's')
      return bare;
    for (ElementType type : allElementTypes)
      if (stringify(type)[0] == 'u' && stringify(type).substr(1) == name.substr(2))
        return type;
    return std::nullopt;
  }
  for (ElementType type : allElementTypes)
    if (stringify(type) == name)
      return type;
  return std::nullopt;
}

bool amp::runtime::isFloat(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16 || type == ElementType::F32 ||
         type == ElementType::F64;
}

bool amp::runtime::isHalf(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16;
}

bool amp::runtime::isInteger(ElementType type) { return !isFloat(type); }
