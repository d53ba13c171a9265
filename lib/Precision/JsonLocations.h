//===- JsonLocations.h - where the members of a JSON text stand -----------===//
#ifndef AMP_LIB_PRECISION_JSONLOCATIONS_H
#define AMP_LIB_PRECISION_JSONLOCATIONS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace amp {

/// Offset of the first bracket of `text` that opens more than `limit` levels, if there is one.
/// Needs no valid JSON: parsers recurse, so this is asked before they run.
std::optional<size_t> findTooDeep(llvm::StringRef text, unsigned limit);

/// "3:14", both from 1.
std::string formatPlace(llvm::StringRef text, size_t offset);

/// Line and column of every member of a JSON text, which `llvm::json::Value` does not keep. The
/// path of a member is its keys and indices, each with a slash before it: "/classes/train.softmax".
class JsonLocations {
public:
  struct Member {
    size_t key = 0;   ///< Offset of the key; of the value for an element of an array.
    size_t value = 0; ///< Offset of the value.
  };

  /// `text` must be valid JSON.
  explicit JsonLocations(llvm::StringRef text);

  /// "3:14", both from 1, for a member's key or value.
  std::string formatKey(llvm::StringRef path) const { return format(members.lookup(path).key); }
  std::string formatValue(llvm::StringRef path) const { return format(members.lookup(path).value); }

  /// The place and path of the first key that its object holds already, if there is one.
  std::optional<std::pair<std::string, std::string>> getDuplicate() const;

private:
  std::string format(size_t offset) const { return formatPlace(text, offset); }
  void skipSpace();
  std::string scanString();
  void scanValue(const std::string &path, Member place);
  void scanObject(const std::string &path);
  void scanArray(const std::string &path);

  llvm::StringRef text;
  size_t position = 0;
  llvm::StringMap<Member> members;
  std::optional<std::pair<size_t, std::string>> duplicate;
};

} // namespace amp

#endif // AMP_LIB_PRECISION_JSONLOCATIONS_H
