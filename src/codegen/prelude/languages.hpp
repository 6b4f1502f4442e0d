// What a kernel that was written in another language needs: for each a namespace in which the
// operators and functions of that language have its meaning (language/README.md).
#pragma once

#include <string>

#include "core/user_text.hpp"

namespace gpuarr {

/// A set of them, a bit for each. A text asks for one by naming its namespace.
using Languages = unsigned;

Languages language_of(std::string_view word);
Languages languages_of(const UserText& text);

/// Their files, one after another; the same for kernels of all kinds and both devices.
std::string language_text(Languages set);

}  // namespace gpuarr
