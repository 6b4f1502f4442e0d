// The header of a .npy file: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <string>
#include <string_view>

#include "core/dtype.hpp"
#include "core/shape.hpp"

namespace gpuarr {

struct NpyHeader {
  DType dtype = DType::f64;
  bool big_endian = false;
  Order order = Order::c;
  Dims shape;

  int64_t bytes() const { return size_of(shape) * size_of(dtype); }
};

/// What a file begins with, up to its data, in format version 1.0.
std::string format_npy_header(const NpyHeader& header);

/// Reads the dictionary, which is a Python literal. Fails with GPUARR_ERR_FORMAT, GPUARR_ERR_DTYPE
/// or GPUARR_ERR_SHAPE.
NpyHeader parse_npy_header(std::string_view dictionary);

}  // namespace gpuarr
