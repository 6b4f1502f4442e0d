#include "kernel/cache_key.hpp"

#include "gpuarr/base.h"
#include "kernel/cache_entry.hpp"
#include "kernel/includes.hpp"

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

}  // namespace

CacheKey cache_key(Device& device, const Source& source) {
  IncludedFiles included = included_files(source);
  CacheKey key;
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
  }
  append(key.text, "text", source.text);
  key.digest = digest(key.text);
  return key;
}

}  // namespace gpuarr
