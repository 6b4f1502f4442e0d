#define FMT_HEADER_ONLY
#include "core/text.hpp"

#include <fmt/format.h>

namespace gpuarr {

std::string format_text(fmt::string_view format, fmt::format_args args) {
  return fmt::vformat(format, args);
}

}  // namespace gpuarr
