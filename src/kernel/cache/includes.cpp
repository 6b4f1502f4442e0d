#include "kernel/cache/includes.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>

#include "core/tokens.hpp"
#include "kernel/cache/files.hpp"

namespace gpuarr {
namespace {

constexpr int64_t largest_total = int64_t{64} << 20;  // bytes; past them the scan gives up

struct Name {
  std::string path;
  bool quoted = false;  // "x.h", which may lie beside the file that includes it
};

constexpr auto including =
    std::to_array<std::string_view>({"include", "include_next", "import", "embed"});
constexpr auto other_directives = std::to_array<std::string_view>(
    {"define", "undef", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif",
     "line", "error", "warning", "pragma", "ident", "sccs", "assert", "unassert"});

// As compilers see it first: with continued lines as one, and without the other spellings of # and
// of the backslash.
std::string spliced(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t plain = std::min(text.find_first_of("\\?%"), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    const bool trigraph = text.starts_with(
        "?"
        "?/");
    const size_t slash = trigraph ? 3 : text.starts_with('\\') ? 1 : 0;
    const size_t end = slash == 0 ? 0 : text.find_first_not_of(" \t\r", slash);
    if (slash != 0 && end != std::string_view::npos && text[end] == '\n') {
      text.remove_prefix(end + 1);
    } else if (text.starts_with("%:") || text.starts_with("?"
                                                          "?=")) {
      out += '#';
      text.remove_prefix(text[0] == '%' ? 2 : 3);
    } else if (!text.empty()) {
      out += text[0];
      text.remove_prefix(1);
    }
  }
  return out;
}

// Reads directives where a compiler might see one; a comment or a string that looks like one only
// makes a file part of the key that need not be.
class IncludeScanner {
 public:
  IncludeScanner(std::string_view text, std::string_view begin)
      : text_(text), begin_(begin), directive_(begin == "#") {}

  /// The next file that is named; nothing at the end, or behind what is computed().
  std::optional<Name> next() {
    while (!computed_ && (at_ = text_.find(begin_, at_)) != std::string_view::npos) {
      bool misplaced = directive_ && !begins_line();
      at_ += begin_.size();
      skip_blanks();
      if (misplaced || (directive_ && !names_file())) continue;
      if (!directive_ && !skip("(")) continue;  // it asks whether there is such a thing
      skip_blanks();
      if (auto name = bracketed()) return name;
      computed_ = true;
    }
    return std::nullopt;
  }

  bool computed() const { return computed_; }  // #include MACRO

 private:
  bool skip(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  // Whether the directive is one that brings a file in. One that is unknown may be.
  bool names_file() {
    const size_t begin = at_;
    while (at_ < text_.size() && ((text_[at_] >= 'a' && text_[at_] <= 'z') || text_[at_] == '_'))
      ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    skip_blanks();
    if (is_one_of(word, including)) return true;
    computed_ |= !word.empty() && !is_one_of(word, other_directives);
    computed_ |= word == "pragma" && text_.substr(at_).starts_with("GCC pch_preprocess");
    return false;
  }

  bool begins_line() const {
    size_t before = text_.find_last_not_of(" \t", at_ - 1);  // a comment may stand there, too
    return at_ == 0 || before == std::string_view::npos || text_[before] == '\n' ||
           text_.substr(0, before + 1).ends_with("*/");
  }

  // Blanks and comments, as they may stand inside a directive.
  void skip_blanks() {
    while (at_ < text_.size()) {
      std::string_view rest = text_.substr(at_);
      if (rest[0] == ' ' || rest[0] == '\t')
        ++at_;
      else if (rest.starts_with("/*"))
        at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      else
        return;
    }
  }

  std::optional<Name> bracketed() {
    if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '<')) return std::nullopt;
    bool quoted = text_[at_] == '"';
    size_t end = text_.find(quoted ? '"' : '>', at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    Name name{std::string(text_.substr(at_ + 1, end - at_ - 1)), quoted};
    at_ = end;
    return name;
  }

