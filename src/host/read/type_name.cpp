#include "host/read/type_name.hpp"

#include <utility>

namespace gpuarr::host {
namespace {

using Renaming = std::pair<std::string_view, std::string_view>;

constexpr Renaming renamings[] = {
    {"{anonymous}", "(anonymous namespace)"},
    {"long long unsigned int", "unsigned long long"},
    {"long unsigned int", "unsigned long"},
    {"short unsigned int", "unsigned short"},
    {"long long int", "long long"},
    {"long int", "long"},
    {"short int", "short"},
    {" *", "*"},
    {" &", "&"},
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Up to what ends the list: a bracket of its own, or the semicolon before the next name.
std::string_view first_entry(std::string_view list) {
  int depth = 0;
  for (size_t k = 0; k < list.size(); ++k) {
    const char c = list[k];
    if (c == '[' || c == '(' || c == '{') ++depth;
    if (depth == 0 && (c == ']' || c == ';')) return list.substr(0, k);
    if (c == ']' || c == ')' || c == '}') --depth;
  }
  return list;
}

}  // namespace

std::string type_name(std::string_view function) {
  constexpr std::string_view begin = "T = ";
  const size_t list = function.rfind('[', function.find(begin));
  const size_t at = function.find(begin);
  if (list == std::string_view::npos || at == std::string_view::npos) return "";
  std::string out(first_entry(function.substr(at + begin.size())));
  for (const auto& [from, to] : renamings) replace_all(out, from, to);
  return out;
}

bool is_const(std::string_view type) {
  if (type.ends_with("*const") || type.ends_with("* const")) return true;
  return type.starts_with("const ") && !type.ends_with('*') && !type.ends_with('&');
}

}  // namespace gpuarr::host
