// Formatted text. Only text.cpp compiles the formatter, so that this header stays cheap.
#pragma once

#include <fmt/core.h>

#include <string>

namespace gpuarr {

std::string format_text(fmt::string_view format, fmt::format_args args);

template <class... Args>
std::string text(fmt::format_string<Args...> format, Args&&... args) {
  return format_text(format, fmt::make_format_args(args...));
}

}  // namespace gpuarr