  std::string_view text_, begin_;
  bool directive_;
  size_t at_ = 0;
  bool computed_ = false;
};

// What the user's options say about includes.
struct Options {
  std::vector<std::string> directories;
  std::vector<std::string> files;  // included before the text
  bool understood = true;
};

enum class OptionKind { other, directory, file, opaque };

struct OptionRow {
  std::string_view name;  // how the option begins; the first row that fits holds
  OptionKind kind;
};

constexpr OptionRow option_table[] = {
    {"--include-path", OptionKind::directory},
    {"-include-path", OptionKind::directory},
    {"--pre-include", OptionKind::file},
    {"-pre-include", OptionKind::file},
    {"-include", OptionKind::file},
    {"-imacros", OptionKind::file},
    {"-isystem", OptionKind::directory},
    {"-iquote", OptionKind::directory},
    {"-idirafter", OptionKind::directory},
    {"-I", OptionKind::directory},
    {"@", OptionKind::opaque},
    {"--options-file", OptionKind::opaque},
    {"-optf", OptionKind::opaque},
    {"-Wp,", OptionKind::opaque},
    {"-Xpreprocessor", OptionKind::opaque},
    {"-Wa,", OptionKind::opaque},
    {"-Wl,", OptionKind::opaque},
    {"-Xassembler", OptionKind::opaque},
    {"-Xlinker", OptionKind::opaque},
    {"-Xclang", OptionKind::opaque},
    {"-lineinfo", OptionKind::other},
    {"-l", OptionKind::opaque},
    {"-L", OptionKind::opaque},
    {"-T", OptionKind::opaque},
    {"-B", OptionKind::opaque},
    {"-specs", OptionKind::opaque},
    {"--specs", OptionKind::opaque},
    {"-fplugin", OptionKind::opaque},
    {"-fpass-plugin", OptionKind::opaque},
    {"-fprofile-use", OptionKind::opaque},
    {"-fauto-profile", OptionKind::opaque},
    {"--sysroot", OptionKind::opaque},
    {"-isysroot", OptionKind::opaque},
    {"--use-pch", OptionKind::opaque},
    {"-use-pch", OptionKind::opaque},
};

OptionRow row_of(std::string_view option) {
  for (const OptionRow& row : option_table)
    if (option.starts_with(row.name)) return row;
  return {option, OptionKind::other};
}

bool takes_value(const std::vector<std::string>& options, size_t at) {
  return at > 0 && (options[at - 1] == "-D" || options[at - 1] == "-U" ||
                    options[at - 1] == "--param" || options[at - 1].starts_with("--"));
}

// Values stand together with the name or after it: -Ix, -I x, --include-path=x.
Options read_options(const std::vector<std::string>& options) {
  Options result;
  for (size_t i = 0; i < options.size(); ++i) {
    OptionRow row = row_of(options[i]);
    // What is no option may be a file to link, if it is not the value of the one before.
    if (row.kind == OptionKind::opaque ||
        (!options[i].starts_with('-') && !takes_value(options, i)))
      result.understood = false;
    if (row.kind != OptionKind::directory && row.kind != OptionKind::file) continue;
    std::string_view value = std::string_view(options[i]).substr(row.name.size());
    if (value.starts_with('=')) value.remove_prefix(1);
    if (value.empty() && i + 1 < options.size()) value = options[++i];
    (row.kind == OptionKind::file ? result.files : result.directories).emplace_back(value);
  }
  return result;
}

class Collector {
 public:
  explicit Collector(const std::vector<std::string>& options) : options_(read_options(options)) {
    result_.complete = options_.understood;
  }

  /// `directory` is where the text's own file lies.
  IncludedFiles collect(const std::string& text, const std::string& directory) {
    for (const std::string& file : options_.files) add({file, true}, ".");
    if (directory != ".") options_.directories.push_back(directory);
    scan(text, directory);
    for (size_t i = 0; i < result_.files.size() && result_.complete; ++i) {
      std::string path = result_.files[i].path;
      std::string content = result_.files[i].content;  // the list grows meanwhile
      size_t slash = path.rfind('/');
      scan(content, path.substr(0, slash == std::string::npos ? 0 : slash));
    }
    return std::move(result_);
  }

 private:
  void scan(std::string_view given, const std::string& directory) {
    const std::string text = spliced(given);
    for (std::string_view begin : {"#", "__has_include", "__has_embed"}) {
      IncludeScanner scanner(text, begin);
      while (auto name = scanner.next()) add(*name, directory);
      if (scanner.computed()) result_.complete = false;
    }
  }

  // Every place where the file is, not the first alone: compilers differ in where they look.
  void add(const Name& name, const std::string& directory) {
    if (name.path.starts_with('/')) return add_file(name.path);
    if (name.quoted) add_file(directory + '/' + name.path);
    for (const std::string& along : options_.directories) add_file(along + '/' + name.path);
  }

  // What is no file is not opened: a device or a pipe may do something then.
  void add_file(const std::string& path) {
    struct stat facts {};
    if (!result_.complete || ::stat(path.c_str(), &facts) != 0 || S_ISDIR(facts.st_mode)) return;
    if (!seen_.insert(spelling(path)).second) return;
    if (!S_ISREG(facts.st_mode) || facts.st_size > largest_total - total_) {
      result_.complete = false;
      return;
    }
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file) return;
    total_ += facts.st_size;
    result_.files.push_back({path, read_bytes(file.get(), static_cast<uint64_t>(facts.st_size))});
  }

  // One for each file and place that it is included from by a link, however the path winds.
  static std::string spelling(const std::filesystem::path& path) {
    std::error_code ignored;
    return (std::filesystem::canonical(path.parent_path(), ignored) / path.filename()).string();
  }

  Options options_;
  IncludedFiles result_;
  std::set<std::string> seen_;
  int64_t total_ = 0;
};

}  // namespace

IncludedFiles included_files(const Source& source) {
  return Collector(source.options).collect(source.text, ".");
}

IncludedFiles included_files(const RawSource& source) {
  const std::string& beside = source.directory;
  return Collector(source.options).collect(source.text, beside.empty() ? "." : beside);
}

}  // namespace gpuarr
