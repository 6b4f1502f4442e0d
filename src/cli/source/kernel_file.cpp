#include "cli/source/kernel_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "cli/base/error.hpp"
#include "cli/base/text.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t most_nested = 64;
constexpr const char* blanks = " \t";

// Off the front of the line; false if it does not stand there.
bool take(std::string_view& line, std::string_view word) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  if (!line.starts_with(word)) return false;
  line.remove_prefix(word.size());
  return true;
}

// The name in `#include "name"`.
std::optional<std::string> included_name(std::string_view line) {
  if (!take(line, "#") || !take(line, "include") || !take(line, "\"")) return std::nullopt;
  const size_t end = line.find('"');
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(0, end));
}

bool is_pragma_once(std::string_view line) {
  return take(line, "#") && take(line, "pragma") && take(line, "once");
}

// Whether a comment that goes on in the next line is open behind this one.
bool leaves_comment_open(std::string_view line, bool open) {
  for (size_t k = 0; k < line.size(); ++k) {
    const std::string_view two = line.substr(k, 2);
    if (open ? two != "*/" : two != "/*") {
      if (!open && two == "//") return false;
      continue;
    }
    open = !open;
    ++k;
  }
  return open;
}

class Reader {
 public:
  explicit Reader(std::span<const std::string> folders) : folders_(folders) {}

  void read(const fs::path& path, const std::string& name) {
    if (nested_ == most_nested)
      throw Failure(in_quotes(path.string()) + " is included by itself, or more than " +
                    std::to_string(most_nested) + " deep");
    ++nested_;
    files.push_back(path.string());
    std::istringstream lines(read_text(path.string()));
    mark(1, name);
    bool in_comment = false;
    int number = 1;
    for (std::string line; std::getline(lines, line); ++number) {
      if (line.ends_with('\r')) line.pop_back();
      const auto wanted = in_comment ? std::nullopt : included_name(line);
      const auto found = wanted ? find(path.parent_path(), *wanted) : std::nullopt;
      in_comment = leaves_comment_open(line, in_comment);
      const bool is_once = nested_ > 1 && is_pragma_once(line);
      if (is_once) once_.insert(canonical(path));
      if (found && !once_.contains(canonical(*found))) {
        read(*found, *wanted);
        mark(number + 1, name);
      } else {
        text += (found || is_once ? "" : line) + '\n';
      }
    }
    --nested_;
  }

  std::string text;
  std::vector<std::string> files;

 private:
  static std::string canonical(const fs::path& path) {
    std::error_code error;
    return fs::canonical(path, error).string();
  }

  std::optional<fs::path> find(const fs::path& beside, const std::string& name) const {
    std::error_code error;
    if (fs::is_regular_file(beside / name, error)) return beside / name;
    for (const std::string& folder : folders_)
      if (fs::is_regular_file(fs::path(folder) / name, error)) return fs::path(folder) / name;
    return std::nullopt;
  }

  void mark(int line, const std::string& name) {
    text += "#line " + std::to_string(line) + " " + in_quotes(name) + "\n";
  }

  std::span<const std::string> folders_;
  std::set<std::string> once_;
  size_t nested_ = 0;
};

}  // namespace

std::string read_text(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  if (file) text.assign(std::istreambuf_iterator<char>(file), {});
  if (!file || errno != 0)
    throw Failure("cannot read " + in_quotes(path) + ": " + std::strerror(errno));
  return text;
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text).flush())
    throw Failure("cannot write " + in_quotes(path) + ": " + std::strerror(errno));
}

KernelFile read_kernel_file(const std::string& path, std::span<const std::string> folders) {
  const std::string name = fs::path(path).filename().string();
  Reader reader(folders);
  reader.read(path, name);
  if (reader.text.find('\0') != std::string::npos)
    throw Failure(in_quotes(path) + " has a byte of zero, so it is no text");
  return {name, std::move(reader.text), std::move(reader.files)};
}

}  // namespace cli
