#include "core/shape.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/error.hpp"

namespace gpuarr {
namespace {

// Wraps where it does not fit: strides are worked out before the array is found to be too large.
int64_t wrapped_product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// Axes of more than one index, from the smallest stride to the largest; among equals, the later
// axis first, as C order would have them.
int by_stride(const Layout& layout, std::array<int, max_ndim>& axes) {
  int count = 0;
  for (int i = layout.ndim() - 1; i >= 0; --i)
    if (layout.shape[i] != 1) axes[static_cast<size_t>(count++)] = i;
  auto stride = [&](int k) { return std::abs(layout.strides[axes[static_cast<size_t>(k)]]); };
  for (int end = 1; end < count; ++end)  // insertion sort: nearly sorted, and no memory
    for (int k = end; k > 0 && stride(k) < stride(k - 1); --k)
      std::swap(axes[static_cast<size_t>(k)], axes[static_cast<size_t>(k - 1)]);
  return count;
}

// Those without gaps whose axes lie in this order.
Dims packed_strides(const Layout& layout) {
  std::array<int, max_ndim> axes;
  const int count = by_stride(layout, axes);
  Dims strides = Dims::filled(layout.ndim(), 1);
  int64_t step = 1;
  for (int k = 0; k < count; ++k) {
    const int axis = axes[static_cast<size_t>(k)];
    strides[axis] = step;
    step = wrapped_product(step, std::max<int64_t>(layout.shape[axis], 1));
  }
  return strides;
}

}  // namespace

void Dims::insert(int at, int64_t v) {
  for (int i = size_; i > at; --i) (*this)[i] = (*this)[i - 1];
  (*this)[at] = v;
  ++size_;
}

void Dims::erase(int at) {
  for (int i = at; i + 1 < size_; ++i) (*this)[i] = (*this)[i + 1];
  --size_;
}

// There are few: memcmp would take longer.
bool Dims::operator==(const Dims& other) const {
  bool same = size_ == other.size_;
  for (int i = 0; same && i < size_; ++i) same = (*this)[i] == other[i];
  return same;
}

std::string to_string(const Dims& dims) {
  std::string out = "(";
  for (int i = 0; i < dims.size(); ++i) out += formatted("{}{}", i ? ", " : "", dims[i]);
  return out + (dims.size() == 1 ? ",)" : ")");
}

Dims checked_shape(int32_t ndim, const int64_t* shape, int itemsize) {
  if (ndim < 0 || ndim > max_ndim)
    fail(GPUARR_ERR_SHAPE, "ndim is {}; an array has 0 to {} axes", ndim, max_ndim);
  if (ndim > 0 && shape == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "shape is NULL, but ndim is {}; give {} extents", ndim, ndim);
  Dims dims(std::span<const int64_t>(shape, static_cast<size_t>(ndim)));
  for (int i = 0; i < ndim; ++i)
    if (dims[i] < 0)
      fail(GPUARR_ERR_SHAPE, "shape[{}] is {}; an extent must be 0 or more", i, dims[i]);
  checked_bytes(dims, itemsize);
  return dims;
}

int64_t checked_bytes(const Dims& shape, int itemsize) {
  int64_t bytes = itemsize;
  bool overflow = false, empty = false;
  for (int64_t extent : shape) {
    // The extents of an empty array still become strides, so an extent of 0 counts as 1.
    overflow |= __builtin_mul_overflow(bytes, std::max<int64_t>(extent, 1), &bytes);
    overflow |= extent < 0;  // a sum that did not fit
    empty |= extent == 0;
  }
  if (overflow)
    fail(GPUARR_ERR_SHAPE, "shape {} with {}-byte elements is more than 2^63 - 1 bytes",
         to_string(shape), itemsize);
  return empty ? 0 : bytes;
}

Layout checked_layout(const Dims& shape, const int64_t* strides, int itemsize) {
  Layout out{shape, dense_strides(shape, Order::c)};
  if (strides == nullptr || size_of(shape) == 0) return out;
  int64_t low = 0, high = itemsize, length = 0;
  bool overflow = false;
  for (int i = 0; i < shape.size(); ++i) {
    int64_t span = 0;
    bool is_long = __builtin_mul_overflow(strides[i], int64_t{itemsize}, &span) ||
                   __builtin_mul_overflow(span, std::max<int64_t>(shape[i] - 1, 1), &span) ||
                   span == INT64_MIN;
    // What stands for an axis of one index means nothing; some libraries put an impossible stride.
    out.strides[i] = shape[i] == 1 && is_long ? 1 : strides[i];
    if (shape[i] == 1) continue;
    overflow |=
        is_long || __builtin_add_overflow(span < 0 ? low : high, span, span < 0 ? &low : &high);
  }
  if (overflow || __builtin_sub_overflow(high, low, &length))
    fail(GPUARR_ERR_SHAPE, "strides {} with shape {} and {}-byte elements reach beyond 2^63 bytes",
         to_string(out.strides), to_string(shape), itemsize);
  return out;
}

int64_t size_of(const Dims& shape) {
  int64_t size = 1;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(size, extent, &size)) size = INT64_MAX;
  return size;
}

