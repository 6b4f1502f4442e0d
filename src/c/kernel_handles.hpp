// The opaque types that have to do with kernels.
#pragma once

#include "c/handles.hpp"
#include "kernel/elementwise.hpp"
#include "kernel/reduction.hpp"

struct gpuarr_kernel_options : gpuarr::Handle<gpuarr::KernelOptions> {
  using Handle::Handle;
};
struct gpuarr_call : gpuarr::Handle<gpuarr::PreparedCall> {
  using Handle::Handle;
};
struct gpuarr_elementwise : gpuarr::Handle<std::shared_ptr<gpuarr::Elementwise>> {
  using Handle::Handle;
};
struct gpuarr_reduction : gpuarr::Handle<std::shared_ptr<gpuarr::Reduction>> {
  using Handle::Handle;
};

namespace gpuarr {

inline const char* checked_text(const char* text, const char* argument) {
  if (text == nullptr) fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give text", argument);
  return text;
}

}  // namespace gpuarr
