// Products of matrices of whole numbers, for which no library has functions.
#pragma once

#include "array/array.hpp"

namespace gpuarr {

/// out = x y over the last two axes, modulo 2^bits; of bool, "or" of "and"s. The axes before
/// broadcast to those of `out`; there is something to add up. Any layouts; `out` may overlap.
/// `adds`: to what `out` has.
void multiply_integers(const Array& out, const Array& x, const Array& y, bool adds, Stream& stream);

}  // namespace gpuarr
