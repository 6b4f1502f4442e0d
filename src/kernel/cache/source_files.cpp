#include "kernel/cache/source_files.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <string_view>

#include "backends.hpp"
#include "core/file.hpp"
#include "core/line_name.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"

namespace gpuarr {
namespace {

// Of this process, whose working directory may change; "" if none is set.
const std::string& directory() {
  static const auto* const found = [] {
    std::string path = setting("GPUARR_SOURCE_DIR").value_or("");
    std::error_code ignored;
    if (!path.empty()) path = std::filesystem::absolute(path, ignored).lexically_normal().string();
    return new std::string(std::move(path));
  }();
  return *found;
}

// The lines that would give others' names and numbers, as comments.
std::string with_its_own_lines(std::string_view text) {
  constexpr std::string_view directive = "#line ";
  std::string out;
  out.reserve(text.size() + 256);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);  // 0 if it is the last
    const std::string_view whole = line.empty() ? text : line;
    if (whole.starts_with(directive)) out += "// ";
    out += whole;
    text.remove_prefix(whole.size());
  }
  return out;
}

// What is there under that name has the same digest, and if it is whole, the same text.
bool is_there(const std::string& path, const std::string& text) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
         facts.st_size == static_cast<int64_t>(text.size());
}

void write(const std::string& path, const std::string& text) {
  if (is_there(path, text)) return;
  std::filesystem::create_directories(directory());
  about(path.c_str(), [&] {
    OutputFile file(path.c_str());
    file.write(text.data(), static_cast<int64_t>(text.size()));
    file.commit();
  });
}

// The file's path; "" if there is none.
std::string save(const Device& device, const std::string& name, const std::string& text,
                 CacheKey& key) {
  std::string path =
      formatted("{}/{}_{}.{}", directory(), name, key.file_name(), target_of(device).suffix);
  try {
    write(path, text);
  } catch (const std::exception& error) {
    log(Topic::compile, "{}: its source is not in $GPUARR_SOURCE_DIR: {}", name, error.what());
    warn(formatted(
        "a source cannot be written to $GPUARR_SOURCE_DIR, {}; GPUARR_LOG=compile says why",
        directory()));
    return "";
  }
  log(Topic::compile, "{}: its source is {}", name, path);
  add_to_key(key, "saved as", path);
  return path;
}

}  // namespace

std::optional<Source> as_file(const Device& device, const Source& source, CacheKey& key) {
  if (directory().empty()) return std::nullopt;
  Source saved = source;
  saved.text = with_its_own_lines(source.text);
  const std::string path = save(device, source.name, saved.text, key);
  if (path.empty()) return std::nullopt;
  saved.text = formatted("#line 1 {}\n{}", line_name(path), saved.text);
  return saved;
}

std::optional<RawSource> as_file(const Device& device, const RawSource& source, CacheKey& key) {
  if (directory().empty() || source.checks != 0) return std::nullopt;
  RawSource saved = source;
  saved.text = with_its_own_lines(source.text);
  saved.file = save(device, source.name, saved.text, key);
  if (saved.file.empty()) return std::nullopt;
  return saved;
}

}  // namespace gpuarr
