#include "core/printable.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace gpuarr {
namespace {

// How many bytes the character at the start has, at most; 0 for a byte that begins none.
size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

// The bytes of a character that a terminal may get as it is; 0 for another.
size_t harmless(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t length = length_of(first);
  if (length == 1) return (first >= ' ' && first != 0x7f) || first == '\n' || first == '\t' ? 1 : 0;
  if (length == 0 || length > text.size()) return 0;
  const bool whole = std::ranges::all_of(text.substr(1, length - 1), [](unsigned char c) {
    return (c & 0xc0) == 0x80;  // goes on with it
  });
  const auto second = static_cast<unsigned char>(text[1]);
  const bool control = first == 0xc2 && second < 0xa0;  // U+0080 to U+009F
  return whole && !control ? length : 0;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = harmless(text);
    if (length > 0)
      out += text.substr(0, length);
    else
      out += formatted("\\x{:02x}", static_cast<unsigned char>(text[0]));
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

}  // namespace gpuarr