Dims dense_strides(const Dims& shape, Order order) {
  Dims strides = Dims::filled(shape.size(), 1);
  int64_t step = 1;
  for (int k = 0; k < shape.size(); ++k) {
    int axis = order == Order::f ? k : shape.size() - 1 - k;
    strides[axis] = step;
    step = wrapped_product(step, std::max<int64_t>(shape[axis], 1));
  }
  return strides;
}

bool has_strides(const Layout& layout, const Dims& strides) {
  for (int i = 0; i < layout.ndim(); ++i)
    if (layout.shape[i] != 1 && layout.strides[i] != strides[i]) return false;
  return true;
}

Dims strides_like(const Layout& like) {
  if (is_contiguous(like, Order::c)) return dense_strides(like.shape, Order::c);
  if (is_contiguous(like, Order::f)) return dense_strides(like.shape, Order::f);
  return packed_strides(like);
}

bool is_contiguous(const Layout& layout, Order order) {
  return size_of(layout.shape) == 0 ||
         has_strides(layout, order == Order::k ? packed_strides(layout)
                                               : dense_strides(layout.shape, order));
}

Reach reach(const Layout& layout) {
  if (size_of(layout.shape) == 0) return {};
  Reach r{0, 0};
  for (int i = 0; i < layout.ndim(); ++i) {
    int64_t span = (layout.shape[i] - 1) * layout.strides[i];
    (span < 0 ? r.low : r.high) += span;
  }
  return r;
}

int64_t span_of(const Layout& layout) {
  const Reach elements = reach(layout);
  return elements.high - elements.low + 1;
}

bool overlaps_itself(const Layout& layout) {
  if (size_of(layout.shape) == 0) return false;
  std::array<int, max_ndim> axes;
  int count = by_stride(layout, axes);
  int64_t span = 0;  // highest offset that the axes so far reach from their lowest
  for (int k = 0; k < count; ++k) {
    int axis = axes[static_cast<size_t>(k)];
    int64_t stride = std::abs(layout.strides[axis]);
    if (stride <= span) return true;
    span += stride * (layout.shape[axis] - 1);
  }
  return false;
}

int checked_axis(int64_t axis, int ndim, const char* argument) {
  if (axis < -ndim || axis >= ndim)
    fail(GPUARR_ERR_AXIS, "{} is {}, but the array has {} {}", argument, axis, ndim,
         ndim == 1 ? "axis" : "axes");
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

int checked_axis_of(std::span<const int32_t> axes, size_t k, int ndim) {
  const int32_t axis = axes[k];
  if (axis >= 0 && axis < ndim) return axis;
  return checked_axis(axis, ndim, formatted("axes[{}]", k).c_str());
}

bool broadcast_into(Dims& result, const Dims& shape) {
  if (result == shape) return true;
  for (int i = 1; i <= std::min(result.size(), shape.size()); ++i) {
    int64_t a = result[result.size() - i], b = shape[shape.size() - i];
    if (a != b && a != 1 && b != 1) return false;
  }
  while (result.size() < shape.size()) result.insert(0, 1);
  int shift = result.size() - shape.size();
  for (int i = 0; i < shape.size(); ++i) {
    int64_t extent = shape[i];
    int64_t& to = result[i + shift];
    if (extent != 1) to = extent;
  }
  checked_bytes(result, 1);
  return true;
}

int64_t broadcast_stride(const Layout& layout, const Dims& shape, int axis) {
  int own = axis - (shape.size() - layout.ndim());
  return own < 0 || layout.shape[own] == 1 ? 0 : layout.strides[own];
}

Layout broadcast_to(const Layout& layout, const Dims& shape) {
  int shift = shape.size() - layout.ndim();
  bool fits = shift >= 0;
  Layout out{shape, Dims::filled(shape.size(), 0)};
  for (int i = 0; fits && i < layout.ndim(); ++i) {
    fits = layout.shape[i] == shape[i + shift] || layout.shape[i] == 1;
    if (layout.shape[i] == shape[i + shift]) out.strides[i + shift] = layout.strides[i];
  }
  if (!fits)
    fail(GPUARR_ERR_BROADCAST, "shape {} does not broadcast to {}", to_string(layout.shape),
         to_string(shape));
  return out;
}

}  // namespace gpuarr
