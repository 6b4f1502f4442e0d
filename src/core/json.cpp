#include "core/json.hpp"

#include "core/text.hpp"

namespace gpuarr {

std::string json_quoted(std::string_view plain) {
  std::string out = "\"";
  for (char c : plain) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      out += formatted("\\u{:04x}", static_cast<int>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string json_object(
    std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
  std::string out = "{";
  for (const auto& [key, value] : members) {
    if (out.size() > 1) out += ", ";
    out += json_quoted(key) + ": ";
    out += value;
  }
  return out + '}';
}

}  // namespace gpuarr
