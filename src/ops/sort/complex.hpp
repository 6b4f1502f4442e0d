// Sorting complex numbers: by the imaginary parts, then by the real ones, then by which are NaN.
#pragma once

#include "ops/base/along.hpp"

namespace gpuarr {

/// Rows of complex numbers in C order, in NumPy's order: numbers, those whose imaginary part is
/// NaN, those whose real part is.
void sort_complex_rows(const Array& from, bool descending, const RowTarget& values,
                       const RowTarget& index, Stream& stream);

/// out[r, k] = x[r, index[r, k]]; all are rows of one length, in C order.
void take_in_rows(const Array& out, const Array& x, const Array& index, Stream& stream);

}  // namespace gpuarr
