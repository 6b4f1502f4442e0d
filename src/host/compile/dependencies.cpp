#include "host/compile/dependencies.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace gpuarr::host {
namespace {

namespace fs = std::filesystem;

// A file of this place, however the path to it winds.
bool is_in(const std::string& path, const std::string& place) {
  return !place.empty() && path.size() > place.size() && path.starts_with(place) &&
         path[place.size()] == '/';
}

// /opt/gcc of /opt/gcc/bin/g++
std::string prefix_of(const std::string& compiler) {
  std::error_code error;
  const fs::path real = fs::canonical(compiler, error);
  const std::string out = error ? "" : real.parent_path().parent_path().string();
  return out == "/" ? "" : out;
}

}  // namespace

std::vector<std::string> parse_dependencies(std::string_view rule) {
  std::vector<std::string> out;
  rule.remove_prefix(std::min(rule.find(": "), rule.size()));
  rule.remove_prefix(std::min<size_t>(2, rule.size()));
  std::string name;
  const auto end_name = [&] {
    if (!name.empty()) out.push_back(std::move(name));
    name.clear();
  };
  for (size_t k = 0; k < rule.size(); ++k) {
    const char c = rule[k];
    const char next = k + 1 < rule.size() ? rule[k + 1] : '\0';
    if (c == '\\' && next == '\n') {
      end_name();
      ++k;
    } else if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$')) {
      name += next;
      ++k;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      end_name();
    } else {
      name += c;
    }
  }
  end_name();
  return out;
}

std::vector<std::string> files_of_user(const std::vector<std::string>& read,
                                       const std::string& compiler, const std::string& scratch) {
  const std::string prefix = prefix_of(compiler);
  std::vector<std::string> out;
  for (const std::string& file : read) {
    const std::string path = fs::path(file).lexically_normal().string();
    if (path != "-" && path != "<stdin>" && !is_in(path, "/usr") && !is_in(path, prefix) &&
        !is_in(path, scratch))
      out.push_back(path);
  }
  return out;
}

}  // namespace gpuarr::host
