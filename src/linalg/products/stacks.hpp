// How matrices lie in stacks: what BLAS can take as it lies, and over which axes it has to be
// called again.
#pragma once

#include <array>
#include <optional>

#include "array/array.hpp"

namespace gpuarr {

/// One matrix of strides of any kind.
struct Sheet {
  int64_t rows, columns;
  int64_t row_stride, column_stride;

  Sheet turned() const { return {columns, rows, column_stride, row_stride}; }
};

/// The matrix of an array's last two axes.
Sheet sheet_of(const Array& array);

/// How BLAS, whose matrices lie column by column, can take one: as it is, or turned.
struct Lying {
  bool turned;      // its rows lie where BLAS has columns
  int64_t leading;  // from one of those to the next
};
std::optional<Lying> lying_of(const Sheet& sheet);

/// A product of stacks: out[...] = x[...] y[...], the axes of the stacks first. Strides are 0 where
/// x or y repeats.
struct StackLoop {
  struct Axis {
    int64_t extent;
    int64_t x, y, out;  // strides
  };
  Sheet x, y, out;
  int count = 0;
  std::array<Axis, max_ndim> axes;

  /// Of arrays whose axes before the last two broadcast to those of `out`.
  StackLoop(const Array& x_array, const Array& y_array, const Array& out_array);

  /// Takes axes together, lets stacks of rows or of columns that meet one matrix become one larger
  /// matrix, and puts the longest axis that is left last.
  void simplify();

  /// Calls body(x, y, out) with the offsets of every index of the axes before the last.
  template <class Body>
  void for_each(const Body& body, int depth = 0, int64_t x_at = 0, int64_t y_at = 0,
                int64_t out_at = 0) const {
    if (depth >= count - 1) return body(x_at, y_at, out_at);
    const Axis& a = axes[static_cast<size_t>(depth)];
    for (int64_t k = 0; k < a.extent; ++k)
      for_each(body, depth + 1, x_at + k * a.x, y_at + k * a.y, out_at + k * a.out);
  }

  /// The last axis, of extent 1 where there is none.
  Axis batch() const { return count > 0 ? axes[static_cast<size_t>(count - 1)] : Axis{1, 0, 0, 0}; }

 private:
  bool fold(const Axis& axis);
};

}  // namespace gpuarr
