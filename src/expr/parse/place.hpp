// Where in an expression's text something is wrong, and how that is said.
#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"

namespace gpuarr::expr {

/// "text, line 2, column 5: MESSAGE", and below it the line with a ^ under the character. `place`
/// is in bytes; columns count characters.
std::string message_at(std::string_view text, size_t place, std::string_view message);

template <class... Args>
[[noreturn]] void fail_at(std::string_view text, size_t place, gpuarr_status status,
                          fmt::format_string<Args...> format, Args&&... args) {
  throw Error(status, message_at(text, place, format_text(format, fmt::make_format_args(args...))));
}

/// Bytes of the character that a text begins with; 0 where it is no UTF-8.
size_t character_length(std::string_view text);

/// Whether the character, which is more than a byte, may be in a name: signs and blanks are none.
bool is_letter(std::string_view character);

}  // namespace gpuarr::expr
