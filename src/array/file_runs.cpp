// A box of an array in a file as runs.
#include "array/file_runs.hpp"

#include <bit>
#include <cstring>

namespace gpuarr {
namespace {

// Adds the next axis, from the innermost on; strides in elements.
void add_axis(Runs& runs, int64_t extent, int64_t file, int64_t host) {
  if (extent == 1) return;
  const RunAxis axis{extent, file * runs.size, host * runs.size};
  const bool first = runs.count == 0;
  if (first && runs.length == 1 && axis.file == runs.size) {
    runs.length = extent;
    runs.step = axis.host;
    return;
  }
  const RunAxis last = first ? RunAxis{runs.length, runs.size, runs.step} : runs.at(runs.count - 1);
  const bool joins = axis.file == last.extent * last.file && axis.host == last.extent * last.host;
  if (!joins)
    runs.outer[static_cast<size_t>(runs.count++)] = axis;
  else if (first)
    runs.length *= extent;
  else
    runs.outer[static_cast<size_t>(runs.count - 1)].extent *= extent;
}

template <int size>
void copy_each(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count) {
  for (int64_t i = 0; i < count; ++i) std::memcpy(to + i * to_step, from + i * from_step, size);
}

}  // namespace

Runs runs_of(const FileArray& array, const Box& box, const Dims& strides) {
  check_box(box, array.shape);
  Runs runs;
  runs.size = size_of(array.dtype);
  runs.offset = array.begin;
  runs.step = runs.size;
  const Dims in_file = dense_strides(array.shape, array.order);
  const int ndim = array.shape.size();
  for (int k = 0; k < ndim; ++k) {
    const int axis = array.order == Order::f ? k : ndim - 1 - k;
    runs.offset += box.start[axis] * in_file[axis] * runs.size;
    runs.empty |= box.extents[axis] == 0;
    add_axis(runs, box.extents[axis], in_file[axis], strides[axis]);
  }
  return runs;
}

Runs runs_of(DType dtype, const Dims& extents, const Dims& strides) {
  FileArray as_if;
  as_if.dtype = dtype;
  as_if.shape = extents;
  return runs_of(as_if, whole_box(extents), strides);
}

void copy_elements(int size, char* to, int64_t to_step, const char* from, int64_t from_step,
                   int64_t count) {
  if (to_step == size && from_step == size) {
    std::memcpy(to, from, static_cast<size_t>(count * size));
    return;
  }
  constexpr std::array copies = {copy_each<1>, copy_each<2>, copy_each<4>, copy_each<8>,
                                 copy_each<16>};
  const auto which = static_cast<size_t>(std::countr_zero(static_cast<unsigned>(size)));
  copies[which](to, to_step, from, from_step, count);
}

}  // namespace gpuarr
