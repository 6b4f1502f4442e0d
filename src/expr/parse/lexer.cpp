#include "expr/parse/lexer.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "core/printable.hpp"
#include "expr/parse/place.hpp"

namespace gpuarr::expr {
namespace {

// Longer ones first. Those that Python has and this language has not are told apart by the parser.
constexpr std::string_view signs[] = {
    "**=", "//=", "<<=", ">>=", "...", "**", "//", "<<", ">>", "<=", ">=", "==",
    "!=",  "+=",  "-=",  "*=",  "/=",  "%=", "@=", "&=", "|=", "^=", ":=", "&&",
    "||",  "+",   "-",   "*",   "/",   "%",  "@",  "&",  "|",  "^",  "~",  "<",
    ">",   "=",   "(",   ")",   "[",   "]",  ",",  ":",  ".",  "!",  "?"};

constexpr std::string_view keywords[] = {
    "False",  "None",  "True",   "and",  "as",    "assert", "async",    "await", "break",
    "class",  "def",   "del",    "elif", "else",  "except", "finally",  "for",   "from",
    "global", "if",    "import", "in",   "is",    "lambda", "nonlocal", "not",   "or",
    "pass",   "raise", "return", "try",  "while", "with",   "yield"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_word(char c) { return is_digit(c) || is_ascii_letter(c); }

int base_of(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 10;
  const char letter = static_cast<char>(text[1] | 0x20);
  return letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
}

// Underscores stand between digits, one at a time.
bool has_good_underscores(std::string_view text) {
  const auto is_hex = [](char c) { return is_digit(c) || is_ascii_letter(c); };
  for (size_t k = 0; k < text.size(); ++k)
    if (text[k] == '_' && (k == 0 || k + 1 == text.size() || text[k - 1] == '_' ||
                           !is_hex(text[k - 1]) || !is_hex(text[k + 1])))
      return false;
  return true;
}

Scalar imaginary_number(double value) {
  Scalar out;
  out.dtype = DType::c128;
  std::copy_n(reinterpret_cast<const unsigned char*>(&value), sizeof value, out.bytes + 8);
  return out;
}

}  // namespace

bool is_keyword(std::string_view text) {
  return std::ranges::find(keywords, text) != std::end(keywords);
}

size_t Lexer::name_length(size_t at) const {
  const size_t begin = at;
  while (at < text_.size()) {
    const size_t length = character_length(text_.substr(at));
    const bool goes_on =
        length == 1 ? is_word(text_[at]) : length > 1 && is_letter(text_.substr(at, length));
    if (!goes_on || (at == begin && is_digit(text_[at]))) break;
    at += length;
  }
  return at - begin;
}

// Digits, letters and points, and a sign behind an exponent's e.
size_t Lexer::number_length() const {
  const std::string_view rest = text_.substr(at_);
  const bool is_decimal = base_of(rest) == 10;
  size_t length = 0;
  while (length < rest.size()) {
    const char c = rest[length];
    const bool exponent =
        is_decimal && length > 0 && (rest[length - 1] | 0x20) == 'e' && (c == '+' || c == '-');
    if (!is_word(c) && c != '.' && !exponent) break;
    ++length;
  }
  return length;
}

Token Lexer::take(TokenKind kind, size_t length) {
  const Token token = {kind, text_.substr(at_, length)};
  at_ += length;
  return token;
}

void Lexer::fail_unknown() const {
  const std::string_view rest = text_.substr(at_);
  const size_t length = character_length(rest);
  if (length == 0)
    fail_at(text_, at_, GPUARR_ERR_SYNTAX, "the byte {} is no UTF-8", printable(rest.substr(0, 1)));
  if (rest[0] == '"' || rest[0] == '\'' || rest[0] == '`')
    fail_at(text_, at_, GPUARR_ERR_SYNTAX, "there are no strings here; give names and numbers");
  const std::string_view shown = rest.substr(0, length);
  const bool is_minus = shown == "\u2212" || shown == "\u2013";
  fail_at(text_, at_, GPUARR_ERR_SYNTAX, "the character \"{}\" has no meaning here{}",
          printable(shown),
          is_minus            ? "; minus is -"
          : shown == "\u00d7" ? "; write *"
                              : "");
}

Token Lexer::next() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#')
      at_ = std::min(text_.find('\n', at_), text_.size());
    else if (c == ' ' || c == '\t' || c == '\r')
      ++at_;
    else
      break;
  }
  if (at_ == text_.size()) return take(TokenKind::end, 0);
  const char c = text_[at_];
  if (c == ';' || c == '\n') return take(TokenKind::separator, 1);
  const char behind = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (is_digit(c) || (c == '.' && is_digit(behind)))
    return take(TokenKind::number, number_length());
  if (const size_t length = name_length(at_); length > 0) return take(TokenKind::name, length);
  for (const std::string_view sign : signs)
    if (sign[0] == c && text_.substr(at_, sign.size()) == sign)
      return take(TokenKind::sign, sign.size());
  fail_unknown();
}

Scalar Lexer::number_of(const Token& number) const {
  const auto place = static_cast<size_t>(number.text.data() - text_.data());
  const auto refuse = [&](const std::string& why) {
    fail_at(text_, place, GPUARR_ERR_SYNTAX, "\"{}\" is no number{}", number.text, why);
  };
  std::string digits(number.text);
  if (!has_good_underscores(digits)) refuse("; underscores stand between digits");
  std::erase(digits, '_');
  const int base = base_of(digits);
  if (base != 10) digits.erase(0, 2);
  const char* const end = digits.data() + digits.size();
  if (digits.find_first_not_of("0123456789") == std::string::npos || base != 10) {
    uint64_t whole = 0;
    const auto [rest, error] = std::from_chars(digits.data(), end, whole, base);
    if (error == std::errc::result_out_of_range)
      fail_at(text_, place, GPUARR_ERR_DTYPE, "{} has more than 64 bits; a float is {}.0",
              number.text, number.text);
    if (digits.empty() || rest != end)
      refuse(base != 10 ? formatted(" of base {}", base) : std::string());
    if (base == 10 && digits[0] == '0' && digits.find_first_not_of('0') != std::string::npos)
      refuse("; leave out the zeros in front, or write 0o for base 8");
    return whole <= INT64_MAX ? Scalar::of(static_cast<int64_t>(whole)) : Scalar::of(whole);
  }
  long double value = 0;
  const auto [rest, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc::result_out_of_range)
    fail_at(text_, place, GPUARR_ERR_DTYPE, "{} is out of the range of float64", number.text);
  const std::string_view behind(rest, static_cast<size_t>(end - rest));
  if (behind == "j" || behind == "J") return imaginary_number(static_cast<double>(value));
  const auto read = static_cast<size_t>(rest - digits.data());
  if (!behind.empty())
    refuse(is_name(behind) ? formatted("; write {}*{}", digits.substr(0, read), behind) : "");
  return Scalar::of(static_cast<double>(value));
}

bool is_name(std::string_view text) {
  if (text.empty() || is_keyword(text) || is_digit(text[0])) return false;
  while (!text.empty()) {
    const size_t length = character_length(text);
    if (length == 1 ? !is_word(text[0]) : length == 0 || !is_letter(text.substr(0, length)))
      return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace gpuarr::expr
