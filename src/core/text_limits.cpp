#include "core/text_limits.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/error.hpp"

namespace gpuarr {
namespace {

constexpr auto opening_words = std::to_array<std::string_view>(
    {"if", "else", "for", "while", "do", "switch", "case", "sizeof", "alignof", "not", "compl",
     "and", "or", "xor", "bitand", "bitor", "new", "delete", "template"});

// What is open in one bracket, or outside of all.
struct Frame {
  size_t signs = 0;   // since the last separator
  size_t angles = 0;  // of them, those that a comma does not end
};

class DepthReader {
 public:
  explicit DepthReader(std::span<const Token> tokens, bool inside = false)
      : tokens_(tokens), inside_(inside) {}

  std::optional<DeepPlace> run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      take(tokens_[at_]);
      if (open_.size() > most_open_brackets + 1)
        return place(formatted("{} brackets are open here; at most {} may be",
                               most_open_brackets + 1, most_open_brackets));
      if (signs_ > most_open_signs)
        return place(
            formatted("an expression or a chain of branches has {} operators here; at most {} "
                      "may be",
                      most_open_signs + 1, most_open_signs));
      if (auto found = in_directive(tokens_[at_])) return found;
    }
    return std::nullopt;
  }

 private:
  DeepPlace place(std::string message) const { return {tokens_[at_].line, std::move(message)}; }

  // A macro's body, which stands elsewhere later. What looks like a directive within one, behind a
  // comment, is none to a compiler either.
  std::optional<DeepPlace> in_directive(const Token& token) const {
    if (token.kind != Token::Kind::directive || inside_) return std::nullopt;
    const size_t begin = std::min(token.text.find_first_not_of("# \t"), token.text.size());
    const std::vector<Token> tokens = tokenize(token.text.substr(begin));
    auto found = DepthReader(tokens, true).run();
    if (found) found->line += token.line - 1;
    return found;
  }

  void take(const Token& token) {
    if (token.kind == Token::Kind::identifier && is_one_of(token.text, opening_words)) add();
    if (token.kind != Token::Kind::punctuation) return;
    switch (token.text[0]) {
      case '(':
      case '[':
      case '{':
        open_.emplace_back();
        return;
      case ')':
      case ']':
      case '}':
        close(token.is("}"));
        return;
      case ';':
        end_statement();
        return;
      case ',':
        keep(open_.back().angles);
        return;
      default:
        if (!token.is("::") && !token.is("->") && !token.is(".")) take_sign(token);
    }
  }

  void take_sign(const Token& token) {
    add();
    size_t& angles = open_.back().angles;
    if (token.is("<")) ++angles;
    if (token.is(">") && angles > 0) --angles;
  }

  void add() {
    ++open_.back().signs;
    ++signs_;
  }

  void keep(size_t count) {
    signs_ -= open_.back().signs - count;
    open_.back() = {count, std::min(count, open_.back().angles)};
  }

  // Brackets that close nothing are the compiler's to complain of.
  void close(bool brace) {
    keep(0);
    if (open_.size() > 1) open_.pop_back();
    const Token* next = at_ + 1 < tokens_.size() ? &tokens_[at_ + 1] : nullptr;
    const bool goes_on = next != nullptr && next->kind == Token::Kind::punctuation &&
                         !next->is("}") && !next->is("{");
    if (brace && !goes_on) end_statement();
  }

  // An `else` behind it goes on with the statement before.
  void end_statement() {
    if (at_ + 1 == tokens_.size() || !tokens_[at_ + 1].is("else")) keep(0);
  }

  std::span<const Token> tokens_;
  bool inside_;  // a directive
  size_t at_ = 0;
  std::vector<Frame> open_ = std::vector<Frame>(1);
  size_t signs_ = 0;  // of all frames
};

}  // namespace

std::optional<DeepPlace> find_too_deep(std::span<const Token> tokens) {
  const bool few =  // as most texts have
      tokens.size() <= most_open_brackets && std::ranges::none_of(tokens, [](const Token& token) {
        return token.kind == Token::Kind::directive;
      });
  return few ? std::nullopt : DepthReader(tokens).run();
}

void check_text_size(size_t bytes, std::string_view name) {
  if (bytes > most_text_bytes)
    fail(GPUARR_ERR_ARGUMENT, "{} has {} bytes of text; at most {} are read", name, bytes,
         most_text_bytes);
}

void check_depth(std::span<const Token> tokens, std::string_view name) {
  if (const auto found = find_too_deep(tokens))
    fail(GPUARR_ERR_SYNTAX, "{}, line {}: {}", name, found->line, found->message);
}

void check_source(std::string_view text, std::string_view name) {
  check_text_size(text.size(), name);
  check_depth(tokenize(text), name);
}

std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

}  // namespace gpuarr
