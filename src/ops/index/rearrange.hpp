// Elements repeated, shifted, and put into larger arrays.
#pragma once

#include <optional>
#include <span>

#include "array/array.hpp"
#include "array/scalar.hpp"

namespace gpuarr {

// `out` is null where the result is to be made; that is returned. A null stream is the current one
// of the array's device.

std::optional<Array> tile(const Array* out, const Array& x, std::span<const int64_t> times,
                          Stream* stream);
std::optional<Array> repeat(const Array* out, const Array& x, int64_t count, int32_t axis,
                            Stream* stream);

/// Each index of the axis so often as `counts`, of an integer type, says. Waits for them.
std::optional<Array> repeat_each(const Array* out, const Array& x, const Array& counts,
                                 int32_t axis, Stream* stream);

std::optional<Array> roll(const Array* out, const Array& x, std::span<const int64_t> shifts,
                          std::span<const int32_t> axes, Stream* stream);

/// What is put before and after the elements along each axis.
struct Padding {
  std::span<const int64_t> before;
  std::span<const int64_t> after;
  int32_t mode;         // GPUARR_PAD_...
  const Scalar* value;  // of GPUARR_PAD_CONSTANT
};
std::optional<Array> pad(const Array* out, const Array& x, const Padding& padding, Stream* stream);

/// 1 on and below the diagonal k, 0 above it.
Array tri(Stream& stream, DType dtype, int64_t rows, int64_t columns, int64_t k, Order order);

/// The elements on one side of a diagonal of the last two axes, itself included; 0 on the other.
std::optional<Array> triangle(const Array* out, const Array& x, int64_t k, bool upper,
                              Stream* stream);

/// A matrix with the elements on its diagonal k, and 0 elsewhere.
std::optional<Array> diag(const Array* out, const Array& x, int64_t k, Stream* stream);

}  // namespace gpuarr
