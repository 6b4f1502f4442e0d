#include "core/user_text.hpp"

#include <algorithm>
#include <utility>

#include "core/text_limits.hpp"

namespace gpuarr {
namespace {

constexpr std::string_view keywords[] = {"return", "else", "case", "delete", "throw", "goto"};
constexpr std::string_view for_all[] = {"static", "constexpr", "__constant__", "__device__"};

const Token none;

bool is_name(const Token& token) { return token.kind == Token::Kind::identifier; }

// `int a[`, `list<int> a[`, and `, a[` where no parenthesis is open.
bool declares(const Token& before, bool open) {
  if (is_name(before)) return !is_one_of(before.text, keywords);
  return before.is(">") || (before.is(",") && !open);
}

bool may_have_arrays(std::span<const Token> tokens) {
  int open = 0;
  bool shared = false;
  for (size_t k = 0; k < tokens.size(); ++k) {
    const Token& token = tokens[k];
    const Token& before = k > 0 ? tokens[k - 1] : none;
    const Token& next = k + 1 < tokens.size() ? tokens[k + 1] : none;
    if (token.is("(")) ++open;
    if (token.is(")")) --open;
    if (token.is(";") || token.is("{") || token.is("}")) {
      open = 0;
      shared = false;
    }
    if (token.is("&") && (before.is("(") || before.is("=")) && is_name(next)) return true;
    if (!is_name(token)) continue;
    shared |= is_one_of(token.text, for_all);
    if (next.is("[") && !shared && declares(before, open > 0)) return true;
    if (token.is("array") && next.is("<")) return true;
  }
  return false;
}

// Whether what stands before an & is what it joins to the next: `a & b`, `a[0] & b`, `T& a`. Behind
// a parenthesis, which may be a cast, nobody knows.
bool joins_next(const Token& before) {
  if (before.kind == Token::Kind::identifier) return !is_one_of(before.text, keywords);
  return before.kind == Token::Kind::number || before.is("]") || before.is(">");
}

// `[&]` and `&&` take none, but in `a && &b`.
bool may_have_addresses(std::span<const Token> tokens) {
  for (size_t k = 0; k < tokens.size(); ++k) {
    if (tokens[k].kind == Token::Kind::directive && tokens[k].text.find('&') != std::string::npos)
      return true;
    if (!tokens[k].is("&")) continue;
    const size_t first = k;
    while (k + 1 < tokens.size() && tokens[k + 1].is("&")) ++k;
    if (k - first == 1) continue;
    const Token& next = k + 1 < tokens.size() ? tokens[k + 1] : none;
    if (k - first > 1 || first == 0) return true;
    if (!joins_next(tokens[first - 1]) && !next.is("]") && !next.is(",")) return true;
  }
  return false;
}

// A directive's own words are behind its #.
void add_words(std::vector<UserText::Word>& words, std::string_view text,
               std::span<const Token> tokens, bool directive) {
  for (size_t k = 0; k < tokens.size(); ++k) {
    const Token& token = tokens[k];
    if (token.kind == Token::Kind::directive && !directive)
      add_words(words, text, tokenize(token.text.substr(1)), true);
    if (!is_name(token)) continue;
    const Token& before = k > 0 ? tokens[k - 1] : none;
    const Token& next = k + 1 < tokens.size() ? tokens[k + 1] : none;
    const auto end = static_cast<size_t>(token.text.data() - text.data()) + token.text.size();
    const bool member = before.is(".") || before.is("->") || before.is("::");
    words.push_back({token.text, next.text.empty() ? '\0' : next.text.front(),
                     text.substr(end).starts_with(".size()"),
                     !directive && !member && !next.is("(")});
  }
}

}  // namespace

UserText::UserText(std::string text, const char* name) {
  if (text.empty()) return;
  if (name != nullptr) check_text_size(text.size(), name);
  const auto made = std::make_shared<Read>();
  made->text = std::move(text);
  const std::vector<Token> tokens = tokenize(made->text);
  if (name != nullptr) check_depth(tokens, name);
  made->words.reserve(tokens.size() / 2 + 1);
  add_words(made->words, made->text, tokens, false);
  made->macros = std::ranges::any_of(made->words, [](const Word& w) { return w.text == "define"; });
  made->own_arrays = may_have_arrays(tokens);
  made->addresses = may_have_addresses(tokens);
  read_ = made;
}

bool UserText::has_any(std::span<const std::string_view> words) const {
  return std::ranges::any_of(this->words(),
                             [&](const Word& word) { return is_one_of(word.text, words); });
}

bool UserText::indexes(std::string_view word) const {
  return std::ranges::any_of(words(), [&](const Word& w) { return !w.sized && w.text == word; });
}

}  // namespace gpuarr
