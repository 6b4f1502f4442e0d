#include "host/read/parsed.hpp"

#include <algorithm>

namespace gpuarr::host {
namespace {

std::vector<Token> code_of(const std::vector<Token>& all, const LineMap& lines) {
  std::vector<Token> out;
  out.reserve(all.size());
  for (const Token& token : all)
    if (token.kind != Token::Kind::directive && !lines.is_system(token.line)) out.push_back(token);
  return out;
}

constexpr std::string_view attributes[] = {"alignas", "__align__", "__builtin_align__",
                                           "__attribute__", "__attribute"};

class DeclaratorReader {
 public:
  DeclaratorReader(const Parsed& parsed, TokenRange range) : parsed_(parsed), range_(range) {}

  Declarators run() {
    size_t at = range_.first;
    out_.type = {at, at};
    while (at < range_.last && take_one(at)) {
    }
    return std::move(out_);
  }

 private:
  // One declarator and the comma behind it; false if there is none.
  bool take_one(size_t& at) {
    const size_t first = at;
    const bool is_first = out_.list.empty();
    Declarator d;
    bool named = false;
    for (; at < range_.last && !parsed_.is_any(at, "[", "=", "{", ","); ++at) {
      at = skip_attributes(at);
      if (at >= range_.last || parsed_.is_any(at, "[", "=", "{", ",")) break;
      if (parsed_.is(at, "(")) return false;
      if (parsed_.is(at, "<"))
        at = std::max(parsed_.skip_angles(at, range_.last), at + 1) - 1;
      else if (parsed_.is_word(at)) {
        d.name = at;
        named = true;
      }
    }
    if (!named) return false;
    if (is_first) out_.type = {first, type_end(first, d.name)};
    d.pointers = {is_first ? out_.type.last : first, d.name};
    d.suffix = {d.name + 1, d.name + 1};
    at = skip_attributes(d.name + 1);
    while (parsed_.is(at, "[") && parsed_.match[at] > at) {
      d.suffix.last = at = parsed_.match[at] + 1;
      at = skip_attributes(at);
    }
    out_.list.push_back(d);
    at = parsed_.comma(at, range_.last) + 1;
    return true;
  }

  size_t skip_attributes(size_t at) const {
    for (size_t next = at;; at = next)
      if ((next = parsed_.skip_attribute(at)) == at) return at;
  }

  // The star of `float *p` belongs to p, the const of `const float p` to the type.
  size_t type_end(size_t first, size_t name) const {
    size_t end = name;
    while (end > first &&
           parsed_.is_any(end - 1, "*", "&", "const", "volatile", "__restrict__", "__restrict"))
      --end;
    while (end < name && !parsed_.is_any(end, "*", "&")) ++end;
    return end;
  }

  const Parsed& parsed_;
  TokenRange range_;
  Declarators out_;
};

}  // namespace

Parsed::Parsed(std::string_view preprocessed) : text(preprocessed), lines({}) {
  const std::vector<Token> all = tokenize(text);
  lines = LineMap(all);
  tokens = code_of(all, lines);
  match = match_brackets(tokens);
  angles = match_angles(tokens, match);
  outline = host::outline(tokens, match, angles);
}

bool Parsed::has(TokenRange range, std::string_view word) const {
  return std::ranges::any_of(of(range), [&](const Token& token) { return token.is(word); });
}

std::string written(std::span<const Token> tokens) {
  std::string out;
  const char* end = nullptr;
  for (const Token& token : tokens) {
    if (end != nullptr && token.text.data() != end) out += ' ';
    out += token.text;
    end = token.text.data() + token.text.size();
  }
  return out;
}

size_t Parsed::semicolon(size_t at, size_t end) const {
  while (at < end && !is(at, ";")) at = std::max(match[at], at) + 1;
  return at;
}

size_t Parsed::comma(size_t at, size_t end) const {
  while (at < end && !is(at, ","))
    at = std::max(is(at, "<") ? skip_angles(at, end) : match[at] + 1, at + 1);
  return at;
}

size_t Parsed::skip_attribute(size_t at) const {
  if (is(at, "[") && is(at + 1, "[") && match[at] > at) return match[at] + 1;
  if (at + 1 >= tokens.size() || !is(at + 1, "(") || match[at + 1] <= at + 1) return at;
  const bool is_one = is_one_of(tokens[at].text, attributes);
  return is_one ? match[at + 1] + 1 : at;
}

Declarators read_declarators(const Parsed& parsed, TokenRange range) {
  return DeclaratorReader(parsed, range).run();
}

}  // namespace gpuarr::host
