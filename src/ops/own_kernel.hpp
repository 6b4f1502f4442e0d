// Elementwise kernels whose texts are the library's own.
#pragma once

#include <string>
#include <string_view>

#include "kernel/elementwise.hpp"

namespace gpuarr {

/// To be kept in a static pointer, and never destroyed: it may be asked for while the process ends.
inline Elementwise* own_kernel(const char* name, const char* in_params, const char* out_params,
                               std::string_view body, std::string_view preamble = {}) {
  KernelOptions options;
  options.name = name;
  options.preamble = preamble;
  return new Elementwise(in_params, out_params, std::string(body), options);
}

}  // namespace gpuarr
