//===- Policy.h - a user's choice of precision classes --------------------===//
#ifndef AMP_PRECISION_POLICY_H
#define AMP_PRECISION_POLICY_H

#include "amp/Precision/PrecisionOpInterface.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace amp {

/// What a policy file says: which op has which class, in place of the class that the op's interface
/// or the table of its dialect gives it.
///
/// ```json
/// {"version": 1, "classes": {"train.softmax": "deny"}, "tables": ["train"]}
/// ```
///
/// Every key may be left out. `tables` lists the built-in tables in use, all by default; with none
/// of them an op that the policy does not name is of class *keep*.
class Policy {
public:
  /// No choices: as the file `{}`.
  Policy() = default;

  /// Reads the text of a policy. `name` is the file's name in errors, which look like
  /// "name:3:14: unknown class 'alow'; did you mean 'allow'?". `knownOps` are the ops that have a
  /// class to change.
  static llvm::Expected<Policy> parse(llvm::StringRef text, llvm::StringRef name,
                                      llvm::ArrayRef<llvm::StringRef> knownOps);

  /// The same for a file, whose absence is an error too.
  static llvm::Expected<Policy> load(llvm::StringRef path,
                                     llvm::ArrayRef<llvm::StringRef> knownOps);

  /// The class that the policy gives to ops of the name; none if it does not mention it.
  std::optional<PrecisionClass> lookup(llvm::StringRef op) const;

  /// Whether ops of the dialect that the policy does not mention have the classes of its built-in
  /// table: "train", "stablehlo", ...
  bool usesTable(llvm::StringRef dialect) const { return !tables || tables->contains(dialect); }

  /// Whether no op has a class: nothing may change.
  bool isEmpty() const { return tables && tables->empty() && classes.empty(); }

private:
  llvm::StringMap<PrecisionClass> classes;
  /// The built-in tables in use; all if the policy does not say.
  std::optional<llvm::StringSet<>> tables;
};

/// The names of the ops that have a precision class, sorted: those in `context` with the interface,
/// and those of the tables.
llvm::SmallVector<llvm::StringRef> getOpsWithPrecision(mlir::MLIRContext *context);

/// "; did you mean 'x'?" with the nearest of `known`, or the list of them if none is near.
std::string suggestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> known);

} // namespace amp

#endif // AMP_PRECISION_POLICY_H
