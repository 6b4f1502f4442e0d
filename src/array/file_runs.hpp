// A box of an array in a file as runs, which are contiguous there.
#pragma once

#include <array>
#include <cstdint>

#include "array/file_box.hpp"

namespace gpuarr {

/// An axis of a box; strides in bytes.
struct RunAxis {
  int64_t extent, file, host;
};

/// A box as nested loops over runs, axes joined where they lie behind each other in both places.
struct Runs {
  int size = 1;                  // bytes of an element
  int64_t offset = 0;            // of the first element, in the file
  int64_t length = 1, step = 0;  // elements of a run, and bytes between them in the host's memory
  std::array<RunAxis, max_ndim> outer{};  // the first is the innermost
  int count = 0;
  bool empty = false;

  int64_t bytes() const { return length * size; }  // of a run
  bool is_contiguous() const { return step == size || length == 1; }
  const RunAxis& at(int i) const { return outer[static_cast<size_t>(i)]; }

  // Bytes of the file from the first run on, of those that no gap of more than `most` parts.
  int64_t span(int64_t most) const {
    int64_t span = bytes();
    for (int i = 0; i < count && at(i).file - span <= most; ++i)
      span += (at(i).extent - 1) * at(i).file;
    return span;
  }
  int64_t end() const { return offset + span(INT64_MAX); }
};

/// Fails with GPUARR_ERR_SHAPE where the box does not lie in the array; strides of the host's
/// memory in elements.
Runs runs_of(const FileArray& array, const Box& box, const Dims& strides);

/// Those of the elements of host memory, as a file in C order would have them.
Runs runs_of(DType dtype, const Dims& extents, const Dims& strides);

/// Copies elements of `size` bytes; steps in bytes.
void copy_elements(int size, char* to, int64_t to_step, const char* from, int64_t from_step,
                   int64_t count);

/// Calls visit(offset in the file, offset in the host's memory) for each run, in the file's order.
template <class Visit>
void for_each_run(const Runs& runs, Visit&& visit) {
  if (runs.empty) return;
  std::array<int64_t, max_ndim> index{};
  int64_t file = runs.offset, host = 0;
  for (;;) {
    visit(file, host);
    int axis = 0;
    for (; axis < runs.count; ++axis) {
      const RunAxis& along = runs.at(axis);
      file += along.file;
      host += along.host;
      int64_t& i = index[static_cast<size_t>(axis)];
      if (++i < along.extent) break;
      i = 0;
      file -= along.extent * along.file;
      host -= along.extent * along.host;
    }
    if (axis == runs.count) return;
  }
}

}  // namespace gpuarr
