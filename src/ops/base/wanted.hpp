// Results of functions that may have several: what the caller wants of them, and where it goes.
#pragma once

#include <initializer_list>
#include <optional>

#include "array/array.hpp"

namespace gpuarr {

/// One result. The caller may not want it, has an array for it, or has it made.
struct Wanted {
  const char* name;  // of the argument, for messages
  bool wanted = true;
  const Array* given = nullptr;
  std::optional<Array> made = {};
};

/// Fails as the other check_given() does, where an array was given.
void check_given(const Wanted& result, DType dtype, const Dims& shape, const Device& device);

/// Fails where two given arrays share memory.
void check_apart(std::initializer_list<const Wanted*> results);

/// Strides of a new array of the shape, whose axes lie in memory in the order of `like`'s; in C
/// order if it has another number of axes.
Dims strides_as(const Layout& like, const Dims& shape);

/// Where the result goes: into the given array, or into a new one.
const Array& place(Wanted& result, DType dtype, const Dims& shape, const Dims& strides,
                   Stream& stream);
/// The same, where a new one is like that of deliver().
inline const Array& place(Wanted& result, DType dtype, const Dims& shape, const Layout& like,
                          Stream& stream) {
  return place(result, dtype, shape, strides_as(like, shape), stream);
}

/// The array as the result, copied where it has to lie otherwise: in a given array, or with the
/// axes in the order of `like`'s.
void deliver(Wanted& result, const Array& value, const Layout& like, Stream& stream);
inline void deliver(Wanted& result, const Array& value, Stream& stream) {
  deliver(result, value, value.layout, stream);
}

}  // namespace gpuarr
