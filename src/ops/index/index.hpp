// Elements taken from and put to places that an array of indices names.
#pragma once

#include <optional>

#include "array/array.hpp"
#include "kernel/binding.hpp"

namespace gpuarr {

// `out` is null where the result is to be made; that is returned. A null stream is the current one
// of the arrays' device. What is wrong with indices is found by the kernels: see device/reports.md.

/// out[a, i, b] = x[a, indices[i], b], where a, i and b stand for any number of indices.
std::optional<Array> take(const Array* out, const Array& x, const Array& indices, int32_t axis,
                          Stream* stream);

/// The same into an array that shares no memory with the others, of just the result's shape.
void take_into(const Array& to, const Array& x, const Array& indices, int axis, Stream& stream);

/// out[a, i, b] = x[a, indices[a, i, b], b], each of one index along the axis.
std::optional<Array> take_along_axis(const Array* out, const Array& x, const Array& indices,
                                     int32_t axis, Stream* stream);

/// x[a, indices[i], b] = values[a, i, b], or += where `adds`.
void put(const Array& x, const Array& indices, const Argument& values, int32_t axis, bool adds,
         Stream* stream);

/// x[a, indices[a, i, b], b] = values[a, i, b].
void put_along_axis(const Array& x, const Array& indices, const Argument& values, int32_t axis,
                    Stream* stream);

}  // namespace gpuarr
