#include "core/words.hpp"

#include "core/text.hpp"

namespace gpuarr {
namespace {

size_t find_or_end(std::string_view text, std::string_view what, size_t from) {
  const size_t at = text.find(what, from);
  return at == std::string_view::npos ? text.size() : at + what.size();
}

}  // namespace

size_t after_quiet(std::string_view text, size_t at, std::string_view word) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return find_or_end(text, "\n", at);
  if (rest.starts_with("/*")) return find_or_end(text, "*/", at + 2);
  const char quote = rest.front();
  if (quote != '"' && quote != '\'') return at;
  const bool raw = word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
  if (quote == '"' && raw) {
    const size_t open = rest.find('(');
    if (open == std::string_view::npos) return text.size();
    return find_or_end(text, formatted("){}\"", rest.substr(1, open - 1)), at + open);
  }
  if (quote == '\'' && !word.empty() && word != "L" && word != "u" && word != "U" && word != "u8")
    return at;
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == quote || text[i] == '\n') return i + 1;
    if (text[i] == '\\') ++i;
  }
  return text.size();
}

}  // namespace gpuarr
