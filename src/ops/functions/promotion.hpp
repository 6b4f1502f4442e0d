// Which dtype arguments of several dtypes are computed in, as NumPy 2 has it.
#pragma once

#include "core/dtype.hpp"

namespace gpuarr {

/// What a function makes of its arguments' dtypes.
enum class Promotes {
  same,      // the smallest that all fit in
  number,    // likewise, but bool becomes int8
  floating,  // whole numbers become the smallest float that holds them
  divided,   // whole numbers become float64
  doubled,   // float64, or complex128
};

/// The dtype that arguments are computed in together.
class Joining {
 public:
  void add_array(DType dtype) {
    if (dtype != arrays_) join_array(dtype);
  }
  /// Scalars are weak: beside arrays only their kind counts (bool, integer, float, complex).
  void add_scalar(DType dtype);
  DType dtype(Promotes rule) const {
    return rule == Promotes::same && weak_ < 0 ? arrays_ : joined(rule);
  }

 private:
  void join_array(DType dtype);
  DType all_arrays() const;  // and scalars
  DType joined(Promotes rule) const;

  DType arrays_{};  // none yet
  DType floats_{};  // what the whole numbers among them become as floats
  int weak_ = -1;   // the scalars' highest kind
};

/// NumPy's "same_kind": not from a complex number to a float, from a float to an integer, from a
/// signed integer to an unsigned one, or from a number to a bool.
bool may_become(DType from, DType to);

/// The type of a complex number's parts; any other is its own.
DType part_of_complex(DType dtype);

}  // namespace gpuarr
