#include "linalg/factors/matrices.hpp"

#include <algorithm>

#include "array/views.hpp"
#include "core/error.hpp"
#include "kernel/copy.hpp"

namespace gpuarr {

void check_matrix(const Array& a, const char* argument) {
  if (a.ndim() < 2)
    fail(GPUARR_ERR_SHAPE,
         "{} has shape {}; give a matrix, or a stack of them, of two axes or more", argument,
         to_string(a.layout.shape));
}

void check_square(const Array& a, const char* argument) {
  check_matrix(a, argument);
  if (rows_of(a) != columns_of(a))
    fail(GPUARR_ERR_SHAPE,
         "{} has shape {}, but its matrices must be square; the last two extents "
         "must be equal",
         argument, to_string(a.layout.shape));
}

Dims stack_of(const Array& a) {
  return Dims(std::span<const int64_t>(a.layout.shape.begin(),
                                       static_cast<size_t>(std::max(a.ndim() - 2, 0))));
}

Dims with(Dims stack, int64_t extent) {
  stack.push_back(extent);
  return stack;
}

Dims with(const Dims& stack, int64_t rows, int64_t columns) {
  return with(with(stack, rows), columns);
}

DType factor_dtype(const Array& a, const char* argument) {
  if (computed_in(a.dtype) != a.dtype)
    fail(GPUARR_ERR_DTYPE,
         "{} is {}, in which matrices cannot be factorised; convert it to float32 first", argument,
         name(a.dtype));
  return is_inexact(a.dtype) ? a.dtype : DType::f64;
}

DType real_dtype(DType dtype) {
  return dtype == DType::f32 || dtype == DType::c64 ? DType::f32 : DType::f64;
}

DType complex_dtype(DType dtype) {
  return real_dtype(dtype) == DType::f32 ? DType::c64 : DType::c128;
}

DType common_dtype(DType a, DType b) {
  const bool wide = real_dtype(a) == DType::f64 || real_dtype(b) == DType::f64;
  const bool complex = a == complex_dtype(a) || b == complex_dtype(b);
  if (complex) return wide ? DType::c128 : DType::c64;
  return wide ? DType::f64 : DType::f32;
}

Stream& working_stream(const Array& a, Stream* given) {
  Device& device = a.device();
  if (given != nullptr && &given->device() != &device)
    fail(GPUARR_ERR_DEVICE, "stream is of {}, but the matrices are on {}",
         given->device().facts().name, device.facts().name);
  Stream& stream = given != nullptr ? *given : current_stream(device);
  if (!stream.captures() && stream.is_capturing())
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream is being captured with the driver's own functions, but matrices are factorised in "
         "memory that such a graph cannot keep; capture with gpuarr_stream_begin_capture");
  return stream;
}

Array column_major(Stream& stream, DType dtype, const Dims& stack, int64_t rows, int64_t columns) {
  const Dims shape = with(stack, columns, rows);
  checked_shape(shape.size(), shape.data(), size_of(dtype));
  return turned(Array::empty(stream, dtype, shape));
}

Array column_major(const Array& x, DType dtype, const Dims& stack, Stream& stream) {
  Array made = column_major(stream, dtype, stack, rows_of(x), columns_of(x));
  convert(made, broadcast_stack(x, stack), stream);
  return made;
}

Matrices matrices_of(const Array& a) {
  Matrices m;
  m.dtype = a.dtype;
  m.data = a.data;
  m.rows = rows_of(a);
  m.columns = columns_of(a);
  m.leading = std::max(a.layout.strides[a.ndim() - 1], m.rows);
  m.count = size_of(stack_of(a));
  m.step = a.ndim() > 2 ? a.layout.strides[a.ndim() - 3] : 0;
  return m;
}

namespace {

// The distance from one matrix of a stack to the next, if it is the same for all.
std::optional<int64_t> even_step(const Layout& layout) {
  std::optional<int64_t> step;
  int64_t next = 0;  // what the stride of the axis before must be
  for (int axis = layout.ndim() - 3; axis >= 0; --axis) {
    if (layout.shape[axis] == 1) continue;
    const int64_t stride = layout.strides[axis];
    if (!step)
      step = stride;
    else if (stride != next)
      return std::nullopt;
    next = stride * layout.shape[axis];
  }
  return step.value_or(0);
}

}  // namespace

std::optional<Matrices> matrices_in_place(const Array& a, bool& is_turned) {
  const auto step = even_step(a.layout);
  if (!step) return std::nullopt;
  const auto lies_by_column = [](const Array& m) {
    const int64_t down = m.layout.strides[m.ndim() - 2], across = m.layout.strides[m.ndim() - 1];
    return (down == 1 || rows_of(m) == 1) && (across >= rows_of(m) || columns_of(m) == 1);
  };
  Array by_column = a;
  is_turned = !lies_by_column(a);
  if (is_turned) by_column = turned(a);
  if (is_turned && !lies_by_column(by_column)) return std::nullopt;
  Matrices m = matrices_of(by_column);
  if (columns_of(by_column) == 1) m.leading = m.rows;
  m.step = *step;
  return m;
}

bool lies_by_row(const Array& a) {
  const auto stride = [&](int from_last) {
    const int64_t s = a.layout.strides[a.ndim() - from_last];
    return s < 0 ? -s : s;
  };
  return columns_of(a) > 1 && (rows_of(a) == 1 || stride(1) < stride(2));
}

Array turned(const Array& a) {
  Layout layout = a.layout;
  const int last = a.ndim() - 1;
  std::swap(layout.shape[last], layout.shape[last - 1]);
  std::swap(layout.strides[last], layout.strides[last - 1]);
  return a.view(layout);
}

Array first_rows(const Array& a, int64_t rows) {
  Layout layout = a.layout;
  layout.shape[a.ndim() - 2] = rows;
  return a.view(layout);
}

Array first_columns(const Array& a, int64_t columns) {
  Layout layout = a.layout;
  layout.shape[a.ndim() - 1] = columns;
  return a.view(layout);
}

Array main_diagonals(const Array& a) { return diagonal(a, 0, a.ndim() - 2, a.ndim() - 1); }

Array with_axis(const Array& a, int from_last) { return expand(a, a.ndim() - from_last); }

Array broadcast_stack(const Array& a, const Dims& stack) {
  return broadcast(a, with(stack, rows_of(a), columns_of(a)));
}

}  // namespace gpuarr
