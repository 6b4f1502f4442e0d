#include "core/line_map.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "core/line_name.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

bool take_number(std::string_view& text, int& number) {
  skip_blanks(text);
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(rest - text.data()));
  return true;
}

// A quoted name; a backslash stands before what would end it, and before three octal digits.
std::string take_name(std::string_view& text) {
  std::string out;
  size_t i = 1;
  for (; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  text.remove_prefix(std::min(i + 1, text.size()));
  return out;
}

// `# 12 "file" 1 3` or `#line 12 "file"`; the file may be missing.
std::optional<TextPlace> read_mark(std::string_view text, const TextPlace& before) {
  text.remove_prefix(1);
  skip_blanks(text);
  if (text.starts_with("line")) text.remove_prefix(4);
  TextPlace place = before;
  if (!take_number(text, place.line)) return std::nullopt;
  skip_blanks(text);
  if (!text.starts_with('"')) return place;
  place.file = take_name(text);
  place.is_system = false;
  for (int flag = 0; take_number(text, flag);) place.is_system |= flag == 3;
  return place;
}

}  // namespace

std::string line_mark(const TextPlace& place) {
  return formatted("\n#line {} {}\n", place.line, line_name(place.file));
}

LineMap::LineMap(const std::vector<Token>& tokens) : marks_(1) {
  marks_[0].place.line = 1;
  for (const Token& token : tokens) {
    if (token.kind != Token::Kind::directive) continue;
    if (auto place = read_mark(token.text, marks_.back().place))
      marks_.push_back({token.line + 1, std::move(*place)});
  }
}

const LineMap::Mark& LineMap::mark(int line) const {
  const auto behind = std::ranges::upper_bound(marks_, line, {}, &Mark::from);
  return behind == marks_.begin() ? marks_.front() : *(behind - 1);
}

TextPlace LineMap::place(int line) const {
  const Mark& found = mark(line);
  // A mark may say 2147483647, behind which compilers wrap around, too.
  TextPlace out = found.place;
  out.line = static_cast<int>(static_cast<unsigned>(out.line) + static_cast<unsigned>(line) -
                              static_cast<unsigned>(found.from));
  return out;
}

}  // namespace gpuarr
