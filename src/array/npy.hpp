// .npy files.
#pragma once

#include "array/array.hpp"

namespace gpuarr {

/// A new array in the file's memory order, on the stream's device.
Array load_npy(const char* path, Stream& stream);

/// The array's elements lie in C or Fortran order.
void save_npy(const char* path, const Array& array, Stream& stream);

/// The memory order in which an array is saved.
Order npy_order(const Array& array);

}  // namespace gpuarr
