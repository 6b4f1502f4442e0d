// Medians and quantiles: elements at places of sorted rows.
#include <algorithm>

#include "array/views.hpp"
#include "core/error.hpp"
#include "gpuarr/order.h"
#include "kernel/overlap.hpp"
#include "ops/along.hpp"
#include "ops/copy.hpp"
#include "ops/order.hpp"
#include "ops/own_kernel.hpp"
#include "ops/rank_rows.hpp"
#include "ops/sort_rows.hpp"

namespace gpuarr {
namespace {

// Computed in double from elements of any type. NaNs are the last of a row. The value nearer to the
// place is what is added to, so that the result lies between the two and is exact at both; where
// one is infinite, so is the result.
constexpr const char* quantile_text = R"(
template <class T>
static inline long long numbers_in(const T& row, long long begin, long long n) {
  if (!(row[begin + n - 1] != row[begin + n - 1])) return n;
  long long low = 0, high = n - 1;
  while (low < high) {
    const long long middle = low + (high - low) / 2;
    if (row[begin + middle] != row[begin + middle]) high = middle; else low = middle + 1;
  }
  return low;
}
static inline double halves(double a, double b) {
  const double sum = a + b;
  return sum - sum == 0 ? sum * 0.5 : a * 0.5 + b * 0.5;
}
static inline double between(double a, double b, double t) {
  if (a == b || t == 0) return a;
  const double d = b - a;
  if (!(d < INFINITY)) return a * (1 - t) + b * t;
  return t < 0.5 ? a + d * t : b - d * (1 - t);
}
)";
// Of `count` elements, or 0 for a NaN.
constexpr const char* quantile_place = R"(
const double at = q * (count - 1), whole = floor(at);
double low = NAN, high = NAN, part = at - whole;
)";
constexpr const char* quantile_value = R"(
if (method == 1) part = 0;
if (method == 2) part = part > 0;
if (method == 3) part = part == 0.5 ? (long long)whole % 2 != 0 : part > 0.5;
if (method == 4 && part > 0) low = high = halves(low, high), part = 0;
y = part == 1 ? high : between(low, high, part);
)";
constexpr const char* quantile_of_sorted = R"(
const long long begin = i * length;
long long count = numbers_in(x, begin, length);
if (count < length && !skip) count = 0;
PLACE
if (count > 0) {
  const long long k = (long long)whole;
  low = (double)x[begin + k];
  high = (double)x[begin + (k + 1 < count ? k + 1 : k)];
}
VALUE)";
constexpr const char* quantile_of_pair = R"(
PLACE
if (count > 0) {
  low = (double)x[2 * i];
  high = (double)x[2 * i + 1];
}
VALUE)";

constexpr const char* median_of_complex = R"(
const long long begin = i * length;
long long count = numbers_in(x, begin, length);
if (count < length && !skip) count = 0;
y = T(NAN, NAN);
if (count > 0) {
  const auto low = x[begin + (count - 1) / 2], high = x[begin + count / 2];
  y = T(halves(low.re, high.re), halves(low.im, high.im));
}
)";

std::string quantile_body(std::string text) {
  for (auto [word, by] : {std::pair{"PLACE", quantile_place}, {"VALUE", quantile_value}})
    text.replace(text.find(word), 5, by);
  return text;
}

DType quantile_dtype(DType dtype) {
  const DTypeKind kind = row(dtype).kind;
  return kind == DTypeKind::real || kind == DTypeKind::complex ? dtype : DType::f64;
}

bool is_complex(const Array& x) { return row(x.dtype).kind == DTypeKind::complex; }

void check_request(const Array& x, const QuantileRequest& r, int64_t n, const Dims& shape) {
  if (is_complex(x) && r.keeps_list)
    fail(GPUARR_ERR_DTYPE, "x is {}, which has no quantiles; give real numbers", name(x.dtype));
  if (r.method < GPUARR_QUANTILE_LINEAR || r.method > GPUARR_QUANTILE_MIDPOINT)
    fail(GPUARR_ERR_ARGUMENT, "method is {}; give a GPUARR_QUANTILE_... constant from {} to {}",
         r.method, int{GPUARR_QUANTILE_LINEAR}, int{GPUARR_QUANTILE_MIDPOINT});
  for (size_t k = 0; k < r.q.size(); ++k)
    if (!(r.q[k] >= 0 && r.q[k] <= 1))
      fail(GPUARR_ERR_ARGUMENT, "q[{}] is {}; give a number from 0 to 1", k, r.q[k]);
  if (n == 0 && size_of(shape) > 0)
    fail(GPUARR_ERR_EMPTY, "x has shape {}, and so no elements along axis {}; give some",
         to_string(x.layout.shape), r.axis);
}

