//===- JsonLocations.cpp - where the members of a JSON text stand ---------===//

#include "JsonLocations.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace amp;

std::optional<size_t> amp::findTooDeep(StringRef text, unsigned limit) {
  unsigned depth = 0;
  bool isInString = false;
  for (size_t offset = 0; offset < text.size(); ++offset) {
    char symbol = text[offset];
    if (symbol == '"')
      isInString = !isInString;
    else if (isInString)
      offset += symbol == '\\';
    else if ((symbol == '{' || symbol == '[') && ++depth > limit)
      return offset;
    else if ((symbol == '}' || symbol == ']') && depth != 0)
      --depth;
  }
  return std::nullopt;
}

JsonLocations::JsonLocations(StringRef text) : text(text) { scanValue("", Member()); }

std::string amp::formatPlace(StringRef text, size_t offset) {
  StringRef before = text.take_front(offset);
  size_t lineStart = before.rfind('\n');
  size_t column = lineStart == StringRef::npos ? offset : offset - lineStart - 1;
  return std::to_string(before.count('\n') + 1) + ":" + std::to_string(column + 1);
}

std::optional<std::pair<std::string, std::string>> JsonLocations::getDuplicate() const {
  if (!duplicate)
    return std::nullopt;
  return std::make_pair(format(duplicate->first), duplicate->second);
}

void JsonLocations::skipSpace() {
  while (position < text.size() && isSpace(text[position]))
    ++position;
}

/// Reads the string that starts here, with its escapes resolved.
std::string JsonLocations::scanString() {
  size_t start = position++;
  while (position < text.size() && text[position] != '"')
    position += text[position] == '\\' ? 2 : 1;
  ++position;
  Expected<json::Value> value = json::parse(text.slice(start, position));
  if (!value) {
    consumeError(value.takeError());
    return "";
  }
  return value->getAsString().value_or("").str();
}

void JsonLocations::scanValue(const std::string &path, Member place) {
  skipSpace();
  place.value = position;
  if (!members.try_emplace(path, place).second && !duplicate)
    duplicate = std::make_pair(place.key, path);
  if (position >= text.size())
    return;
  switch (text[position]) {
  case '{':
    return scanObject(path);
  case '[':
    return scanArray(path);
  case '"':
    scanString();
    return;
  default:
    position = std::min(text.find_first_of(",]} \t\r\n", position), text.size());
  }
}

void JsonLocations::scanObject(const std::string &path) {
  ++position;
  for (skipSpace(); position < text.size() && text[position] != '}'; skipSpace()) {
    if (text[position] == ',') {
      ++position;
      continue;
    }
    Member member;
    member.key = position;
    std::string key = scanString();
    skipSpace();
    ++position; // The colon.
    scanValue(path + "/" + key, member);
  }
  ++position;
}

void JsonLocations::scanArray(const std::string &path) {
  ++position;
  size_t index = 0;
  for (skipSpace(); position < text.size() && text[position] != ']'; skipSpace()) {
    if (text[position] == ',') {
      ++position;
      continue;
    }
    Member member;
    member.key = position;
    scanValue(path + "/" + std::to_string(index++), member);
  }
  ++position;
}
