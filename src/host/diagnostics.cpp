#include "host/diagnostics.hpp"

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

// "file:12:5: error: message"; the column may be missing.
std::optional<Diagnostic> parse_line(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  Diagnostic out;
  out.file = line.substr(0, colon);
  std::string_view rest = line.substr(colon + 1);
  auto number = take_number(rest);
  if (!number) return std::nullopt;
  out.line = *number;
  out.column = take_number(rest).value_or(0);
  out.is_error = take(rest, " error: ") || take(rest, " fatal error: ");
  if (!out.is_error && !take(rest, " warning: ")) return std::nullopt;
  out.message = rest;
  return out;
}

}  // namespace

std::vector<Diagnostic> parse_diagnostics(std::string_view log) {
  std::vector<Diagnostic> out;
  while (!log.empty()) {
    const size_t end = log.find('\n');
    if (auto diagnostic = parse_line(log.substr(0, end))) out.push_back(std::move(*diagnostic));
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
  }
  return out;
}

}  // namespace gpuarr::host
