#include "linalg/products/products.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

#include "array/views.hpp"
#include "core/error.hpp"
#include "core/once.hpp"
#include "kernel/reduction.hpp"
#include "linalg/products/matmul.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/result.hpp"

namespace gpuarr {
namespace {

// All elements along one axis, in C order; a view where that can be.
Array flattened(const Array& x, Stream& stream) {
  const int64_t size = x.size();
  const bool is_view = x.ndim() == 1 || is_contiguous(x.layout, Order::c);
  return reshape(is_view ? x : copy(x, x.dtype, Order::c, stream), 1, &size);
}

std::unique_ptr<Reduction> make_vdot(DType dtype) {
  const bool is_bool = dtype == DType::boolean;
  const char* type = is_bool ? "int32" : is_integer(dtype) ? "uint64" : name(computed_in(dtype));
  MapReduceSpec spec{"T x, U y",
                     formatted("{} out", name(dtype)),
                     is_complex(dtype) ? "conj((A)x) * (A)y" : "(A)x * (A)y",
                     is_bool ? "a | b" : "a + b",
                     "out = a",
                     "0"};
  KernelOptions options;
  options.name = "vdot";
  options.reduce_type = type;
  options.preamble = formatted("typedef {} A;\n", type);
  return std::make_unique<Reduction>(spec, options);
}

Reduction& vdot_kernel(DType dtype) {
  static std::atomic<Reduction*> kernels[GPUARR_C128 + 1];
  std::atomic<Reduction*>& slot = kernels[static_cast<size_t>(dtype)];
  return made_once(slot, [&] { return make_vdot(dtype); });
}

Dims labels_from(int first, int count) {
  Dims labels;
  for (int k = 0; k < count; ++k) labels.push_back(first + k);
  return labels;
}

constexpr int y_labels = max_ndim;

// Pairs of axes, which get the labels of x.
std::optional<Array> contract_pairs(const Array* out, const Array& x, const Array& y,
                                    std::span<const std::pair<int, int>> pairs, int32_t flags,
                                    Stream* given) {
  const ProductOptions options = checked_flags(flags);
  Stream& stream = stream_for(x, y, given);
  Labelled left{x, labels_from(0, x.ndim())};
  Labelled right{y, labels_from(y_labels, y.ndim())};
  Dims wanted;
  for (auto [a, b] : pairs) {
    if (x.layout.shape[a] != y.layout.shape[b])
      fail(GPUARR_ERR_SHAPE,
           "x has shape {} and y {}: axis {} of x has extent {}, but axis {} of y has {}; they "
           "must be equal",
           to_string(x.layout.shape), to_string(y.layout.shape), a, x.layout.shape[a], b,
           y.layout.shape[b]);
    right.labels[b] = a;
  }
  for (int axis = 0; axis < x.ndim(); ++axis)
    if (std::none_of(pairs.begin(), pairs.end(), [&](auto p) { return p.first == axis; }))
      wanted.push_back(axis);
  const auto left_over = static_cast<int>(static_cast<size_t>(y.ndim()) - pairs.size());
  if (wanted.size() + left_over > max_ndim)
    fail(GPUARR_ERR_SHAPE, "the result would have {} axes; an array has at most {}",
         wanted.size() + left_over, max_ndim);
  for (int axis = 0; axis < y.ndim(); ++axis)
    if (right.labels[axis] >= y_labels) wanted.push_back(right.labels[axis]);
  return contract(out, left, &right, wanted, common_dtype(x, y), options, stream);
}

void check_distinct(std::span<const std::pair<int, int>> pairs) {
  for (size_t k = 0; k < pairs.size(); ++k)
    for (size_t other = 0; other < k; ++other) {
      if (pairs[k].first == pairs[other].first)
        fail(GPUARR_ERR_AXIS, "x_axes has axis {} twice", pairs[k].first);
      if (pairs[k].second == pairs[other].second)
        fail(GPUARR_ERR_AXIS, "y_axes has axis {} twice", pairs[k].second);
    }
}

// The array with axes of extent 1 in front, up to a number.
Array padded(Array x, int ndim) {
  while (x.ndim() < ndim) x = expand(x, 0);
  return x;
}

// Each axis as two: which block, and where in it.
Layout in_blocks(const Layout& whole, const Dims& blocks, const Dims& inside) {
  Layout layout;
  for (int axis = 0; axis < whole.ndim(); ++axis) {
    layout.add_axis(blocks[axis], whole.strides[axis] * inside[axis]);
    layout.add_axis(inside[axis], whole.strides[axis]);
  }
  return layout;
}

}  // namespace

std::optional<Array> vdot(const Array* out, const Array& x, const Array& y, Stream* given) {
  Stream& stream = stream_for(x, y, given);
  if (x.size() != y.size())
    fail(GPUARR_ERR_SHAPE, "x has shape {} and y {}; give arrays with the same number of elements",
         to_string(x.layout.shape), to_string(y.layout.shape));
  const DType dtype = common_dtype(x, y);
  if (out != nullptr) check_given(*out, "out", dtype, {}, stream.device());
  const bool alike = x.layout.shape == y.layout.shape;
  const Array left = alike ? x : flattened(x, stream);
  const Array right = alike ? y : flattened(y, stream);
  const Argument inputs[] = {{&left, nullptr}, {&right, nullptr}};
  return only_of(vdot_kernel(dtype).call(inputs, {&out, 1}, AxisRequest{}, &stream));
}

std::optional<Array> inner(const Array* out, const Array& x, const Array& y, int32_t flags,
                           Stream* stream) {
  if (x.ndim() == 0 || y.ndim() == 0) return contract_pairs(out, x, y, {}, flags, stream);
  const std::pair<int, int> last{x.ndim() - 1, y.ndim() - 1};
  return contract_pairs(out, x, y, {&last, 1}, flags, stream);
}

std::optional<Array> outer(const Array* out, const Array& x, const Array& y, Stream* given) {
  Stream& stream = stream_for(x, y, given);
  return contract_pairs(out, flattened(x, stream), flattened(y, stream), {}, 0, &stream);
}

std::optional<Array> kron(const Array* out, const Array& x, const Array& y, Stream* given) {
  Stream& stream = stream_for(x, y, given);
  const int ndim = std::max(x.ndim(), y.ndim());
  if (2 * ndim > max_ndim)
    fail(GPUARR_ERR_SHAPE, "an array has {} axes; the most for this product are {}", ndim,
         max_ndim / 2);
  Array left = padded(x, ndim);
  Array right = padded(y, ndim);
  Dims shape;
  for (int axis = 0; axis < ndim; ++axis) {
    int64_t extent = 0;
    if (__builtin_mul_overflow(left.layout.shape[axis], right.layout.shape[axis], &extent))
      fail(GPUARR_ERR_SHAPE, "axis {} of the result has more than 2^63 - 1 elements", axis);
    shape.push_back(extent);
  }
  const DType dtype = common_dtype(x, y);
  checked_shape(ndim, shape.data(), size_of(dtype));
  const bool fortran = is_contiguous(x.layout, Order::f) && is_contiguous(y.layout, Order::f) &&
                       !is_contiguous(x.layout, Order::c);
  const Dims strides = dense_strides(shape, fortran ? Order::f : Order::c);
  Result result(out, {dtype, shape, strides}, stream);
  const Array& target = result.array();
  const Dims ones = Dims::filled(ndim, 1);
  const Array blocks = target.view(in_blocks(target.layout, left.layout.shape, right.layout.shape));
  multiply_elements(blocks, left.view(in_blocks(left.layout, left.layout.shape, ones)),
                    right.view(in_blocks(right.layout, ones, right.layout.shape)), stream);
  return result.take();
}

std::optional<Array> tensordot(const Array* out, const Array& x, const Array& y,
                               const int32_t* x_axes, const int32_t* y_axes, int32_t count,
                               int32_t flags, Stream* stream) {
  if (count < 0 || count > std::min(x.ndim(), y.ndim()))
    fail(GPUARR_ERR_AXIS, "axis_count is {}, but x has {} axes and y {}", count, x.ndim(),
         y.ndim());
  if ((x_axes == nullptr) != (y_axes == nullptr) && count > 0)
    fail(GPUARR_ERR_ARGUMENT, "{} is NULL, but {} is not; give both or none",
         x_axes == nullptr ? "x_axes" : "y_axes", x_axes == nullptr ? "y_axes" : "x_axes");
  std::array<std::pair<int, int>, max_ndim> pairs;
  for (int k = 0; k < count; ++k) {
    auto& [a, b] = pairs[static_cast<size_t>(k)];
    a = x_axes != nullptr ? checked_axis(x_axes[k], x.ndim(), "x_axes") : x.ndim() - count + k;
    b = y_axes != nullptr ? checked_axis(y_axes[k], y.ndim(), "y_axes") : k;
  }
  const std::span<const std::pair<int, int>> all(pairs.data(), static_cast<size_t>(count));
  check_distinct(all);
  return contract_pairs(out, x, y, all, flags, stream);
}

}  // namespace gpuarr
