#include "ops/index/index.hpp"

#include <vector>

#include "core/error.hpp"
#include "kernel/overlap.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/memory_order.hpp"
#include "ops/base/result.hpp"
#include "ops/index/index_kernel.hpp"

namespace gpuarr {
namespace {

// Of values: the index, its place in the array of indices, the axis and the type, the extent.
std::string index_words(const ReportValues& values) {
  const int64_t axis = values[2] % max_ndim;
  const bool natural = values[2] >= max_ndim;
  const std::string index =
      natural ? formatted("{}", static_cast<uint64_t>(values[0])) : formatted("{}", values[0]);
  return formatted(
      "index {}, which is element {} of indices in C order, is out of range for axis {} of extent "
      "{}; give indices from {} to {}",
      index, values[1], axis, values[3], natural ? 0 : -values[3], values[3] - 1);
}

constexpr ReportSource source_of(ReportCode code, const char* function) {
  return {code, function, GPUARR_ERR_INDEX, index_words};
}
constexpr ReportSource take_source = source_of(ReportCode::take, "gpuarr_take");
constexpr ReportSource take_along_source =
    source_of(ReportCode::take_along_axis, "gpuarr_take_along_axis");
constexpr ReportSource put_source = source_of(ReportCode::put, "gpuarr_put");
constexpr ReportSource put_add_source = source_of(ReportCode::put_add, "gpuarr_put_add");
constexpr ReportSource put_along_source =
    source_of(ReportCode::put_along_axis, "gpuarr_put_along_axis");

void check_indices(const Array& indices, const Device& device) {
  if (!is_integer(indices.dtype))
    fail(GPUARR_ERR_DTYPE, "indices is {}; give an array of an integer type", name(indices.dtype));
  check_device(indices, "indices", device);
}

// An axis without an element has no index that is in range.
void check_extent(const Array& x, int axis, const Dims& result) {
  if (x.layout.shape[axis] == 0 && size_of(result) > 0)
    fail(GPUARR_ERR_INDEX, "axis {} of x has extent 0, so no index is in range, but there are {}",
         axis, size_of(result));
}

// The result's axes: those of x, with those of the indices in the place of one.
struct TakeShape {
  Dims extents;
  std::vector<int> x_axis;  // for each of them
};

TakeShape shape_of_take(const Array& x, const Array& indices, int axis) {
  if (x.ndim() - 1 + indices.ndim() > max_ndim)
    fail(GPUARR_ERR_SHAPE, "x has {} axes and indices {}, so the result has {}, more than {}",
         x.ndim(), indices.ndim(), x.ndim() - 1 + indices.ndim(), max_ndim);
  TakeShape shape;
  for (int k = 0; k < x.ndim(); ++k) {
    const Dims only{x.layout.shape[k]};
    for (int64_t extent : k == axis ? indices.layout.shape : only) {
      shape.extents.push_back(extent);
      shape.x_axis.push_back(k);
    }
  }
  shape.extents = checked_shape(shape.extents.size(), shape.extents.data(), x.itemsize());
  return shape;
}

IndexLoop start_loop(const Array& x, int axis) {
  IndexLoop loop;
  loop.axis = axis;
  loop.extent = x.layout.shape[axis];
  loop.stride = x.layout.strides[axis];
  return loop;
}

// `other` is the layout of the results, or of the values broadcast to their shape.
IndexLoop loop_of_take(const Array& x, const Array& indices, int axis, const Layout& other) {
  const Dims places = dense_strides(indices.layout.shape, Order::c);
  IndexLoop loop = start_loop(x, axis);
  for (int k = 0; k < other.ndim(); ++k) {
    const int i = k - axis;  // the axis of the indices, if it is one
    if (i >= 0 && i < indices.ndim()) {
      loop.add({other.shape[k], 0, indices.layout.strides[i], other.strides[k], places[i]});
    } else {
      const int from = i < 0 ? k : k - indices.ndim() + 1;
      loop.add({other.shape[k], x.layout.strides[from], 0, other.strides[k], 0});
    }
  }
  return loop;
}

// The same where the indices have an element for each of the results.
IndexLoop loop_along(const Array& x, const Array& indices, int axis, const Layout& other) {
  const Layout places{indices.layout.shape, dense_strides(indices.layout.shape, Order::c)};
  IndexLoop loop = start_loop(x, axis);
  for (int k = 0; k < other.ndim(); ++k)
    loop.add({other.shape[k], k == axis ? 0 : broadcast_stride(x.layout, other.shape, k),
              broadcast_stride(indices.layout, other.shape, k), other.strides[k],
              broadcast_stride(places, other.shape, k)});
  return loop;
}

Dims shape_along(const Array& x, const Array& indices, int axis) {
  if (indices.ndim() != x.ndim())
    fail(GPUARR_ERR_SHAPE, "indices has {} axes, but x has {}; give as many", indices.ndim(),
         x.ndim());
  Dims shape = x.layout.shape;
  shape[axis] = indices.layout.shape[axis];
  if (!broadcast_into(shape, indices.layout.shape) || shape[axis] != indices.layout.shape[axis])
    fail(GPUARR_ERR_BROADCAST,
         "indices has shape {}, which does not broadcast with x's {} except along axis {}",
         to_string(indices.layout.shape), to_string(x.layout.shape), axis);
  return checked_shape(shape.size(), shape.data(), x.itemsize());
}

// Where elements go, and which values: of x's dtype, of one shape, apart from x.
class Putting {
 public:
  Putting(const Array& x, const Array& indices, const Argument& values, const Dims& shape,
          Stream& stream)
      : indices_(may_overlap(x, indices) ? copy(indices, indices.dtype, Order::k, stream)
                                         : indices),
        layout_{shape, Dims::filled(shape.size(), 0)},
        values_{nullptr, values.scalar} {
    if (values.array == nullptr) return;
    check_device(*values.array, "values", x.device());
    layout_ = broadcast_to(values.array->layout, shape);
    held_ = *values.array;
    if (held_.dtype != x.dtype || may_overlap(x, held_))
      held_ = copy(held_, x.dtype, Order::k, stream);
    layout_ = broadcast_to(held_.layout, shape);
    values_.array = &held_;
  }
  Putting(const Putting&) = delete;
  Putting& operator=(const Putting&) = delete;

