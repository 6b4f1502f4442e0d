// Medians and quantiles: elements at places of sorted rows.
#include <string>

#include "array/views.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "gpuarr/order.h"
#include "ops/base/along.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/own_kernel.hpp"
#include "ops/base/wanted.hpp"
#include "ops/kernels_text.hpp"
#include "ops/sort/order.hpp"
#include "ops/sort/rank.hpp"
#include "ops/sort/rows.hpp"

namespace gpuarr {
namespace {

std::string quantile_preamble(bool of_sorted) {
  return formatted("#define OF_SORTED {:d}\n{}", of_sorted, kernel_parts::quantile_numbers);
}

DType quantile_dtype(DType dtype) { return is_inexact(dtype) ? dtype : DType::f64; }

void check_request(const Array& x, const QuantileRequest& r, int64_t n, const Dims& shape) {
  if (is_complex(x.dtype) && r.keeps_list)
    fail(GPUARR_ERR_DTYPE, "x is {}, which has no quantiles; give real numbers", name(x.dtype));
  if (r.method < GPUARR_QUANTILE_LINEAR || r.method > GPUARR_QUANTILE_MIDPOINT)
    fail(GPUARR_ERR_ARGUMENT, "method is {}; give a GPUARR_QUANTILE_... constant from {} to {}",
         r.method, int{GPUARR_QUANTILE_LINEAR}, int{GPUARR_QUANTILE_MIDPOINT});
  for (size_t k = 0; k < r.q.size(); ++k)
    if (!(r.q[k] >= 0 && r.q[k] <= 1))
      fail(GPUARR_ERR_ARGUMENT, "q[{}] is {}; give a number from 0 to 1", k, r.q[k]);
  if (n == 0 && size_of(shape) > 0)
    fail(GPUARR_ERR_EMPTY, "x has shape {}, and so no elements along axis {}; give at least one",
         to_string(x.layout.shape), r.axis);
}

void take_quantile(const Array& out, const Array& rows, double q, const QuantileRequest& r,
                   Stream& stream) {
  static Elementwise* const kernel =
      own_kernel("quantile", "raw T x, int64 length, float64 q, int32 method, bool skip", "R y",
                 kernel_parts::quantile, quantile_preamble(true));
  const int64_t length = rows.layout.shape[rows.ndim() - 1];
  run_own(*kernel, {rows, length, q, r.method, r.skip_nan}, {&out}, stream);
}

// Of complex numbers in order.
void take_median(const Array& out, const Array& rows, double, const QuantileRequest& r,
                 Stream& stream) {
  static Elementwise* const kernel =
      own_kernel("median", "raw T x, int64 length, bool skip", "T y", kernel_parts::median,
                 kernel_parts::quantile_numbers);
  run_own(*kernel, {rows, rows.layout.shape[rows.ndim() - 1], r.skip_nan}, {&out}, stream);
}

// The two elements next to a quantile's place, found without sorting the rows.
void rank_quantile(const Array& out, const Array& from, double q, const QuantileRequest& r,
                   Stream& stream) {
  static Elementwise* const kernel =
      own_kernel("quantile_of_pair", "raw T x, int64 count, float64 q, int32 method", "R y",
                 kernel_parts::quantile, quantile_preamble(false));
  const RankRows rows = rows_in(from);
  const Array pairs = Array::empty(stream, from.dtype, {rows.rows, 2});
  const Array counts = Array::empty(stream, DType::i64, out.layout.shape);
  pairs_of_rows(rows, {q, r.skip_nan, pairs.data, static_cast<int64_t*>(counts.data)}, stream);
  run_own(*kernel, {pairs, counts, q, r.method}, {&out}, stream);
}

Array sorted_rows(const Array& x, const std::vector<int32_t>& order, Stream& stream) {
  Dims shape;
  for (int32_t k : order) shape.push_back(x.layout.shape[k]);
  Array sorted = Array::empty(stream, x.dtype, shape);
  sort_along({transpose(x, order), x.ndim() - 1, false, &sorted, nullptr}, stream);
  return sorted;
}

}  // namespace

std::optional<Array> quantile(const Array* out, const Array& x, const QuantileRequest& r,
                              Stream& stream) {
  const int axis = checked_axis(r.axis, x.ndim());
  Dims shape = x.layout.shape, like = x.layout.strides;
  shape.erase(axis);
  like.erase(axis);
  const int64_t n = x.layout.shape[axis];
  check_request(x, r, n, shape);
  const DType dtype = quantile_dtype(x.dtype);
  Dims results = shape;
  if (r.keeps_list) results.insert(0, static_cast<int64_t>(r.q.size()));
  if (r.keeps_list) like = dense_strides(results, Order::c);
  Wanted result{"out", true, out};
  check_given(result, dtype, results, stream.device());
  const Array target = place(result, dtype, results, strides_like({results, like}), stream);
  if (target.size() == 0) return std::move(result.made);
  const std::vector<int32_t> order = axes_with_last(x.layout, axis);
  const Array turned = transpose(x, order);
  const bool ranks =
      !is_complex(x.dtype) && ranks_pay({x.dtype, false, x.size() / n, n, nullptr},
                                        static_cast<int64_t>(r.q.size()), stream.device());
  x.buffer->used_in(stream);
  const Array rows = ranks ? contiguous(turned, Order::c, stream) : sorted_rows(x, order, stream);
  std::vector<int32_t> kept;  // the result's axes in the order of the rows
  for (int32_t k : order)
    if (k != axis) kept.push_back(k < axis ? k : k - 1);
  const auto take = ranks ? rank_quantile : is_complex(x.dtype) ? take_median : take_quantile;
  for (size_t k = 0; k < r.q.size(); ++k) {
    const Array one = r.keeps_list ? select(target, 0, static_cast<int64_t>(k)) : target;
    take(transpose(one, kept), rows, r.q[k], r, stream);
  }
  return std::move(result.made);
}

}  // namespace gpuarr
