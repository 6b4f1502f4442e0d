#include "kernel/text/brackets.hpp"

#include <cctype>
#include <vector>

#include "core/text.hpp"

namespace gpuarr {
namespace {

constexpr auto none = std::string_view::npos;

size_t after_line(std::string_view text, size_t at) {
  for (; at < text.size() && text[at] != '\n'; ++at)
    if (text[at] == '\\') ++at;  // which may join the next line
  return at;
}

// A string or character literal; one that does not end ends with its line.
size_t after_literal(std::string_view text, size_t at) {
  char quote = text[at++];
  while (at < text.size() && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
  return at + 1;
}

// R"x(...)x"
size_t after_raw_literal(std::string_view text, size_t at) {
  size_t open = text.find('(', at);
  if (open == none) return after_literal(text, at);
  std::string close(1, ')');
  close.append(text.substr(at + 1, open - at - 1)).append(1, '"');
  size_t end = text.find(close, open);
  return end == none ? text.size() : end + close.size();
}

// Behind what is no code at `at`: the same place if it is code.
size_t skip(std::string_view text, size_t at) {
  std::string_view rest = text.substr(at);
  char before = at > 0 ? text[at - 1] : ' ';
  if (rest.starts_with("//")) return after_line(text, at);
  if (rest.starts_with("\"")) return (before == 'R' ? after_raw_literal : after_literal)(text, at);
  if (rest.starts_with("'"))  // 1'000
    return std::isalnum(static_cast<unsigned char>(before)) != 0 ? at + 1 : after_literal(text, at);
  return at;
}

}  // namespace

std::optional<BracketFault> find_unbalanced(std::string_view text) {
  constexpr std::string_view openers = "([{";
  constexpr std::string_view closers = ")]}";
  if (text.find("#if") != none) return std::nullopt;
  std::vector<size_t> open;
  for (size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with("/*")) {
      size_t end = text.find("*/", at + 2);
      if (end == none) return BracketFault{at, "this comment has no end"};
      at = end + 2;
    } else if (size_t behind = skip(text, at); behind != at) {
      at = behind;
    } else {
      size_t kind = closers.find(text[at]);
      if (openers.find(text[at]) != none) open.push_back(at);
      if (kind != none && open.empty())
        return BracketFault{at, formatted("this {} closes nothing", text[at])};
      if (kind != none && text[open.back()] != openers[kind])
        return BracketFault{open.back(),
                            formatted("this {} is closed by a {}", text[open.back()], text[at])};
      if (kind != none) open.pop_back();
      ++at;
    }
  }
  if (open.empty()) return std::nullopt;
  return BracketFault{open.back(), formatted("this {} is not closed", text[open.back()])};
}

}  // namespace gpuarr
