// What a misspelt name was to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpuarr {

/// "; did you mean X?" for the name that is nearest to the word; "" if none is near.
std::string meant(std::string_view word, std::span<const std::string_view> names);

}  // namespace gpuarr
