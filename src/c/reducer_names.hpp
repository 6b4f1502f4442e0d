// Ready-made reductions and scans by name, from the C ABI's form.
#pragma once

#include "c/kernel_handles.hpp"
#include "ops/reduce/reduce.hpp"
#include "ops/reduce/scan.hpp"

namespace gpuarr {

inline Reducer reducer_named(const char* name) {
  const auto reducer = find_reducer(checked_text(name, "name"));
  if (!reducer)
    fail(GPUARR_ERR_ARGUMENT,
         "there is no reduction \"{}\"; give one as \"sum\", \"mean\" or \"max\"", name);
  return *reducer;
}

inline Scanner scanner_named(const char* name) {
  const auto scanner = find_scanner(checked_text(name, "name"));
  if (!scanner)
    fail(GPUARR_ERR_ARGUMENT,
         "there is no scan \"{}\"; give \"cumsum\", \"cumprod\", "
         "\"cummin\" or \"cummax\"",
         name);
  return *scanner;
}

}  // namespace gpuarr
