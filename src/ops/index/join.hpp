// Arrays joined along an axis, and cut along one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "array/array.hpp"

namespace gpuarr {

// `out` is null where the result is to be made; that is returned. A null stream is the current one
// of the arrays' device.

std::optional<Array> concatenate(const Array* out, std::span<const Array* const> arrays,
                                 int32_t axis, Stream* stream);
std::optional<Array> stack_arrays(const Array* out, std::span<const Array* const> arrays,
                                  int32_t axis, Stream* stream);

// Views, in their order along the axis.
std::vector<Array> split(const Array& array, int32_t sections, int32_t axis);
std::vector<Array> split_at(const Array& array, std::span<const int64_t> indices, int32_t axis);

/// Views of one shape, which is that of all broadcast together.
std::vector<Array> broadcast_arrays(std::span<const Array* const> arrays);

/// Views of one shape with an axis for each array, along which it lies; the first two change places
/// where `swaps`.
std::vector<Array> meshgrid(std::span<const Array* const> arrays, bool swaps);

}  // namespace gpuarr
