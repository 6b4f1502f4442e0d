// The text of an expression as tokens.
#pragma once

#include <string_view>

#include "array/scalar.hpp"

namespace gpuarr::expr {

constexpr size_t most_expression_bytes = size_t{64} << 10;

enum class TokenKind : uint8_t {
  end,
  separator,  // of statements: ; or the end of a line
  number,
  name,
  sign,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // in the whole one

  bool is(std::string_view sign) const { return kind == TokenKind::sign && text == sign; }
};

/// Reads a text of UTF-8; fails with GPUARR_ERR_SYNTAX at what is in no token.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();
  Scalar number_of(const Token& number) const;

 private:
  size_t name_length(size_t at) const;
  size_t number_length() const;
  Token take(TokenKind kind, size_t length);
  [[noreturn]] void fail_unknown() const;

  std::string_view text_;
  size_t at_ = 0;
};

/// Whether it can be the name of an argument.
bool is_name(std::string_view text);

/// A keyword of Python, which no name can be.
bool is_keyword(std::string_view text);

}  // namespace gpuarr::expr
