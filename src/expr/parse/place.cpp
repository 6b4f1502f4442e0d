#include "expr/parse/place.hpp"

#include <algorithm>

#include "core/printable.hpp"

namespace gpuarr::expr {
namespace {

// What is shown of a long line, in characters on either side.
constexpr size_t most_before = 50, most_behind = 26;

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

size_t characters(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return !continues(c); }));
}

std::string_view last_characters(std::string_view text, size_t most) {
  size_t at = text.size();
  for (; at > 0 && most > 0; --most) do
      --at;
    while (at > 0 && continues(text[at]));
  return text.substr(at);
}

std::string_view first_characters(std::string_view text, size_t most) {
  size_t at = 0;
  for (; at < text.size() && most > 0; --most) do
      ++at;
    while (at < text.size() && continues(text[at]));
  return text.substr(0, at);
}

uint32_t code_of(std::string_view character) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(character[k]); };
  uint32_t code = byte(0) & (0xffU >> (character.size() + 1));
  for (size_t k = 1; k < character.size(); ++k) code = code << 6 | (byte(k) & 0x3fU);
  return code;
}

}  // namespace

std::string message_at(std::string_view text, size_t place, std::string_view message) {
  place = std::min(place, text.size());
  const size_t begin = text.substr(0, place).rfind('\n') + 1;  // 0 behind npos
  const std::string_view before = text.substr(begin, place - begin);
  const std::string_view behind = text.substr(place, text.find('\n', place) - place);
  const auto lines = std::ranges::count(text.substr(0, begin), '\n');
  const bool has_lines = text.find('\n') != std::string_view::npos;
  const std::string line = has_lines ? formatted("line {}, ", lines + 1) : "";
  const std::string_view near = last_characters(before, most_before);
  const std::string_view next = first_characters(behind, most_behind);
  const std::string shown = (near.size() < before.size() ? "..." : "") + printable(near);
  std::string pad;
  for (const char c : shown)
    if (!continues(c)) pad += c == '\t' ? '\t' : ' ';
  return formatted("text, {}column {}: {}\n  {}{}{}\n  {}^", line, characters(before) + 1, message,
                   shown, printable(next), next.size() < behind.size() ? "..." : "", pad);
}

size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const size_t length = first < 0xc2   ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
  if (length == 0 || length > text.size()) return 0;
  if (!std::ranges::all_of(text.substr(1, length - 1), continues)) return 0;
  const uint32_t code = code_of(text.substr(0, length));
  const bool is_good = (code >= 0x800 || length < 3) && (code >= 0x10000 || length < 4) &&
                       code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return is_good ? length : 0;
}

bool is_letter(std::string_view character) {
  struct Range {
    uint32_t first, last;
  };
  constexpr Range signs[] = {{0x80, 0xa9},     {0xab, 0xb4},     {0xb6, 0xb9},     {0xbb, 0xbf},
                             {0xd7, 0xd7},     {0xf7, 0xf7},     {0x2000, 0x206f}, {0x2190, 0x2bff},
                             {0x3000, 0x3004}, {0x3008, 0x3020}, {0xe000, 0xf8ff}, {0xfe00, 0xfe6f},
                             {0xfeff, 0xff20}, {0xfff0, 0xffff}};
  const uint32_t code = code_of(character);
  return std::ranges::none_of(signs, [&](Range r) { return code >= r.first && code <= r.last; });
}

}  // namespace gpuarr::expr
