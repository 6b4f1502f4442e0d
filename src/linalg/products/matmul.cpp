#include "linalg/products/matmul.hpp"

#include <algorithm>

#include "array/views.hpp"
#include "core/error.hpp"
#include "gpuarr/linalg.h"
#include "ops/base/copy.hpp"
#include "ops/base/result.hpp"
#include "ops/functions/promotion.hpp"

namespace gpuarr {
namespace {

[[noreturn]] void fail_inner(const Array& x, const Array& y) {
  fail(GPUARR_ERR_SHAPE,
       "x has shape {} and y {}: the last axis of x has extent {}, but the {} of y has {}; they "
       "must be equal",
       to_string(x.layout.shape), to_string(y.layout.shape), x.layout.shape[x.ndim() - 1],
       y.ndim() == 1 ? "only axis" : "last axis but one",
       y.layout.shape[y.ndim() == 1 ? 0 : y.ndim() - 2]);
}

Dims without_last(const Dims& shape, int count) {
  Dims left;
  for (int k = 0; k + count < shape.size(); ++k) left.push_back(shape[k]);
  return left;
}

// Of x as (..., rows, inner) and y as (..., inner, columns); vectors have one of these axes.
Dims shape_of(const Array& x, const Array& y) {
  const Dims& left = x.layout.shape;
  const Dims& right = y.layout.shape;
  if (left[left.size() - 1] != right[std::max(right.size() - 2, 0)]) fail_inner(x, y);
  Dims shape = without_last(left, 2);
  if (!broadcast_into(shape, without_last(right, 2)))
    fail(GPUARR_ERR_BROADCAST,
         "x has shape {} and y {}: the axes before the last two do not broadcast together",
         to_string(left), to_string(right));
  if (x.ndim() > 1) shape.push_back(left[left.size() - 2]);
  if (y.ndim() > 1) shape.push_back(right[right.size() - 1]);
  return shape;
}

void check_axes(const Array& x, const char* argument) {
  if (x.ndim() == 0)
    fail(GPUARR_ERR_SHAPE, "{} has no axes, so it is not a matrix; multiply by gpuarr_multiply",
         argument);
}

bool is_fortran(const Array& array) {
  return array.ndim() == 2 && is_contiguous(array.layout, Order::f) &&
         !is_contiguous(array.layout, Order::c);
}

// Copies of arrays that are needed seldom: an ordinary call makes none.
using Spare = std::optional<Array>;

const Array& in_dtype(const Array& x, DType dtype, Spare& kept, Stream& stream) {
  if (x.dtype == dtype) return x;
  return kept.emplace(copy(without_repeats(x, 2), dtype, Order::k, stream));
}

// The result as a stack of matrices: with the axes that vectors do not have.
const Array& as_stack(const Array& out, const Array& x, const Array& y, Spare& kept) {
  if (x.ndim() > 1 && y.ndim() > 1) return out;
  kept = y.ndim() == 1 ? expand(out, -1) : out;
  if (x.ndim() == 1) kept = expand(*kept, -2);
  return *kept;
}

}  // namespace

ProductOptions checked_flags(int32_t flags) {
  if ((flags & ~GPUARR_MATMUL_TF32) != 0)
    fail(GPUARR_ERR_ARGUMENT, "flags is {}; give 0 or GPUARR_MATMUL_TF32", flags);
  return {(flags & GPUARR_MATMUL_TF32) != 0};
}

Stream& stream_for(const Array& x, const Array& y, Stream* given) {
  check_device(y, "y", x.device());
  return stream_for(given, x.device());
}

DType common_dtype(const Array& x, const Array& y) {
  Joining join;
  join.add_array(x.dtype);
  join.add_array(y.dtype);
  return join.dtype(Promotes::same);
}

Array converted(const Array& array, DType dtype, Stream& stream) {
  return array.dtype == dtype ? array : copy(array, dtype, Order::k, stream);
}

ProductFacts product_of(const Array& x, const Array& y) {
  check_device(y, "y", x.device());
  check_axes(x, "x");
  check_axes(y, "y");
  const Dims shape = shape_of(x, y);
  const DType dtype = common_dtype(x, y);
  return {dtype, checked_shape(shape.size(), shape.data(), size_of(dtype))};
}

Order product_order(const Array& x, const Array& y) {
  return is_fortran(x) && is_fortran(y) ? Order::f : Order::c;
}

std::optional<Array> matmul(const Array* out, const Array& x, const Array& y, int32_t flags,
                            Stream* given) {
  const ProductOptions options = checked_flags(flags);
  const auto [dtype, shape] = product_of(x, y);
  Stream& stream = gpuarr::stream_for(given, x.device());
  Spare kept[5];
  const Array& left = x.ndim() == 1 ? kept[0].emplace(expand(x, 0)) : x;
  const Array& right = y.ndim() == 1 ? kept[1].emplace(expand(y, 1)) : y;
  Result result(out, {dtype, shape, dense_strides(shape, product_order(x, y))}, stream);
  multiply(as_stack(result.array(), x, y, kept[2]), in_dtype(left, dtype, kept[3], stream),
           in_dtype(right, dtype, kept[4], stream), options, stream);
  return result.take();
}

}  // namespace gpuarr
