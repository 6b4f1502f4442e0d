#include "codegen/elementwise/own_arrays.hpp"

#include <array>
#include <vector>

#include "core/tokens.hpp"

namespace gpuarr {
namespace {

constexpr auto keywords =
    std::to_array<std::string_view>({"return", "else", "case", "delete", "throw", "goto"});
constexpr auto for_all =
    std::to_array<std::string_view>({"static", "constexpr", "__constant__", "__device__"});

bool is_name_token(const Token& token) { return token.kind == Token::Kind::identifier; }

// `int a[`, `list<int> a[`, and `, a[` where no parenthesis is open.
bool declares(const Token& before, bool open) {
  if (is_name_token(before)) return !is_one_of(before.text, keywords);
  return before.is(">") || (before.is(",") && !open);
}

}  // namespace

bool has_own_arrays(std::string_view text) {
  const std::vector<Token> tokens = tokenize(text);
  int open = 0;
  bool shared = false;
  for (size_t k = 0; k < tokens.size(); ++k) {
    const Token& token = tokens[k];
    if (token.is("(")) ++open;
    if (token.is(")")) --open;
    if (token.is(";") || token.is("{") || token.is("}")) {
      open = 0;
      shared = false;
    }
    shared |= is_name_token(token) && is_one_of(token.text, for_all);
    if (k == 0 || k + 1 == tokens.size()) continue;
    if (is_name_token(token) && tokens[k + 1].is("[") && !shared &&
        declares(tokens[k - 1], open > 0))
      return true;
    if (token.is("&") && (tokens[k - 1].is("(") || tokens[k - 1].is("=")) &&
        is_name_token(tokens[k + 1]))
      return true;
    if (token.is("array") && tokens[k + 1].is("<")) return true;
  }
  return false;
}

}  // namespace gpuarr
