// The one place where exceptions become status codes.
#pragma once

#include <span>
#include <string_view>

#include "c/tracking.hpp"
#include "core/error.hpp"
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

/// Checks an output pointer and clears it, so that a failure leaves nothing behind.
template <class T>
T& output(T* out, const char* argument = "out") {
  if (out == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give the address of a variable", argument);
  *out = T{};
  return *out;
}

/// Whether an argument that says yes or no is 1.
inline bool checked_flag(int32_t value, const char* argument) {
  if (value != 0 && value != 1) fail(GPUARR_ERR_ARGUMENT, "{} is {}; give 1 or 0", argument, value);
  return value != 0;
}

/// The one of these that a statistic calls for; they are in the order of its constants, from 1.
template <class T>
T statistic_of(std::span<const T> all, int32_t statistic, const char* constants) {
  if (statistic < 1 || static_cast<size_t>(statistic) > all.size())
    fail(GPUARR_ERR_ARGUMENT, "statistic is {}; give one of the {}... numbers, 1 to {}", statistic,
         constants, all.size());
  return all[static_cast<size_t>(statistic) - 1];
}

/// guard() of a function with one output, which becomes what `make` returns.
template <class T, class Make>
[[gnu::always_inline]] inline gpuarr_status guard_output(const char* function, T* out,
                                                         Make&& make) noexcept {
  return guard(function, [&] {
    T& result = output(out);
    result = make();
  });
}

}  // namespace gpuarr
