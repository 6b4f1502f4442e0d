// The few loops that a device may bring precompiled, so that arrays work without a compiler.
#pragma once

#include "core/dtype.hpp"
#include "core/shape.hpp"

namespace gpuarr {

struct Builtin {
  enum class Kind {
    copy,    // target[i] = (target type)source[i], both in the device's memory
    fill,    // target[i] = value
    arange,  // target[i] = (target type)(start + i * step), i in C order; in int64, modulo 2^64,
             // or in double
  };
  Kind kind = Kind::copy;
  Dims shape;
  DType target_dtype = DType::f32;
  void* target = nullptr;  // element with all indices 0
  Dims target_strides;
  DType source_dtype = DType::f32;  // copy only
  const void* source = nullptr;
  Dims source_strides;
  alignas(8) unsigned char value[16] = {};  // fill only: a target_dtype, kept by value, since the
                                            // loop may run after the caller's variable is gone
  bool whole_numbers = false;               // arange only: which of the pairs holds the numbers
  int64_t start_whole = 0, step_whole = 0;
  double start_real = 0, step_real = 0;
};

}  // namespace gpuarr
