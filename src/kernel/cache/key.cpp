#include "kernel/cache/key.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "gpuarr/base.h"
#include "kernel/cache/entry.hpp"
#include "kernel/cache/includes.hpp"

namespace gpuarr {
namespace {

// With its length, so that no two lists of fields make the same text.
void append(std::string& key, const char* name, std::string_view value) {
  key += name;
  key += ' ';
  key += std::to_string(value.size());
  key += '\n';
  key += value;
  key += '\n';
}

void append(CacheKey& key, Device& device, const Source& source, const IncludedFiles& included) {
  key.complete = included.complete;
  key.text.reserve(source.text.size() + 1024);
  append(key.text, "format", std::to_string(cache_format));
  append(key.text, "library", gpuarr_version());
  append(key.text, "compiler", device.compile_identity());
  append(key.text, "kernel", source.name);
  for (const std::string& option : source.options) append(key.text, "option", option);
  for (const IncludedFile& file : included.files) {
    append(key.text, "path", file.path);
    append(key.text, "content", file.content);
    key.files.push_back(file.path);
  }
  append(key.text, "text", source.text);
}

}  // namespace

CacheKey cache_key(Device& device, const Source& source) {
  CacheKey key;
  append(key, device, source, included_files(source));
  key.digest = digest(key.text);
  return key;
}

CacheKey cache_key(Device& device, const RawSource& source) {
  CacheKey key;
  append(key, device, source, included_files(source));
  append(key.text, "file", source.file);
  append(key.text, "directory", source.directory);
  append(key.text, "checks", std::to_string(source.checks));
  for (const std::string& instance : source.instances) append(key.text, "instance", instance);
  append(key.text, "prelude", source.prelude);
  for (const SourceHeader& header : source.headers) {
    append(key.text, "header", header.name);
    append(key.text, "content", header.text);
  }
  key.digest = digest(key.text);
  return key;
}

bool CacheKey::has(const std::vector<std::string>& reads) const {
  const auto same = [](const std::string& a, const std::string& b) {
    std::error_code ignored;
    return a == b || std::filesystem::equivalent(a, b, ignored);
  };
  return std::ranges::all_of(reads, [&](const std::string& read) {
    return std::ranges::any_of(files, [&](const std::string& known) { return same(read, known); });
  });
}

void add_to_key(CacheKey& key, const char* name, const std::string& value) {
  append(key.text, name, value);
  key.digest = digest(key.text);
}

}  // namespace gpuarr
