#include "host/read/local_memory.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "host/read/parsed.hpp"

namespace gpuarr::host {
namespace {

// What begins a statement that declares nothing.
constexpr std::string_view others[] = {
    "return", "else",     "case",  "default", "goto",          "delete", "throw",
    "break",  "continue", "using", "typedef", "static_assert", "if",     "for",
    "while",  "switch",   "do",    "new",     "sizeof"};

class LocalMemoryFinder {
 public:
  explicit LocalMemoryFinder(std::string_view text) : parsed_(text) {
    for (const Declaration& d : parsed_.outline.declarations)
      if (d.kind == Declaration::Kind::function)
        note_shared(d.body);
      else if (d.in_class.empty())
        note_names(d.head);
  }

  bool run() const {
    if (parsed_.has({0, parsed_.tokens.size()}, "union")) return true;
    return std::ranges::any_of(parsed_.outline.declarations, [&](const Declaration& d) {
      if (d.kind != Declaration::Kind::function) return !d.in_class.empty() && has_array(d.head);
      return d.has_body && has_local(d.body);
    });
  }

 private:
  bool is(size_t at, std::string_view what) const { return parsed_.is(at, what); }

  void note_names(TokenRange range) {
    for (const Declarator& one : read_declarators(parsed_, range).list)
      names_.insert(parsed_.tokens[one.name].text);
  }

  void note_shared(TokenRange body) {
    for (size_t k = body.first; k < body.last; ++k)
      if (is(k, "__shared__")) note_names(statement(k + 1, body.last));
  }

  // To its semicolon.
  TokenRange statement(size_t first, size_t end) const {
    return {first, std::min(parsed_.semicolon(first, end), end)};
  }

  bool has_array(TokenRange declaration) const {
    if (parsed_.has_any(declaration, "__shared__", "static", "constexpr")) return false;
    return std::ranges::any_of(read_declarators(parsed_, declaration).list,
                               [](const Declarator& one) { return !one.suffix.empty(); });
  }

  bool has_local(TokenRange body) const {
    for (size_t k = body.first; k < body.last; ++k) {
      if (begins(k) && has_array(statement(k, body.last))) return true;
      if (takes_address(k)) return true;
      // std::array
      if (is(k, "array") && is(k + 1, "<")) return true;
    }
    return false;
  }

  // Whether a declaration may begin here.
  bool begins(size_t at) const {
    if (!parsed_.is_word(at) || is_one_of(parsed_.tokens[at].text, others)) return false;
    const bool second = parsed_.is_word(at + 1) || parsed_.is_any(at + 1, "<", "::", "*", "&") ||
                        parsed_.skip_attribute(at) > at;
    return second && (parsed_.is_any(at - 1, ";", "{", "}", ")", ":", "]") ||
                      (is(at - 1, "(") && is(at - 2, "for")));
  }

  // `&name` or `&name.member` of what may be a local variable.
  bool takes_address(size_t at) const {
    if (!is(at, "&") || !parsed_.is_word(at + 1) || names_.contains(parsed_.tokens[at + 1].text))
      return false;
    const Token& before = parsed_.tokens[at - 1];
    const bool value = (before.kind == Token::Kind::identifier && !before.is("return")) ||
                       before.kind == Token::Kind::number || before.is("]") || before.is("&") ||
                       before.is(">") || (before.is(")") && !is_cast(at - 1));
    if (value) return false;
    size_t k = at + 2;
    while (is(k, ".") && parsed_.is_word(k + 1)) k += 2;
    return !parsed_.is_any(k, "[", "->", "(", "::");
  }

  // (float*)
  bool is_cast(size_t close) const { return is(close - 1, "*") && parsed_.match[close] < close; }

  const Parsed parsed_;
  std::unordered_set<std::string_view> names_;  // of variables that are nobody's own
};

}  // namespace

bool has_local_memory(std::string_view preprocessed) {
  return LocalMemoryFinder(preprocessed).run();
}

}  // namespace gpuarr::host
