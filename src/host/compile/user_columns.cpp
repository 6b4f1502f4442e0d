#include "host/compile/user_columns.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/line_map.hpp"

namespace gpuarr::host {
namespace {

/// The lines that complaints are about, by where they came from.
class Lines {
 public:
  Lines(const std::vector<Diagnostic>& complaints, std::string_view text) {
    for (const Diagnostic& d : complaints) found_[{d.file, d.line}];
    const LineMap map(tokenize(text));
    for (int number = 1; !text.empty(); ++number) {
      const size_t end = std::min(text.find('\n'), text.size() - 1);
      const TextPlace place = map.place(number);
      const auto wanted = found_.find({place.file, place.line});
      if (wanted != found_.end()) wanted->second.push_back(text.substr(0, end + 1));
      text.remove_prefix(end + 1);
    }
  }

  // All of them: what is generated may be said to be of a line, too.
  const std::vector<std::string_view>& of(const Diagnostic& d) const {
    return found_.at({d.file, d.line});
  }

 private:
  std::map<std::pair<std::string, int>, std::vector<std::string_view>> found_;
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
  const Lines own(diagnostics, text), seen(diagnostics, compiled);
  for (Diagnostic& d : diagnostics) {
    if (d.column == 0) continue;
    const auto& written = own.of(d);
    if (written.empty()) continue;  // in a header, which nobody shows
    int column = 0;
    for (const std::string_view line : seen.of(d))
      if (column == 0) column = user_column(written[0], line, d.column);
    d.column = column;
  }
  return diagnostics;
}

}  // namespace gpuarr::host
