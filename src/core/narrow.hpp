// Numbers in few bytes that refuse what does not fit.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <limits>
#include <string>

namespace gpuarr {

[[noreturn]] void refuse_wide(int64_t value, int64_t most);  // GPUARR_ERR_INTERNAL

/// What is kept as a T, an unsigned integer, and never cut to fit it.
template <class T>
class Narrow {
 public:
  constexpr Narrow(int64_t value = 0) : value_(static_cast<T>(value)) {
    if (value_ != value) refuse_wide(value, std::numeric_limits<T>::max());
  }
  constexpr operator int() const { return value_; }

 private:
  T value_;
};
using Small = Narrow<uint8_t>;

}  // namespace gpuarr

template <class T>
struct fmt::formatter<gpuarr::Narrow<T>> {
  static constexpr auto parse(format_parse_context& context) { return context.begin(); }
  static auto format(gpuarr::Narrow<T> number, format_context& context) {
    auto out = context.out();
    for (const char digit : std::to_string(number)) *out++ = digit;
    return out;
  }
};
