#include "host/columns.hpp"

#include <algorithm>

#include "host/line_map.hpp"

namespace gpuarr::host {
namespace {

/// Finds lines by where they came from.
class Lines {
 public:
  explicit Lines(std::string_view text) : map_(tokenize(text)) {
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size() - 1);
      lines_.push_back(text.substr(0, end + 1));
      text.remove_prefix(end + 1);
    }
  }

  // All of them: what is generated may be said to be of a line, too.
  std::vector<std::string_view> find(const std::string& file, int line) const {
    std::vector<std::string_view> out;
    for (size_t k = 0; k < lines_.size(); ++k) {
      const Place place = map_.place(static_cast<int>(k + 1));
      if (place.line == line && place.file == file) out.push_back(lines_[k]);
    }
    return out;
  }

 private:
  LineMap map_;
  std::vector<std::string_view> lines_;
};

int column_of(const Token& token, std::string_view line) {
  return static_cast<int>(token.text.data() - line.data()) + 1;
}

int user_column(std::string_view written, std::string_view compiled, int column) {
  if (std::ranges::any_of(compiled, [](char c) { return static_cast<signed char>(c) < 0; }))
    return 0;  // one compiler counts bytes, another what a terminal shows
  const auto from = tokenize(compiled), to = tokenize(written);
  for (size_t k = 0; k < from.size() && k < to.size() && from[k].text == to[k].text; ++k) {
    const int begin = column_of(from[k], compiled);
    if (column >= begin && column < begin + static_cast<int>(from[k].text.size()))
      return column_of(to[k], written) + column - begin;
  }
  return 0;
}

}  // namespace

std::vector<Diagnostic> user_columns(std::vector<Diagnostic> diagnostics, std::string_view text,
                                     std::string_view compiled) {
  const Lines own(text), seen(compiled);
  for (Diagnostic& d : diagnostics) {
    if (d.column == 0) continue;
    const auto written = own.find(d.file, d.line);
    if (written.empty()) continue;  // in a header, which nobody shows
    int column = 0;
    for (const std::string_view line : seen.find(d.file, d.line))
      if (column == 0) column = user_column(written[0], line, d.column);
    d.column = column;
  }
  return diagnostics;
}

}  // namespace gpuarr::host
