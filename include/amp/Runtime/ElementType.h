//===- ElementType.h - the types a tensor's elements can have --------------===//
#ifndef AMP_RUNTIME_ELEMENTTYPE_H
#define AMP_RUNTIME_ELEMENTTYPE_H

#include <cstddef>
#include <optional>
#include <string_view>

namespace amp::runtime {

/// I-types are signed where the sign matters; an I1 takes one byte, 0 or 1.
enum class ElementType { F16, BF16, F32, F64, I1, I8, U8, I16, U16, I32, U32, I64, U64 };

/// Every element type, in the order of the enumeration.
inline constexpr ElementType allElementTypes[] = {
    ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64, ElementType::I1,
    ElementType::I8,  ElementType::U8,   ElementType::I16, ElementType::U16, ElementType::I32,
    ElementType::U32, ElementType::I64,  ElementType::U64};

/// Bytes that one element takes in memory.
size_t byteSize(ElementType type);

/// "f32", "bf16", "i1", "u8", ...: the spelling of MLIR, except that unsigned types are u8, u16,
/// ...
std::string_view stringify(ElementType type);

/// The type with the given name, in our spelling or MLIR's ("ui8"); none if there is no such type.
std::optional<ElementType> symbolizeElementType(std::string_view name);

bool isFloat(ElementType type);
/// F16 or BF16.
bool isHalf(ElementType type);
bool isInteger(ElementType type);

} // namespace amp::runtime

#endif // AMP_RUNTIME_ELEMENTTYPE_H
