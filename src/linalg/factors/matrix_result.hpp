// Results of functions that may have several: what the caller wants of them, and where it goes.
#pragma once

#include <initializer_list>
#include <optional>

#include "array/array.hpp"

namespace gpuarr {

/// One result. The caller may not want it, has an array for it, or has it made.
struct MatrixResult {
  const char* name;  // of the argument, for messages
  bool wanted = true;
  const Array* given = nullptr;
  std::optional<Array> made = {};
};

/// Fails where an array was given that is of another shape or dtype, or on another device, or
/// cannot be written to.
void check_given(const MatrixResult& result, DType dtype, const Dims& shape, const Device& device);

/// Fails where two given arrays share memory.
void check_apart(std::initializer_list<const MatrixResult*> results);

/// Strides of a new array of the shape, whose axes lie in memory in the order of `like`'s; in C
/// order if it has another number of axes.
Dims strides_as(const Layout& like, const Dims& shape);

/// Where the result goes: into the given array, or into a new one like that of deliver().
Array place(MatrixResult& result, DType dtype, const Dims& shape, const Layout& like,
            Stream& stream);

/// The array as the result, copied where it has to lie otherwise: in a given array, or with the
/// axes in the order of `like`'s.
void deliver(MatrixResult& result, const Array& value, const Layout& like, Stream& stream);

}  // namespace gpuarr
