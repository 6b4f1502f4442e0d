#include "linalg/products/stacks.hpp"

#include <algorithm>

namespace gpuarr {
namespace {

// Whether elements lie one after the other along the first stride, and vectors of `length` of them
// along the second without meeting.
bool lies_along(int64_t length, int64_t stride, int64_t count, int64_t next) {
  return (length <= 1 || stride == 1) && (count <= 1 || next >= std::max<int64_t>(length, 1));
}

int64_t leading_of(int64_t length, int64_t count, int64_t next) {
  return count > 1 ? next : std::max<int64_t>(length, 1);
}

}  // namespace

Sheet sheet_of(const Array& array) {
  const Layout& l = array.layout;
  const int last = l.ndim() - 1;
  return {l.shape[last - 1], l.shape[last], l.strides[last - 1], l.strides[last]};
}

std::optional<Lying> lying_of(const Sheet& s) {
  const bool in_columns = lies_along(s.rows, s.row_stride, s.columns, s.column_stride);
  const bool in_rows = lies_along(s.columns, s.column_stride, s.rows, s.row_stride);
  // A single row without gaps lies both ways; as a row it has the stride that BLAS likes better.
  if (in_rows && (!in_columns || s.rows == 1))
    return Lying{true, leading_of(s.columns, s.rows, s.row_stride)};
  if (in_columns) return Lying{false, leading_of(s.rows, s.columns, s.column_stride)};
  return std::nullopt;
}

StackLoop::StackLoop(const Array& x_array, const Array& y_array, const Array& out_array)
    : x(sheet_of(x_array)), y(sheet_of(y_array)), out(sheet_of(out_array)) {
  const Dims& shape = out_array.layout.shape;
  // broadcast_stride() counts from the last axis: the matrices' axes are left as they are.
  const auto stride = [&](const Array& array, int axis) {
    const int own = axis - shape.size() + array.ndim();
    return own < 0 || array.layout.shape[own] == 1 ? 0 : array.layout.strides[own];
  };
  for (int axis = 0; axis + 2 < shape.size(); ++axis)
    if (shape[axis] != 1)
      axes[static_cast<size_t>(count++)] = {shape[axis], stride(x_array, axis),
                                            stride(y_array, axis), out_array.layout.strides[axis]};
}

// A stack of x that meets one y becomes more rows of x, if the rows go on where they would.
static bool stretch(Sheet& x, Sheet& out, int64_t extent, int64_t x_step, int64_t out_step) {
  Sheet longer_x = x;
  Sheet longer_out = out;
  longer_x.rows = longer_out.rows = x.rows * extent;
  if (x.rows == 1) {
    longer_x.row_stride = x_step;
    longer_out.row_stride = out_step;
  } else if (x_step != x.rows * x.row_stride || out_step != out.rows * out.row_stride) {
    return false;
  }
  if (!lying_of(longer_x) || !lying_of(longer_out)) return false;
  x = longer_x;
  out = longer_out;
  return true;
}

bool StackLoop::fold(const Axis& a) {
  if (a.y == 0 && stretch(x, out, a.extent, a.x, a.out)) return true;
  if (a.x != 0) return false;
  Sheet turned_y = y.turned();
  Sheet turned_out = out.turned();
  if (!stretch(turned_y, turned_out, a.extent, a.y, a.out)) return false;
  y = turned_y.turned();
  out = turned_out.turned();
  return true;
}

void StackLoop::simplify() {
  const auto begin = axes.begin();
  int kept = 0;
  for (int k = 0; k < count; ++k) {
    const Axis& inner = axes[static_cast<size_t>(k)];
    Axis* outer = kept > 0 ? &axes[static_cast<size_t>(kept - 1)] : nullptr;
    if (outer != nullptr && outer->x == inner.x * inner.extent &&
        outer->y == inner.y * inner.extent && outer->out == inner.out * inner.extent)
      *outer = {outer->extent * inner.extent, inner.x, inner.y, inner.out};
    else
      axes[static_cast<size_t>(kept++)] = inner;
  }
  count = kept;
  while (count > 0 && fold(axes[static_cast<size_t>(count - 1)])) --count;
  const auto longer = [](const Axis& a, const Axis& b) { return a.extent < b.extent; };
  if (count > 1) std::iter_swap(begin + count - 1, std::max_element(begin, begin + count, longer));
}

}  // namespace gpuarr
