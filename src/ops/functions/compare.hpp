// Whether two arrays are the same, or nearly.
#pragma once

#include "array/array.hpp"

namespace gpuarr {

struct Tolerance {
  double relative;
  double absolute;
  bool equal_nan;
};

/// Both wait for the answer. A null stream is the current one of the arrays' device.
bool array_equal(const Array& x, const Array& y, Stream* stream);
bool all_close(const Array& x, const Array& y, const Tolerance& within, Stream* stream);

}  // namespace gpuarr
