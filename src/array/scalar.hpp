// One element with its dtype, and its conversion to another dtype that must be able to hold it.
#pragma once

#include <string>

#include "core/dtype.hpp"
#include "gpuarr/arg.h"

namespace gpuarr {

struct Scalar {
  DType dtype = DType::f64;
  alignas(16) unsigned char bytes[16] = {};  // as the dtype lies in memory, then zeros

  /// Checks an argument that came over the C ABI; `argument` names it in messages.
  static Scalar from(const gpuarr_arg& arg, const char* argument);
  static Scalar of(double value);
  static Scalar of(int64_t value);
  static Scalar of(uint64_t value);

  /// Writes the value as an element of another dtype, if that can hold it; GPUARR_ERR_DTYPE if not.
  ///
  /// Floats are rounded to nearest, and so are integers that become floats. What does not fit is a
  /// number out of range (a finite one that would become infinite too), a fraction or a NaN as an
  /// integer, an imaginary part that is not 0 as a real, and anything but 0 and 1 as a bool. With
  /// `to_infinity`, what is out of a float's range becomes infinite.
  void convert_to(DType target, void* out, const char* argument, bool to_infinity = false) const;

  bool is_whole() const;  // of an integer type or bool

  // Exact: a long double holds all of int64, uint64 and float64.
  long double real() const;
  long double imaginary() const;

  std::string to_text() const;  // "300", "2.5", "1+2i"
};

}  // namespace gpuarr
