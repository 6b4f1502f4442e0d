#include "core/line_name.hpp"

namespace gpuarr {

std::string line_name(std::string_view file) {
  std::string out = "\"";
  for (const char c : file) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out + '"';
}

}  // namespace gpuarr
