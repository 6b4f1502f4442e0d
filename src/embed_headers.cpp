// Writes headers, and all that they include, into one file that the library carries.
//
// embed_headers OUTPUT ROOT NAME...: the names are relative to ROOT, and so are those of the file:
// a name and a text for each header, each with a NUL behind it. In front stands a digest of the
// whole. Comments and blanks that mean nothing are left out; lines keep their numbers, which CCCL
// makes names of.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

// cuda/ptx is a list of instructions that CUB uses a few of; the rest is as long as all of CUB.
constexpr std::string_view instructions = "cuda/__ptx/instructions/";
constexpr auto used_instructions = std::to_array<std::string_view>(
    {"get_sreg.h", "bfind.h", "bmsk.h", "prmt.h", "shl.h", "shr.h"});
constexpr auto folders = std::to_array<std::string_view>({"cub/", "cuda/", "nv/", "thrust/"});

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Copies C++ text without its comments and the blanks that lines begin and end with.
class Squeezer {
 public:
  explicit Squeezer(std::string_view text) : text_(text) {}

  std::string squeeze() {
    while (at_ < text_.size()) step();
    end_line();
    return std::move(out_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (text_.substr(at_, 2) == "//") {
      skip_line_comment();
    } else if (text_.substr(at_, 2) == "/*") {
      skip_comment();
    } else if (c == '"' && is_raw()) {
      copy_raw();
    } else if (c == '"' || (c == '\'' && !in_number())) {
      copy_literal(c);
    } else if (c == '\n') {
      end_line();
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      blank();
      ++at_;
    } else {
      out_ += c;
      ++at_;
    }
  }

  bool at_line_start() const { return out_.empty() || out_.back() == '\n'; }

  void blank() {
    if (!at_line_start() && out_.back() != ' ') out_ += ' ';
  }

  // With the lines that comments before it took.
  void end_line() {
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    out_.append(1 + std::exchange(owed_, 0), '\n');
  }

  void skip_comment() {
    const size_t end = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
    owed_ += static_cast<size_t>(std::count(&text_[at_], &text_[end - 1], '\n'));
    at_ = end;
    blank();
  }

  void skip_line_comment() {
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_)
      if (text_.substr(at_, 2) == "\\\n") ++owed_, ++at_;
  }

  bool is_raw() const { return at_ > 0 && text_[at_ - 1] == 'R'; }

  bool in_number() const {
    size_t begin = at_;
    while (begin > 0 && (is_word(text_[begin - 1]) || text_[begin - 1] == '\'')) --begin;
    return begin < at_ && std::isdigit(static_cast<unsigned char>(text_[begin])) != 0;
  }

  void copy_raw() {
    const size_t open = text_.find('(', at_);
    const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    copy_to(text_.find(end, open) + end.size());
  }

  // A quote that nothing answers in its line is a part of an #error's words.
  void copy_literal(char quote) {
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
      end += text_[end] == '\\' ? 2 : 1;
    const bool closed = end < text_.size() && text_[end] == quote;
    copy_to(closed ? end + 1 : at_ + 1);
  }

  void copy_to(size_t end) {
    out_ += text_.substr(at_, end - at_);
    at_ = end;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t owed_ = 0;  // lines
  std::string out_;
};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_left_out(std::string_view includer, std::string_view name) {
  if (includer != "cuda/ptx" || !name.starts_with(instructions)) return false;
  name.remove_prefix(instructions.size());
  for (std::string_view used : used_instructions)
    if (name == used) return false;
  return true;
}

class Headers {
 public:
  explicit Headers(fs::path root) : root_(std::move(root)) {}

  bool add(const std::string& name) {
    if (texts_.contains(name)) return true;
    if (!is_ours(name) || !fs::is_regular_file(root_ / name)) return false;
    texts_[name];  // for those that include themselves
    texts_[name] = with_included(name, Squeezer(read(root_ / name)).squeeze());
    return true;
  }

  const std::map<std::string, std::string>& texts() const { return texts_; }

 private:
  // The rest is the compiler's and the toolkit's, whose licence is another.
  static bool is_ours(std::string_view name) {
    for (std::string_view folder : folders)
      if (name.starts_with(folder)) return true;
    return false;
  }

  // All that may be included, whatever a condition says.
  std::string with_included(const std::string& includer, const std::string& text) {
    std::string result;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at) + 1;
      const std::string line = text.substr(at, end - at);
      at = end;
      const std::string name = included(line);
      const bool left_out = is_left_out(includer, name);
      if (!name.empty() && !left_out && !add(name))
        add((fs::path(includer).parent_path() / name).lexically_normal().string());
      result += left_out ? "\n" : line;
    }
    return result;
  }

  static std::string included(std::string_view line) {
    if (!line.starts_with('#')) return "";
    line.remove_prefix(line.starts_with("# ") ? 2 : 1);
    if (!line.starts_with("include")) return "";
    const size_t begin = line.find_first_of("<\"");
    const size_t end = line.find_first_of(">\"", begin + 1);
    if (begin == std::string_view::npos || end == std::string_view::npos) return "";
    return std::string(line.substr(begin + 1, end - begin - 1));
  }

  fs::path root_;
  std::map<std::string, std::string> texts_;
};

// FNV-1a, with which the library tells one toolkit's headers from another's.
std::string digest(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::array<char, 17> hex{};
  std::snprintf(hex.data(), hex.size(), "%016llx", static_cast<unsigned long long>(hash));
  return hex.data();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  if (arguments.size() < 3) return 2;
  Headers headers(arguments[2]);
  for (size_t k = 3; k < arguments.size(); ++k)
    if (!headers.add(arguments[k])) {
      std::fprintf(stderr, "%s has no %s\n", arguments[2].c_str(), arguments[k].c_str());
      return 1;
    }
  std::string blob;
  for (const auto& [name, text] : headers.texts())
    blob.append(name).append(1, '\0').append(text).append(1, '\0');
  std::ofstream file(arguments[1], std::ios::binary);
  file << digest(blob) << '\0' << blob;
  return file.flush() ? 0 : 1;
}
