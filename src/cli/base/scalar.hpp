// Scalars on the command line: "2.5", "3", "true", "1+2i", "f32:2.5".
#pragma once

#include <optional>
#include <string_view>

#include "gpuarr.h"

namespace cli {

/// Whether text is a number without a type before it; "true" and "false" are none.
bool is_number(std::string_view text);

/// The scalar that a word stands for; nothing if the word is a file's name. Throws a UsageError for
/// a number that its type cannot hold.
std::optional<gpuarr_arg> parse_scalar(std::string_view word);

}  // namespace cli
