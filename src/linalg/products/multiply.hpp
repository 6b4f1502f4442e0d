// Products of matrices that are checked: arrays of one dtype and device, whose shapes fit.
#pragma once

#include "array/array.hpp"

namespace gpuarr {

struct ProductOptions {
  bool tf32 = false;  // float32 and complex64 may be rounded to it before they are multiplied
  bool adds = false;  // the product to what `out` has
};

/// out = x y over the last two axes; the axes before broadcast to those of `out`. bool is "or" of
/// "and"s, integers wrap around, 16-bit floats are added up as float32 and rounded once.
/// Any layouts; `out` may overlap x and y, and holds each element once.
void multiply(const Array& out, const Array& x, const Array& y, const ProductOptions& options,
              Stream& stream);

/// The array, seen without the repetition of its stride-0 axes before the last `kept`: with extent
/// 1 there, where it broadcasts.
Array without_repeats(const Array& array, int kept);

}  // namespace gpuarr
