// Choosing elements by a mask: taking them, telling their places, and writing to them.
#pragma once

#include <optional>

#include "array/array.hpp"
#include "kernel/binding.hpp"

namespace gpuarr {

/// The elements that the mask chooses, in C order; waits for their number. A null stream is the
/// current one of the array's device. `out` is null where the result is to be made.
std::optional<Array> select(const Array& x, const Array& mask, const Array* out, Stream* stream);

/// The same into the front of `out`, without waiting; what has no room there is left out. The
/// number, int64, which is returned if `count` is null, counts all.
std::optional<Array> select_into(const Array& out, const Array* count, const Array& x,
                                 const Array& mask, Stream* stream);

/// The numbers in C order of the elements that are not 0, int64; waits.
Array flat_nonzero(const Array& x, Stream* stream);

/// Their indices along each axis; waits.
std::vector<Array> nonzero(const Array& x, Stream* stream);

/// Writes to the elements of x that the mask chooses: a scalar, or an array's elements in turn.
void place(const Array& x, const Array& mask, const Argument& values, Stream* stream);

}  // namespace gpuarr
