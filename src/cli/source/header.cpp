#include "cli/source/header.hpp"

#include <algorithm>
#include <cctype>

namespace cli {
namespace {

bool is_of_names(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Question marks are escaped since two of them begin a trigraph.
std::string literal(std::string_view line) {
  std::string out = "    \"";
  for (const char c : line) {
    if (c == '"' || c == '\\' || c == '?') out += '\\';
    out += c;
  }
  return out + "\\n\"\n";
}

std::string literals(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    out += literal(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

}  // namespace

std::string variable_name(const std::string& file) {
  std::string out = file;
  std::ranges::replace_if(
      out, [](char c) { return !is_of_names(c); }, '_');
  return std::isdigit(static_cast<unsigned char>(out[0])) != 0 ? "_" + out : out;
}

std::string header_text(std::span<const KernelFile> files, const std::string& header) {
  std::string guard = "GPUARR_EMBEDDED_" + variable_name(header);
  std::ranges::transform(guard, guard.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string out = "/* Made by `gpuarr embed`; changes are lost. */\n#ifndef " + guard +
                    "\n#define " + guard +
                    "\n\n#ifdef __GNUC__\n#pragma GCC diagnostic push\n"
                    "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n#endif\n";
  for (const KernelFile& file : files)
    out += "\n#ifdef __GNUC__\n__attribute__((unused))\n#endif\nstatic const char " +
           variable_name(file.name) + "[] =\n" + literals(file.text) + "    ;\n";
  return out + "\n#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n\n#endif\n";
}

}  // namespace cli
