// The one place where exceptions become status codes.
#pragma once

#include <string_view>

#include "c/tracking.hpp"
#include "gpuarr/base.h"

namespace gpuarr {

/// Turns the exception in flight into this thread's last error, prefixed with the function's name.
gpuarr_status translate(const char* function) noexcept;

/// As gpuarr_last_error_copy does; returns the length of the whole text.
int64_t copy_text(std::string_view text, char* buffer, int64_t capacity) noexcept;

/// Always inline, so that the return address is where the user called.
template <class Body>
[[gnu::always_inline]] inline gpuarr_status guard(const char* function, Body&& body) noexcept {
  const Entry entry(function, __builtin_return_address(0));
  try {
    body();
    return GPUARR_OK;
  } catch (...) {
    return translate(function);
  }
}

}  // namespace gpuarr
