#include "kernel/text/pieces.hpp"

#include <algorithm>

#include "core/line_map.hpp"

namespace gpuarr {
namespace {

bool has_line_directive(std::string_view text) {
  return text.find('#') != std::string_view::npos && text.find("line") != std::string_view::npos;
}

// Off the front, the line's end included.
std::string_view take_lines(std::string_view& text, int count) {
  size_t end = 0;
  for (int k = 0; k < count && end != std::string_view::npos; ++k) {
    end = text.find('\n', end);
    if (end != std::string_view::npos) ++end;
  }
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(taken.size());
  return taken;
}

}  // namespace

int count_lines(std::string_view text) {
  return 1 + static_cast<int>(std::ranges::count(text, '\n'));
}

std::vector<NamedLines> named_lines(const UserPiece& piece) {
  const auto& [name, text] = piece;
  if (!has_line_directive(text)) return {{name, 1, text}};
  std::vector<NamedLines> out;
  std::string_view rest = text;
  int number = 1;
  TextPlace place{name, 1};
  const LineMap map(tokenize(text));
  for (const LineMap::Mark& mark : map.marks()) {
    const std::string_view lines = take_lines(rest, mark.from - number);
    if (!lines.empty()) out.push_back({place.file.empty() ? name : place.file, place.line, lines});
    number = mark.from;
    place = mark.place;
  }
  if (!rest.empty() || out.empty())
    out.push_back({place.file.empty() ? name : place.file, place.line, rest});
  return out;
}

std::string first_file(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || text[begin] != '#') return "";
  const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  return LineMap(tokenize(line)).place(2).file;
}

}  // namespace gpuarr
