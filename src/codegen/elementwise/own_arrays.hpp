// Whether an element's body has memory of its own.
#pragma once

#include <string_view>

namespace gpuarr {

/// Whether text may declare an array that is not one for all, or take the address of a part of a
/// variable. Elements in a loop have it one after another at the same place, so a compiler that is
/// told to take nothing for dependent between them mixes up their values.
bool has_own_arrays(std::string_view text);

}  // namespace gpuarr
