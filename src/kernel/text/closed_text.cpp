#include "kernel/text/closed_text.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/env.hpp"
#include "core/error.hpp"
#include "core/settings.hpp"
#include "core/tokens.hpp"

namespace gpuarr {
namespace {

constexpr size_t most_closed_bytes = size_t{1} << 20;

constexpr auto directives = std::to_array<std::string_view>(
    {"define", "undef", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif",
     "line", "error", "warning", "pragma"});
constexpr auto pragmas = std::to_array<std::string_view>({"unroll", "nounroll", "once"});

// What reaches out of the text, or can be made into such a word where no scan sees it.
constexpr auto refused_words = std::to_array<std::string_view>(
    {"asm", "__asm", "__asm__", "_Pragma", "__pragma", "__has_include", "__has_include_next",
     "__has_embed", "import"});
constexpr auto raw_prefixes =
    std::to_array<std::string_view>({"R\"", "u8R\"", "uR\"", "UR\"", "LR\""});

// Alone, or before the value.
constexpr auto whole_options = std::to_array<std::string_view>({"-w",
                                                                "-O0",
                                                                "-O1",
                                                                "-O2",
                                                                "-O3",
                                                                "-std=c++11",
                                                                "-std=c++14",
                                                                "-std=c++17",
                                                                "-std=c++20",
                                                                "--std=c++11",
                                                                "--std=c++14",
                                                                "--std=c++17",
                                                                "--std=c++20",
                                                                "-use_fast_math",
                                                                "--use_fast_math",
                                                                "-lineinfo",
                                                                "--generate-line-info",
                                                                "-G",
                                                                "--device-debug",
                                                                "-ffast-math",
                                                                "-fno-fast-math"});
constexpr auto option_stems = std::to_array<std::string_view>(
    {"--ftz=", "-ftz=", "--fmad=", "-fmad=", "--prec-div=", "-prec-div=", "--prec-sqrt=",
     "-prec-sqrt=", "--maxrregcount=", "-maxrregcount=", "-ffp-contract="});

class ClosedText {
 public:
  ClosedText(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  void check() const {
    if (text_.size() > most_closed_bytes)
      refuse(1, formatted("{} bytes of text, more than {}", text_.size(), most_closed_bytes));
    check_characters();
    const std::string spliced = without_joints();
    check_tokens(spliced, 1);
  }

 private:
  [[noreturn]] void refuse(int line, const std::string& what) const {
    fail(GPUARR_ERR_UNSUPPORTED, "{}, line {}: {} is not allowed while $GPUARR_TEXT is closed",
         name_, line, what);
  }

  int line_of(size_t at) const {
    return 1 + static_cast<int>(std::ranges::count(text_.substr(0, at), '\n'));
  }

  // Other spellings of a line's end, of # and of the backslash, which not all compilers take.
  void check_characters() const {
    for (std::string_view sign : {"?"
                                  "?",
                                  "%:"})
      if (const size_t at = text_.find(sign); at != std::string_view::npos)
        refuse(line_of(at), formatted("\"{}\"", sign));
    for (size_t k = 0; k < text_.size(); ++k) {
      const auto c = static_cast<unsigned char>(text_[k]);
      const bool blank = c == '\n' || c == '\t' || (c == '\r' && text_.substr(k + 1, 1) == "\n");
      if ((c < ' ' && !blank) || c == 0x7f) refuse(line_of(k), "a control character");
      if (c != '\\') continue;
      const size_t end = std::min(text_.find_first_not_of(" \t\r", k + 1), text_.size());
      if (end > k + 1 && text_.substr(k + 1, end - k) != "\r\n")
        refuse(line_of(k), "a backslash before a blank");
    }
  }

  // Lines that a backslash joins are one from the beginning.
  std::string without_joints() const {
    std::string out;
    out.reserve(text_.size());
    for (size_t k = 0; k < text_.size(); ++k) {
      const std::string_view rest = text_.substr(k);
      if (rest.starts_with("\\\n") || rest.starts_with("\\\r\n"))
        k += rest[1] == '\n' ? 1 : 2;
      else
        out += text_[k];
    }
    return out;
  }

  void check_tokens(std::string_view part, int first_line) const {
    for (const Token& token : tokenize(part)) {
      const int line = first_line + token.line - 1;
      if (token.kind == Token::Kind::directive) check_directive(token.text, line);
      if (token.kind == Token::Kind::identifier && is_one_of(token.text, refused_words))
        refuse(line, formatted("\"{}\"", token.text));
      const bool raw = std::ranges::any_of(
          raw_prefixes, [&](std::string_view prefix) { return token.text.starts_with(prefix); });
      if (token.kind == Token::Kind::string && raw) refuse(line, "a raw string");
    }
  }

  void check_directive(std::string_view directive, int line) const {
    if (directive.find("##") != std::string_view::npos) refuse(line, "\"##\"");
    directive.remove_prefix(1);
    const auto words = tokenize(directive);
    if (words.empty()) return;
    const std::string_view word = words[0].text;
    if (!is_one_of(word, directives)) refuse(line, formatted("#{}", word));
    if (word == "pragma" && (words.size() < 2 || !is_one_of(words[1].text, pragmas)))
      refuse(line, formatted("#pragma {}", words.size() < 2 ? "" : words[1].text));
    check_tokens(directive, line);
  }

  std::string_view text_, name_;
};

}  // namespace

bool text_is_closed() {
  // The caller of a privileged program may close its texts too: that gives him nothing.
  if (privileged() && given_env("GPUARR_TEXT") == "closed") return true;
  return setting("GPUARR_TEXT") == "closed";
}

void check_closed_text(std::string_view text, std::string_view name) {
  if (text_is_closed()) ClosedText(text, name).check();
}

void check_closed_option(std::string_view option) {
  if (!text_is_closed()) return;
  const bool defines = (option.starts_with("-D") || option.starts_with("-U")) &&
                       option.size() > 2 && option.find('\n') == std::string_view::npos;
  const auto is_value = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  const bool known = defines || is_one_of(option, whole_options) ||
                     std::ranges::any_of(option_stems, [&](std::string_view stem) {
                       return option.starts_with(stem) &&
                              std::ranges::all_of(option.substr(stem.size()), is_value);
                     });
  if (!known)
    fail(GPUARR_ERR_UNSUPPORTED,
         "option {} is not allowed while $GPUARR_TEXT is closed; -DNAME, -UNAME, -O, -std and "
         "those of arithmetic are",
         option);
}

void refuse_if_closed(std::string_view what) {
  if (text_is_closed())
    fail(GPUARR_ERR_UNSUPPORTED, "{} is not allowed while $GPUARR_TEXT is closed; give text", what);
}

}  // namespace gpuarr
