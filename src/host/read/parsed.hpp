// Preprocessed CUDA C++, as the translation looks at it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/line_map.hpp"
#include "host/read/outline.hpp"

namespace gpuarr::host {

/// Tokens of one text on one line, without comments. Blanks stay where they are, for "- -" is not
/// "--".
std::string written(std::span<const Token> tokens);

/// The text itself must live as long. Headers of the compiler's own are left out.
struct Parsed {
  explicit Parsed(std::string_view preprocessed);

  std::string_view text;
  LineMap lines;
  std::vector<Token> tokens;  // without directives
  std::vector<size_t> match, angles;
  Outline outline;

  std::span<const Token> of(TokenRange range) const {
    if (range.empty()) return {};
    return std::span(tokens).subspan(range.first, range.last - range.first);
  }
  bool is(size_t at, std::string_view what) const {
    return at < tokens.size() && tokens[at].is(what);
  }
  bool is_any(size_t at, auto... what) const { return (... || is(at, what)); }
  bool is_word(size_t at) const {
    return at < tokens.size() && tokens[at].kind == Token::Kind::identifier;
  }
  bool has(TokenRange range, std::string_view word) const;
  bool has_any(TokenRange range, auto... words) const { return (... || has(range, words)); }
  size_t begin(size_t at) const {  // of a token, in the text
    return static_cast<size_t>(tokens[at].text.data() - text.data());
  }
  size_t end(size_t at) const { return begin(at) + tokens[at].text.size(); }
  std::string written(TokenRange range) const { return host::written(of(range)); }
  TextPlace place(size_t at) const { return lines.place(tokens[at].line); }

  /// Whether the token follows what makes it a name in another's scope.
  bool is_member(size_t at) const { return is_any(at - 1, ".", "->", "::"); }

  /// The semicolon or comma that is next, outside of brackets, and for a comma of lists of template
  /// arguments; `end` or behind it if there is none.
  size_t semicolon(size_t at, size_t end) const;
  size_t comma(size_t at, size_t end) const;

  /// Behind the list that `<` at `at` opens; `at` if it is none, or does not end before `end`.
  size_t skip_angles(size_t at, size_t end) const { return angles[at] <= end ? angles[at] : at; }

  /// Behind an attribute such as alignas(16), at `at`; `at` if there is none.
  size_t skip_attribute(size_t at) const;
};

/// A variable's declarator: `*name[2]`.
struct Declarator {
  TokenRange pointers;  // * and what goes with it
  size_t name = 0;
  TokenRange suffix;  // [...]
};

struct Declarators {
  TokenRange type;  // may hold attributes and words such as extern
  std::vector<Declarator> list;
};

/// `float4 *a[], b = 3`, without its semicolon. Declarators in parentheses end the list.
Declarators read_declarators(const Parsed& parsed, TokenRange range);

}  // namespace gpuarr::host
