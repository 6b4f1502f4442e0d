// Results of functions that may have several, between the C ABI and what computes them.
#pragma once

#include <initializer_list>

#include "c/handles.hpp"
#include "ops/base/wanted.hpp"

namespace gpuarr {

/// A result, and where the caller keeps it.
struct ResultSlot : Wanted {
  gpuarr_array** out;
};

// `argument` is what messages call a handle there, "*values" or "values"; of the result they say
// "values".
ResultSlot required_slot(gpuarr_array** out, const char* argument);
ResultSlot nullable_slot(gpuarr_array** out, const char* argument);  // NULL: it is not wanted

/// Gives the arrays that a call made to the caller: all, or none if that fails.
void hand_out_all(std::initializer_list<ResultSlot*> slots);

}  // namespace gpuarr
