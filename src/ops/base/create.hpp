// New arrays with values in them.
#pragma once

#include "array/array.hpp"
#include "array/scalar.hpp"

namespace gpuarr {

Array full(Stream& stream, DType dtype, const Dims& shape, Order order, const Scalar& value);

// Arguments come from the C ABI and are checked here.
Array arange(Stream& stream, DType dtype, const Scalar& start, const Scalar& stop,
             const Scalar& step);
Array linspace(Stream& stream, DType dtype, double start, double stop, int64_t count,
               bool endpoint);
Array eye(Stream& stream, DType dtype, int64_t rows, int64_t columns, int64_t k, Order order);

}  // namespace gpuarr