void take_quantile(const Array& out, const Array& rows, double q, const QuantileRequest& r,
                   Stream& stream) {
  static Elementwise* const kernel =
      own_kernel("quantile", "raw T x, int64 length, float64 q, int32 method, bool skip", "R y",
                 quantile_body(quantile_of_sorted).c_str(), quantile_text);
  const Scalar length = Scalar::of(rows.layout.shape[rows.ndim() - 1]);
  const Scalar place = Scalar::of(q);
  const Scalar method = Scalar::of(int64_t{r.method});
  const Scalar skip = Scalar::of(int64_t{r.skip_nan ? 1 : 0});
  const Argument inputs[] = {{&rows, nullptr},
                             {nullptr, &length},
                             {nullptr, &place},
                             {nullptr, &method},
                             {nullptr, &skip}};
  const Array* output = &out;
  kernel->call(inputs, {&output, 1}, no_size, &stream);
}

// Of complex numbers in order.
void take_median(const Array& out, const Array& rows, double, const QuantileRequest& r,
                 Stream& stream) {
  static Elementwise* const kernel = own_kernel("median", "raw T x, int64 length, bool skip", "T y",
                                                median_of_complex, quantile_text);
  const Scalar length = Scalar::of(rows.layout.shape[rows.ndim() - 1]);
  const Scalar skip = Scalar::of(int64_t{r.skip_nan ? 1 : 0});
  const Argument inputs[] = {{&rows, nullptr}, {nullptr, &length}, {nullptr, &skip}};
  const Array* output = &out;
  kernel->call(inputs, {&output, 1}, no_size, &stream);
}

// The two elements next to a quantile's place, found without sorting the rows.
void rank_quantile(const Array& out, const Array& from, double q, const QuantileRequest& r,
                   Stream& stream) {
  static Elementwise* const kernel =
      own_kernel("quantile_of_pair", "raw T x, int64 count, float64 q, int32 method", "R y",
                 quantile_body(quantile_of_pair).c_str(), quantile_text);
  const RankRows rows = rows_in(from);
  const Array pairs = Array::empty(stream, from.dtype, {rows.rows, 2});
  const Array counts = Array::empty(stream, DType::i64, out.layout.shape);
  pairs_of_rows(rows, {q, r.skip_nan, pairs.data, static_cast<int64_t*>(counts.data)}, stream);
  const Scalar place = Scalar::of(q);
  const Scalar method = Scalar::of(int64_t{r.method});
  const Argument inputs[] = {
      {&pairs, nullptr}, {&counts, nullptr}, {nullptr, &place}, {nullptr, &method}};
  const Array* output = &out;
  kernel->call(inputs, {&output, 1}, no_size, &stream);
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
  std::optional<Array> made;
  if (out != nullptr)
    check_result(*out, "out", dtype, results, stream.device());
  else
    made = Array::with_strides(stream, dtype, results, strides_like({results, like}));
  const Array& target = out != nullptr ? *out : *made;
  if (target.size() == 0) return made;
  const std::vector<int32_t> order = axes_with_last(x.layout, axis);
  const Array turned = transpose(x, order);
  const bool ranks = !is_complex(x) && ranks_pay({x.dtype, false, x.size() / n, n, nullptr},
                                                 static_cast<int64_t>(r.q.size()), stream.device());
  x.buffer->used_in(stream);
  const Array rows = ranks ? contiguous(turned, Order::c, stream) : sorted_rows(x, order, stream);
  std::vector<int32_t> kept;  // the result's axes in the order of the rows
  for (int32_t k : order)
    if (k != axis) kept.push_back(k < axis ? k : k - 1);
  const auto take = ranks ? rank_quantile : is_complex(x) ? take_median : take_quantile;
  for (size_t k = 0; k < r.q.size(); ++k) {
    const Array one = r.keeps_list ? select(target, 0, static_cast<int64_t>(k)) : target;
    take(transpose(one, kept), rows, r.q[k], r, stream);
  }
  return made;
}

}  // namespace gpuarr
