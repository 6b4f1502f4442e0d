#define FMT_HEADER_ONLY
#include "core/text.hpp"

#include <fmt/format.h>

namespace gpuarr {

std::string format_text(fmt::string_view format, fmt::format_args args) {
  return fmt::vformat(format, args);
}

std::string joined(std::span<const std::string> parts, const std::string& separator) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : separator) + part;
  return out;
}

}  // namespace gpuarr
