#include "host/compile/diagnostics.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace gpuarr::host {
namespace {

// Takes "12:" off the front of the text.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || rest == text.data() + text.size() || *rest != ':')
    return std::nullopt;
  text.remove_prefix(static_cast<size_t>(rest - text.data()) + 1);
  return number;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// "file:12:5" at the beginning, which is taken off; the column may be missing.
std::optional<Diagnostic> take_place(std::string_view& line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  Diagnostic out;
  out.file = line.substr(0, colon);
  line.remove_prefix(colon + 1);
  auto number = take_number(line);
  if (!number) return std::nullopt;
  out.line = *number;
  out.column = take_number(line).value_or(0);
  return out;
}

// "file:12:5: error: message"
std::optional<Diagnostic> parse_line(std::string_view line) {
  auto out = take_place(line);
  if (!out) return out;
  out->is_error = take(line, " error: ") || take(line, " fatal error: ");
  if (!out->is_error && !take(line, " warning: ")) return std::nullopt;
  out->message = line;
  return out;
}

// "file:12:5:   required from here", which g++ says before an error, and clang's "file:12:5: note:
// in instantiation of ... requested here" after it.
std::optional<Diagnostic> parse_reason(std::string_view line) {
  auto out = take_place(line);
  const bool is_reason =
      line.find("required from") != std::string_view::npos || line.ends_with(" requested here");
  return is_reason ? out : std::nullopt;
}

bool is_ours(const Diagnostic& d) { return d.file.starts_with("gpuarr/"); }

void move_to(Diagnostic& d, const Diagnostic& reason) {
  d.file = reason.file;
  d.line = reason.line;
  d.column = reason.column;
}

}  // namespace

// What is wrong in our own templates is told of the user's line that asked for them.
std::vector<Diagnostic> parse_diagnostics(std::string_view log) {
  std::vector<Diagnostic> out;
  std::optional<Diagnostic> reason;  // the user's last one
  for (; !log.empty(); log.remove_prefix(std::min(log.find('\n'), log.size() - 1) + 1)) {
    const std::string_view line = log.substr(0, log.find('\n'));
    if (auto found = parse_line(line)) {
      if (found->is_error && is_ours(*found) && reason) move_to(*found, *reason);
      out.push_back(std::move(*found));
    } else if (auto why = parse_reason(line)) {
      if (is_ours(*why)) continue;
      if (!out.empty() && out.back().is_error && is_ours(out.back()) &&
          line.ends_with(" requested here"))
        move_to(out.back(), *why);
      reason = std::move(*why);
    } else if (line.find(": In ") != std::string_view::npos || line.ends_with("scope:")) {
      reason.reset();
    }
  }
  return out;
}

}  // namespace gpuarr::host
