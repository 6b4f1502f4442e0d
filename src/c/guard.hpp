// The one place where exceptions become status codes.
#pragma once

#include "gpuarr/base.h"

namespace gpuarr {

/// Turns the exception in flight into this thread's last error, prefixed with the function's name.
gpuarr_status translate(const char* function) noexcept;

template <class Body>
gpuarr_status guard(const char* function, Body&& body) noexcept {
  try {
    body();
    return GPUARR_OK;
  } catch (...) {
    return translate(function);
  }
}

}  // namespace gpuarr
