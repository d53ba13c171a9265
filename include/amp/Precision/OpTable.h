//===- OpTable.h - precision models of ops that have no interface ---------===//
//
// Dialects from outside are described by tables, one JSON file per dialect in lib/Precision/Tables,
// compiled in. An op is looked up by its name, so that an unregistered op has the same model as the
// registered one.
//
//===----------------------------------------------------------------------===//
#ifndef AMP_PRECISION_OPTABLE_H
#define AMP_PRECISION_OPTABLE_H

#include "amp/Precision/PrecisionOpInterface.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace amp {

/// What the regions of an op are to the assignment.
enum class BodyKind {
  None,
  Element, ///< scalar code of the op itself: retyped with it, never assigned on its own
  Flow,    ///< control flow, whose edges have one type each (P9)
  Opaque,  ///< unknown: ops inside are assigned, what the region takes and gives stays
};

/// The model of the ops of one name.
struct OpEntry {
  PrecisionClass precisionClass = PrecisionClass::Keep;
  OpKind kind = OpKind::Other;
  /// The operands that are numbers the op computes with; all operands of floats if there is none.
  std::optional<llvm::SmallVector<unsigned>> numbers;
  /// Whether the result leaves the op in f32 because no operand bounds it (P3).
  bool hasF32Result = false;
  /// What the op's regions are, if it has any.
  BodyKind body = BodyKind::Opaque;
  /// The attribute that holds the type in which the op accumulates.
  std::optional<std::string> accumulator;
  /// Why the op has its class, for remarks: "overflows f16 from 11.1 on".
  std::string why;
};

/// The models of one dialect.
class OpTable {
public:
  /// Reads the text of a table. Errors begin with `name` and say where in the text they are.
  static llvm::Expected<OpTable> parse(llvm::StringRef text, llvm::StringRef name);

  /// The table that is compiled in for a dialect; null if there is none.
  static const OpTable *get(llvm::StringRef dialect);
  /// The dialects with a table, sorted.
  static llvm::ArrayRef<llvm::StringRef> getDialects();

  llvm::StringRef getDialect() const { return dialect; }
  /// The ops that convert to a wider and to a narrower float type, as `arith.extf` and
  /// `arith.truncf`; in many dialects it is one op.
  llvm::StringRef getWideningOp() const { return wideningOp; }
  llvm::StringRef getNarrowingOp() const { return narrowingOp; }
  /// Null if the table does not list the op, whose full name is given.
  const OpEntry *lookup(llvm::StringRef op) const;
  /// The full names of all ops of the table, sorted.
  llvm::SmallVector<llvm::StringRef> getOps() const;

private:
  std::string dialect, wideningOp, narrowingOp;
  llvm::StringMap<OpEntry> entries;
};

/// The entry for an op's full name in the compiled-in tables; null if there is none.
const OpEntry *lookupOpEntry(llvm::StringRef op);

} // namespace amp

#endif // AMP_PRECISION_OPTABLE_H
