//===- Checkpoint.cpp - what a checkpoint says besides the state -----------===//

#include "amp/Runtime/Checkpoint.h"
#include <charconv>

using namespace amp::runtime;

static constexpr const char *formatKey = "amp.checkpoint";
static constexpr const char *formatVersion = "1";

namespace {
template <typename T> struct Field {
  const char *key;
  T CheckpointInfo::*member;
};
} // namespace

static constexpr Field<uint64_t> numbers[] = {
    {"seed", &CheckpointInfo::seed},         {"epoch", &CheckpointInfo::epoch},
    {"position", &CheckpointInfo::position}, {"step", &CheckpointInfo::step},
    {"batch", &CheckpointInfo::batch},       {"samples", &CheckpointInfo::samples}};

static constexpr Field<std::string> texts[] = {{"task", &CheckpointInfo::task},
                                               {"amp", &CheckpointInfo::amp},
                                               {"options", &CheckpointInfo::options}};

Metadata amp::runtime::toMetadata(const CheckpointInfo &info) {
  Metadata metadata{{formatKey, formatVersion}};
  for (const auto &field : numbers)
    metadata[field.key] = std::to_string(info.*field.member);
  for (const auto &field : texts)
    metadata[field.key] = info.*field.member;
  return metadata;
}

Result<CheckpointInfo> amp::runtime::fromMetadata(const Metadata &metadata) {
  auto format = metadata.find(formatKey);
  if (format == metadata.end())
    return error("expects a checkpoint, with '" + std::string(formatKey) +
                 "' in its metadata, but got another safetensors file");
  if (format->second != formatVersion)
    return error("expects version " + std::string(formatVersion) + " of the checkpoint but got '" +
                 format->second + "'; load it with the version of the program that wrote it");
  CheckpointInfo info;
  for (const auto &field : numbers) {
    auto entry = metadata.find(field.key);
    const std::string text = entry == metadata.end() ? "" : entry->second;
    const char *end = text.data() + text.size();
    auto [parsed, failure] = std::from_chars(text.data(), end, info.*field.member);
    if (failure != std::errc() || parsed != end)
      return error("expects a number as '" + std::string(field.key) + "' in the metadata but got " +
                   (entry == metadata.end() ? "nothing" : "'" + text + "'"));
  }
  for (const auto &field : texts) {
    auto entry = metadata.find(field.key);
    if (entry == metadata.end())
      return error("expects '" + std::string(field.key) + "' in the metadata but got nothing");
    info.*field.member = entry->second;
  }
  return info;
}
