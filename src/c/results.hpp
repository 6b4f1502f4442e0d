// Results of which a caller may want some and not others.
#pragma once

#include <initializer_list>
#include <optional>

#include "c/function_call.hpp"
#include "c/operation_arguments.hpp"
#include "ops/sort/sort.hpp"

namespace gpuarr {

/// A NULL `out` is no wish for the result.
inline Wanted wanted_in(gpuarr_array* const* out, const char* argument) {
  if (out == nullptr) return {};
  return {true, deref_or_null(*out, argument)};
}

/// Gives the caller what was made: all, or nothing where there is no memory for a handle.
struct MadeResult {
  gpuarr_array** out;
  std::optional<Array>* made;
};
inline void hand_out(std::initializer_list<MadeResult> results) {
  gpuarr_array* handles[8] = {};
  size_t count = 0;
  try {
    for (const MadeResult& r : results)
      handles[count++] = *r.made ? wrap(std::move(**r.made)) : nullptr;
  } catch (...) {
    for (gpuarr_array* handle : handles) release(handle);
    throw;
  }
  count = 0;
  for (const MadeResult& r : results)
    if (gpuarr_array* handle = handles[count++]; handle != nullptr) *r.out = handle;
}

}  // namespace gpuarr
