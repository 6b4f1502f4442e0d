// The kernels that take and put elements by indices, over loops of any axes.
#pragma once

#include <array>

#include "array/array.hpp"
#include "device/reports.hpp"
#include "kernel/binding.hpp"

namespace gpuarr {

/// One axis of a loop over indices, and how far a step along it leads, in elements.
struct IndexAxis {
  int64_t extent;
  int64_t element;  // in the array that is indexed; 0 along those of the indices
  int64_t index;    // in the array of indices
  int64_t other;    // in what is read or written beside them: the results, or the values
  int64_t place;    // in the array of indices, in C order, for messages
};

struct IndexLoop {
  int ndim = 0;
  std::array<IndexAxis, max_ndim> axes;
  int axis = 0;        // which axis of the array is indexed
  int64_t extent = 0;  // its extent, not 0
  int64_t stride = 0;

  void add(const IndexAxis& axis) { axes[static_cast<size_t>(ndim++)] = axis; }
};

/// out = x[...]. The arrays' layouts are those of the loop; out overlaps neither of the others.
void gather(const ReportSource& source, const IndexLoop& loop, const Array& out, const Array& x,
            const Array& indices, Stream& stream);

/// x[...] = values, or += where `adds`. Nothing overlaps. Values that are an array have x's dtype.
void scatter(const ReportSource& source, const IndexLoop& loop, const Array& x,
             const Array& indices, const Argument& values, bool adds, Stream& stream);

}  // namespace gpuarr