  const Array& indices() const { return indices_; }
  const Layout& layout() const { return layout_; }
  const Argument& values() const { return values_; }

 private:
  Array indices_;
  Layout layout_;
  Array held_;
  Argument values_;
};

void check_addable(DType dtype) {
  if (size_of(dtype) == 1)
    fail(GPUARR_ERR_DTYPE,
         "x is {}, of one byte, which has no atomic addition; give a type of 2 bytes or more",
         name(dtype));
}

}  // namespace

std::optional<Array> take(const Array* out, const Array& x, const Array& indices, int32_t axis_,
                          Stream* given) {
  const int axis = checked_axis(axis_, x.ndim());
  check_indices(indices, x.device());
  Stream& stream = stream_for(given, x.device());
  const TakeShape shape = shape_of_take(x, indices, axis);
  check_extent(x, axis, shape.extents);
  Result result(out,
                {x.dtype, shape.extents, strides_following(x.layout, shape.extents, shape.x_axis)},
                stream);
  const Array* inputs[] = {&x, &indices};
  result.fill(inputs, stream, [&](const Array& to) { take_into(to, x, indices, axis, stream); });
  return result.take();
}

void take_into(const Array& to, const Array& x, const Array& indices, int axis, Stream& stream) {
  gather(take_source, loop_of_take(x, indices, axis, to.layout), to, x, indices, stream);
}

std::optional<Array> take_along_axis(const Array* out, const Array& x, const Array& indices,
                                     int32_t axis_, Stream* given) {
  const int axis = checked_axis(axis_, x.ndim());
  check_indices(indices, x.device());
  Stream& stream = stream_for(given, x.device());
  const Dims shape = shape_along(x, indices, axis);
  check_extent(x, axis, shape);
  Result result(out, {x.dtype, shape, strides_following(x.layout, shape)}, stream);
  const Array* inputs[] = {&x, &indices};
  result.fill(inputs, stream, [&](const Array& to) {
    gather(take_along_source, loop_along(x, indices, axis, to.layout), to, x, indices, stream);
  });
  return result.take();
}

void put(const Array& x, const Array& indices, const Argument& values, int32_t axis_, bool adds,
         Stream* given) {
  const int axis = checked_axis(axis_, x.ndim());
  check_indices(indices, x.device());
  check_writable(x, "x");
  if (adds) check_addable(x.dtype);
  Stream& stream = stream_for(given, x.device());
  const TakeShape shape = shape_of_take(x, indices, axis);
  check_extent(x, axis, shape.extents);
  Putting putting(x, indices, values, shape.extents, stream);
  scatter(adds ? put_add_source : put_source,
          loop_of_take(x, putting.indices(), axis, putting.layout()), x, putting.indices(),
          putting.values(), adds, stream);
}

void put_along_axis(const Array& x, const Array& indices, const Argument& values, int32_t axis_,
                    Stream* given) {
  const int axis = checked_axis(axis_, x.ndim());
  check_indices(indices, x.device());
  check_writable(x, "x");
  Stream& stream = stream_for(given, x.device());
  const Dims shape = shape_along(x, indices, axis);
  check_extent(x, axis, shape);
  Putting putting(x, indices, values, shape, stream);
  scatter(put_along_source, loop_along(x, putting.indices(), axis, putting.layout()), x,
          putting.indices(), putting.values(), false, stream);
}

}  // namespace gpuarr
