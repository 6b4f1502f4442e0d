#include "core/tokens.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "core/text.hpp"

namespace gpuarr {
namespace {

// Not <cctype>: that depends on the process's locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_word_part(char c) { return begins_word(c) || is_digit(c); }

constexpr std::array raw_prefixes = {"R", "u8R", "uR", "UR", "LR"};
constexpr std::array prefixes = {"u8", "u", "U", "L"};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    out_.reserve(std::min<size_t>(text_.size() / 2 + 1, 64));
    while (skip_blanks()) {
      begin_ = at_;
      begin_line_ = line_;
      const Token::Kind kind = take();
      out_.push_back({kind, text_.substr(begin_, at_ - begin_), begin_line_});
      line_begins_ = false;
    }
    return std::move(out_);
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool follows(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void advance(size_t count) {
    count = std::min(count, text_.size() - at_);
    line_ += static_cast<int>(std::ranges::count(text_.substr(at_, count), '\n'));
    at_ += count;
  }

  // A backslash that joins the next line to this one, with its line end; 0 if there is none.
  size_t joint() const {
    if (follows("\\\n")) return 2;
    return follows("\\\r\n") ? 3 : 0;
  }

  void skip_comment() {
    if (follows("/*")) {
      const size_t end = text_.find("*/", at_ + 2);
      advance(end == std::string_view::npos ? text_.size() : end + 2 - at_);
      return;
    }
    while (at_ < text_.size() && peek() != '\n')
      advance(std::max(
          {joint(), std::min(text_.find_first_of("\\\n", at_), text_.size()) - at_, size_t{1}}));
  }

  // False at the end.
  bool skip_blanks() {
    while (at_ < text_.size()) {
      if (is_word_part(peek())) return true;
      const size_t code = std::min(text_.find_first_not_of(" \t\n\v\f\r", at_), text_.size());
      if (code > at_) {
        const int before = line_;
        advance(code - at_);
        line_begins_ |= line_ > before;
      } else if (joint() > 0) {
        advance(joint());
      } else if (follows("//") || follows("/*")) {
        skip_comment();
      } else {
        return true;
      }
    }
    return false;
  }

  Token::Kind take() {
    const char c = peek();
    if (c == '#' && line_begins_) return take_directive();
    if (begins_word(c)) return take_word();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return take_number();
    if (c == '"' || c == '\'') return take_quoted();
    at_ += follows("...") ? 3 : follows("::") || follows("->") ? 2 : 1;
    return Token::Kind::punctuation;
  }

  Token::Kind take_directive() {
    while (at_ < text_.size() && peek() != '\n') {
      if (follows("/*") || follows("//"))
        skip_comment();
      else if (peek() == '"')
        take_quoted();
      else
        advance(std::max<size_t>(joint(), 1));
    }
    return Token::Kind::directive;
  }

  Token::Kind take_word() {
    while (is_word_part(peek())) ++at_;
    const std::string_view word = text_.substr(begin_, at_ - begin_);
    if (peek() == '"' && std::ranges::find(raw_prefixes, word) != raw_prefixes.end())
      return take_raw();
    if ((peek() == '"' || peek() == '\'') && std::ranges::find(prefixes, word) != prefixes.end())
      return take_quoted();
    return Token::Kind::identifier;
  }

  Token::Kind take_number() {
    for (char before = '0';; before = peek(), ++at_) {
      const char c = peek();
      const bool sign = (c == '+' || c == '-') &&
                        (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      const bool mark = c == '\'' && is_word_part(peek(1));
      if (!is_word_part(c) && c != '.' && !sign && !mark) return Token::Kind::number;
    }
  }

  Token::Kind take_quoted() {
    const char quote = peek();
    advance(1);
    while (at_ < text_.size() && peek() != '\n' && peek() != quote)
      advance(peek() == '\\' ? std::max<size_t>(joint(), 2) : 1);
    if (peek() == quote) advance(1);
    return quote == '"' ? Token::Kind::string : Token::Kind::character;
  }

  Token::Kind take_raw() {
    const size_t open = text_.find('(', at_);
    const std::string_view mark = text_.substr(at_ + 1, open - at_ - 1);
    if (open == std::string_view::npos || mark.size() > 16) return take_quoted();
    const std::string close = formatted("){}\"", mark);
    const size_t end = text_.find(close, open);
    advance(end == std::string_view::npos ? text_.size() : end + close.size() - at_);
    return Token::Kind::string;
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  bool line_begins_ = true;  // nothing but blanks so far
  size_t begin_ = 0;         // of the token being taken
  int begin_line_ = 1;
  std::vector<Token> out_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Lexer(text).run(); }

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

std::string squeezed(std::string_view expression) {
  std::string out;
  bool word_before = false;
  for (const Token& token : tokenize(expression)) {
    const bool word = token.kind != Token::Kind::punctuation;
    if (word && word_before) out += ' ';
    out += token.text;
    word_before = word;
  }
  return out.starts_with("::") ? out.substr(2) : out;
}

}  // namespace gpuarr
