// Reading NVRTC's log. A message looks like this, and ends at an empty line:
//
//   body(3): error: identifier "foo" is undefined
//       z = foo(x);
//           ^
//             detected during instantiation of "T f(T) [with T=int]" at line 7 of preamble
//
// The source line is shown behind two more spaces than it has; the caret is on its column.
#include "cuda/compile/diagnostics.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace gpuarr::cuda {
namespace {

using Lines = std::vector<std::string_view>;

constexpr int shift = 2;  // of the source line that is shown

Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string_view trimmed(std::string_view line) {
  size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

bool is_caret(std::string_view line) { return trimmed(line) == "^"; }

// "error: text", "warning #177-D: text", "catastrophic error: text", "error   : text".
bool read_message(std::string_view rest, Diagnostic& d) {
  size_t colon = rest.find(": ");
  if (colon == std::string_view::npos) return false;
  std::string_view kind = rest.substr(0, colon);
  d.is_error = kind.find("error") != std::string_view::npos || kind.starts_with("fatal");
  bool is_other = kind.starts_with("warning") || kind.starts_with("remark") ||
                  kind.starts_with("note") || kind.starts_with("info");
  d.message = trimmed(rest.substr(colon + 2));
  return d.is_error || is_other;
}

// "body(3): " and a message.
std::optional<Diagnostic> read_located(std::string_view line) {
  for (size_t close = line.find("): "); close != std::string_view::npos;
       close = line.find("): ", close + 1)) {
    size_t open = line.rfind('(', close);
    if (open == std::string_view::npos || open == 0) continue;
    Diagnostic d;
    const char* end = line.data() + close;
    auto [rest, error] = std::from_chars(line.data() + open + 1, end, d.line);
    if (error != std::errc() || rest != end) continue;
    d.file = line.substr(0, open);
    if (read_message(line.substr(close + 3), d)) return d;
  }
  return std::nullopt;
}

// What NVRTC says of its options, and its assembler of the whole kernel.
std::optional<Diagnostic> read_unlocated(std::string_view line) {
  for (std::string_view part : {"nvrtc: ", "ptxas "}) {
    Diagnostic d;
    if (line.starts_with(part) && read_message(line.substr(part.size()), d)) return d;
  }
  return std::nullopt;
}

// The lines below the first: source and caret give the column, others go on with the message.
void read_rest(const Lines& lines, size_t begin, size_t end, Diagnostic& d) {
  size_t caret = end;
  for (size_t i = begin; i < end; ++i)
    if (is_caret(lines[i])) caret = i;
  if (caret != end) d.column = std::max(0, static_cast<int>(lines[caret].find('^')) + 1 - shift);
  for (size_t i = begin; i < end; ++i) {
    if (caret != end && (i == caret || i + 1 == caret)) continue;
    d.message += "; ";
    d.message += trimmed(lines[i]);
  }
}

// What is wrong in our own templates is told of the user's line that asked for them, the last that
// "detected during instantiation of ... at line 7 of body" names.
void tell_of_user(Diagnostic& d) {
  constexpr std::string_view place = " at line ", of = " of ";
  if (!d.file.starts_with("gpuarr/")) return;
  const std::string message = d.message;
  for (size_t at = message.find(place); at != std::string::npos; at = message.find(place, at + 1)) {
    int line = 0;
    const char* const end = message.data() + message.size();
    auto [rest, error] = std::from_chars(message.data() + at + place.size(), end, line);
    std::string_view file(rest, static_cast<size_t>(end - rest));
    if (error != std::errc() || !file.starts_with(of)) continue;
    file = file.substr(of.size(), file.find(';') - of.size());
    if (file.starts_with("gpuarr/")) continue;
    d.file = trimmed(file);
    d.line = line;
    d.column = 0;
  }
}

}  // namespace

std::vector<Diagnostic> parse_log(std::string_view log) {
  std::vector<Diagnostic> found;
  Lines lines = split(log);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (auto d = read_unlocated(lines[i])) found.push_back(std::move(*d));
    auto located = read_located(lines[i]);
    if (!located) continue;
    size_t end = i + 1;
    while (end < lines.size() && !trimmed(lines[end]).empty() && !read_located(lines[end])) ++end;
    read_rest(lines, i + 1, end, *located);
    tell_of_user(*located);
    found.push_back(std::move(*located));
  }
  return found;
}

}  // namespace gpuarr::cuda
