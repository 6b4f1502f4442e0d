#include "kernel/text/diagnose.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/text/brackets.hpp"

namespace gpuarr {
namespace {

constexpr size_t most_shown = 100;  // complaints; each looks through its text

std::string_view line_of(std::string_view text, int number) {
  for (int k = 1; k < number; ++k) {
    size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

// A complaint just behind the last line is about its end.
void show(std::string& out, const NamedLines& lines, const Diagnostic& d) {
  const int count = count_lines(lines.text);
  const bool behind = d.line - lines.first >= count;
  const int at = behind ? count : d.line - lines.first + 1;
  std::string_view line = line_of(lines.text, at);
  int end = static_cast<int>(line.size()) + 1;
  int column = behind ? end : d.column > end ? 0 : d.column;  // what is ours behind it is not shown
  const int number = lines.first + at - 1;
  out += formatted("\n{}, line {}", lines.file, number);
  if (column > 0) out += formatted(", column {}", column);
  out += formatted(": {}\n{:5} | {}", d.message, number, line);
  if (column <= 0) return;
  out += "\n      | ";
  for (int k = 1; k < column; ++k)  // a tab stays a tab, so that the mark stands under its place
    out += static_cast<size_t>(k) <= line.size() && line[static_cast<size_t>(k - 1)] == '\t' ? '\t'
                                                                                             : ' ';
  out += '^';
}

// The lines that a complaint is about: those that have its number, else the last of its file.
const NamedLines* find_lines(std::span<const NamedLines> all, const Diagnostic& d) {
  const NamedLines* found = nullptr;
  for (const NamedLines& lines : all) {
    if (lines.file != d.file || d.line < lines.first) continue;
    if (d.line < lines.first + count_lines(lines.text)) return &lines;
    found = &lines;
  }
  return found;
}

// What the compiler found behind a piece is often about a bracket in it.
std::string explain_brackets(std::span<const UserPiece> pieces) {
  std::string out;
  for (const UserPiece& piece : pieces) {
    auto fault = find_unbalanced(piece.second);
    if (!fault) continue;
    for (const NamedLines& lines : named_lines(piece)) {
      const auto at = static_cast<size_t>(lines.text.data() - piece.second.data());
      if (fault->at > at + lines.text.size()) continue;
      std::string_view before = lines.text.substr(0, fault->at - at);
      Diagnostic d;
      d.line = lines.first + count_lines(before) - 1;
      d.column = static_cast<int>(before.size() - (before.rfind('\n') + 1)) + 1;
      d.message = fault->message;
      show(out, lines, d);
      break;
    }
  }
  return out;
}

}  // namespace

void fail_explained(const CompileError& error, const std::string& headline,
                    std::span<const UserPiece> pieces) {
  std::string out = headline;
  std::vector<NamedLines> all;
  for (const UserPiece& piece : pieces)
    for (NamedLines& lines : named_lines(piece)) all.push_back(std::move(lines));
  std::vector<std::string> shown;
  int more = 0;
  bool elsewhere = false;
  bool wrong_type = false;
  for (const Diagnostic& d : error.diagnostics()) {
    if (!d.is_error) continue;
    if (wrong_type) break;  // what is wrong with a type is wrong again wherever it is used
    wrong_type = d.file == "reduce_type";
    const NamedLines* lines = find_lines(all, d);
    if (lines == nullptr) {
      elsewhere = true;
      continue;
    }
    if (shown.size() == most_shown) {
      ++more;
      continue;
    }
    std::string entry;
    show(entry, *lines, d);
    if (std::ranges::find(shown, entry) == shown.end()) shown.push_back(entry);
  }
  for (const std::string& entry : shown) out += entry;
  if (more > 0) out += formatted("\n{} more errors are not shown", more);
  std::string brackets = elsewhere || shown.empty() ? explain_brackets(pieces) : "";
  out += brackets;
  if (brackets.empty() && (elsewhere || shown.empty()))
    out += "\nThe compiler said:\n" + error.message();
  throw Error(GPUARR_ERR_COMPILE, out, error.native());
}

}  // namespace gpuarr
