#include "kernel/text/diagnose.hpp"

#include <algorithm>
#include <string_view>
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

int count_lines(std::string_view text) {
  return 1 + static_cast<int>(std::ranges::count(text, '\n'));
}

// A complaint just behind the last line is about its end.
void show(std::string& out, const char* name, std::string_view piece, const Diagnostic& d) {
  int lines = count_lines(piece);
  bool behind = d.line > lines;
  int number = behind ? lines : d.line;
  std::string_view line = line_of(piece, number);
  int end = static_cast<int>(line.size()) + 1;
  int column = behind ? end : d.column > end ? 0 : d.column;  // what is ours behind it is not shown
  out += formatted("\n{}, line {}", name, number);
  if (column > 0) out += formatted(", column {}", column);
  out += formatted(": {}\n{:5} | {}", d.message, number, line);
  if (column <= 0) return;
  out += "\n      | ";
  for (int k = 1; k < column; ++k)  // a tab stays a tab, so that the mark stands under its place
    out += static_cast<size_t>(k) <= line.size() && line[static_cast<size_t>(k - 1)] == '\t' ? '\t'
                                                                                             : ' ';
  out += '^';
}

// What the compiler found behind a piece is often about a bracket in it.
std::string explain_brackets(std::span<const UserPiece> pieces) {
  std::string out;
  for (const auto& [name, piece] : pieces) {
    auto fault = find_unbalanced(piece);
    if (!fault) continue;
    std::string_view before = piece.substr(0, fault->at);
    Diagnostic d;
    d.line = count_lines(before);
    d.column = static_cast<int>(before.size() - (before.rfind('\n') + 1)) + 1;
    d.message = fault->message;
    show(out, name, piece, d);
  }
  return out;
}

}  // namespace

void fail_explained(const CompileError& error, const std::string& headline,
                    std::span<const UserPiece> pieces) {
  std::string out = headline;
  std::vector<std::string> shown;
  int more = 0;
  bool elsewhere = false;
  bool wrong_type = false;
  for (const Diagnostic& d : error.diagnostics()) {
    if (!d.is_error) continue;
    if (wrong_type) break;  // what is wrong with a type is wrong again wherever it is used
    wrong_type = d.file == "reduce_type";
    auto piece = std::ranges::find(pieces, d.file, &UserPiece::first);
    if (piece == pieces.end()) {
      elsewhere = true;
      continue;
    }
    if (shown.size() == most_shown) {
      ++more;
      continue;
    }
    std::string entry;
    show(entry, piece->first, piece->second, d);
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
