// Ready-made reductions by name, from the C ABI's form.
#pragma once

#include "c/kernel_handles.hpp"
#include "ops/reduce/reduce.hpp"

namespace gpuarr {

inline Reducer reducer_named(const char* name) {
  const auto reducer = find_reducer(checked_text(name, "name"));
  if (!reducer)
    fail(GPUARR_ERR_ARGUMENT,
         "there is no reduction \"{}\"; give one as \"sum\", \"mean\" or \"max\"", name);
  return *reducer;
}

}  // namespace gpuarr
