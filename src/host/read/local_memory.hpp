// Whether threads have memory of their own.
#pragma once

#include <string_view>

namespace gpuarr::host {

/// Whether some function may have a variable that stays in memory: an array, or one whose address
/// is taken. Threads in a loop have such a variable one after another at the same place, so a
/// compiler that is told to take nothing for dependent between them (ivdep) mixes up their values.
bool has_local_memory(std::string_view preprocessed);

}  // namespace gpuarr::host
