// Boxes of arrays in files, to and from host memory.
#pragma once

#include <cstdint>

#include "core/dtype.hpp"
#include "core/file.hpp"
#include "core/shape.hpp"

namespace gpuarr {

/// An array that lies in a file without gaps.
struct FileArray {
  DType dtype = DType::f64;
  bool big_endian = false;
  Order order = Order::c;  // c or f
  Dims shape;
  int64_t begin = 0;  // bytes before the first element

  int64_t bytes() const { return size_of(shape) * size_of(dtype); }  // of the elements
};

/// The part of an array from `start` on, of so many indices along each axis.
struct Box {
  Dims start;
  Dims extents;
};

inline Box whole_box(const Dims& shape) { return {Dims::filled(shape.size(), 0), shape}; }

/// Fails with GPUARR_ERR_SHAPE where the box does not lie in the shape.
void check_box(const Box& box, const Dims& shape);

// `first` is the box's first element in host memory, `strides` are in elements and may be negative.
// Memory of any strides is copied to or from at most once by the CPU, and not at all where the box
// is contiguous, or has long runs that are.

void read_box(const InputFile& file, const FileArray& array, const Box& box, void* first,
              const Dims& strides);

void write_box(int fd, const FileArray& array, const Box& box, const void* first,
               const Dims& strides);

/// Writes all of the array: of such extents from host memory, behind them `fill`, an element.
void write_padded(int fd, const FileArray& array, const Dims& extents, const void* first,
                  const Dims& strides, const void* fill);

/// Sets host memory to an element.
void fill_box(DType dtype, const Dims& extents, void* first, const Dims& strides, const void* fill);

}  // namespace gpuarr
