// Formatted text. Only text.cpp compiles the formatter, so that this header stays cheap.
#pragma once

#include <fmt/core.h>

#include <span>
#include <string>
#include <type_traits>

namespace gpuarr {

/// fmt 9 takes constants of C's enums for numbers, fmt 10 (Debian 13 has it) not at all.
template <class... Args>
constexpr bool formats_everywhere = !(std::is_enum_v<std::remove_cvref_t<Args>> || ...);

std::string format_text(fmt::string_view format, fmt::format_args args);

template <class... Args>
std::string formatted(fmt::format_string<Args...> format, Args&&... args) {
  static_assert(formats_everywhere<Args...>);
  return format_text(format, fmt::make_format_args(args...));
}

std::string joined(std::span<const std::string> parts, const std::string& separator = ", ");

}  // namespace gpuarr
