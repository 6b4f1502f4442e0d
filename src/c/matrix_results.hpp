// Results of functions that may have several, between the C ABI and what computes them.
#pragma once

#include <initializer_list>

#include "c/handles.hpp"
#include "linalg/factors/matrix_result.hpp"

namespace gpuarr {

/// A result, and where the caller keeps it.
struct ResultSlot : MatrixResult {
  gpuarr_array** out;
};

ResultSlot required_slot(gpuarr_array** out, const char* name);
ResultSlot nullable_slot(gpuarr_array** out, const char* name);  // NULL: it is not wanted

/// Gives the arrays that a call made to the caller: all, or none if that fails.
void hand_out_all(std::initializer_list<ResultSlot*> slots);

}  // namespace gpuarr
