/** @file gpuarr_order.hpp  libgpuarr for C++17: cumulative sums and the like, sorting, unique
 *  elements, histograms, quantiles.
 *
 *  Names and rules are those of the C functions in scan.h, sort.h and order.h. Axes count from 0,
 *  or from the last as -1, the default.
 */
#ifndef GPUARR_ORDER_HPP
#define GPUARR_ORDER_HPP

#include "gpuarr_made.hpp"

namespace gpuarr {
inline namespace wrapper {

/// @name Cumulative sums and the like, inclusive or exclusive, which of an Expr are an Expr, that
/// computes what it scans on the way; differences of neighbours.
///@{
inline Array cumsum(const Array& x, int axis = -1, bool exclusive = false) {
  return made(gpuarr_cumsum, x, axis, exclusive);
}
inline Expr cumsum(const Expr& x, int axis = -1, bool exclusive = false) {
  return get<Expr>(gpuarr_expr_scan, "cumsum", x, axis, exclusive);
}
inline Array cumprod(const Array& x, int axis = -1, bool exclusive = false) {
  return made(gpuarr_cumprod, x, axis, exclusive);
}
inline Expr cumprod(const Expr& x, int axis = -1, bool exclusive = false) {
  return get<Expr>(gpuarr_expr_scan, "cumprod", x, axis, exclusive);
}
inline Array cummin(const Array& x, int axis = -1, bool exclusive = false) {
  return made(gpuarr_cummin, x, axis, exclusive);
}
inline Expr cummin(const Expr& x, int axis = -1, bool exclusive = false) {
  return get<Expr>(gpuarr_expr_scan, "cummin", x, axis, exclusive);
}
inline Array cummax(const Array& x, int axis = -1, bool exclusive = false) {
  return made(gpuarr_cummax, x, axis, exclusive);
}
inline Expr cummax(const Expr& x, int axis = -1, bool exclusive = false) {
  return get<Expr>(gpuarr_expr_scan, "cummax", x, axis, exclusive);
}
inline Array diff(const Array& x, int order = 1, int axis = -1) {
  return made(gpuarr_diff, x, order, axis);
}
///@}

/// A scan with a user-written operator: expressions that map elements, combine two values, and
/// finish each result. Without an identity it cannot be exclusive.
struct Scan : Handle<gpuarr_scan, gpuarr_scan_retain, gpuarr_scan_release> {
  Scan(Text in, Text out, Text map, Text reduce, Text post, Text identity = nullptr,
       const Options& options = {}) {
    check(gpuarr_scan_create(this->out(), in, out, map, reduce, post, identity, options));
  }
  /// Scans: along the last axis, returning its single output; along any axis.
  template <class... A> Array operator()(const A&... x) const {
    Array z;
    return run({z}, {x...}), std::move(z);
  }
  void run(Outputs z, const Inputs& x, int axis = -1, bool exclusive = false,
           const Stream& s = {}) const {
    Pointers p(z);
    check(gpuarr_scan_call(*this, p.first, len(z), x.begin(), len(x), axis, exclusive, s));
  }
};

/// @name Stable sort, NaN last; argsort; partition by one element; the k largest, or smallest, and
/// their indices.
///@{
struct Top {
  Array values, indices;
};
inline Array sort(const Array& x, int axis = -1, bool descending = false) {
  return made(gpuarr_sort, x, axis, descending);
}
inline Array argsort(const Array& x, int axis = -1, bool descending = false) {
  return made(gpuarr_argsort, x, axis, descending);
}
inline Array partition(const Array& x, int64_t kth, int axis = -1) {
  return made(gpuarr_partition, x, kth, axis);
}
inline Top topk(const Array& x, int64_t k, int axis = -1, bool largest = true) {
  return made_as<Top>(gpuarr_topk, x, k, axis, largest);
}
///@}

/// @name Unique elements, in order: alone; with first indices, inverse and counts. They wait for
/// their number.
///@{
struct Unique {
  Array values, indices, inverse, counts;
};
inline Array unique(const Array& x) { return made(gpuarr_unique, nullptr, nullptr, nullptr, x); }
inline Unique unique_all(const Array& x) { return made_as<Unique>(gpuarr_unique, x); }
///@}

/// Insertion indices among sorted elements: before equal ones, or after them.
inline Array searchsorted(const Array& sorted, const Array& x, bool right = false) {
  return made(gpuarr_searchsorted, sorted, x, right);
}

/// @name Histograms: with bins of equal width, from the smallest to the largest element or over a
/// range; with given edges; counts of each integer, or sums of its weights.
///@{
struct Histogram {
  Array counts, edges;
};
inline Histogram histogram(const Array& x, int64_t bins = 10) {
  return made_as<Histogram>(gpuarr_histogram, x, bins, nullptr);
}
inline Histogram histogram(const Array& x, int64_t bins, double low, double high) {
  const double range[] = {low, high};
  return made_as<Histogram>(gpuarr_histogram, x, bins, &range[0]);
}
inline Array histogram_between(const Array& x, const Array& edges) {
  return made(gpuarr_histogram_between, x, edges);
}
inline Array bincount(const Array& x, const Array& weights = {}, int64_t minlength = 0) {
  return made(gpuarr_bincount, x, weights, minlength);
}
///@}

/// @name Medians and quantiles along an axis, which is removed: NaN if there is a NaN, or ignoring
/// NaN. Several quantiles are along a new first axis.
///@{
inline Array median(const Array& x, int axis = -1) { return made(gpuarr_median, x, axis); }
inline Array nanmedian(const Array& x, int axis = -1) { return made(gpuarr_nanmedian, x, axis); }
using Quantiles = std::vector<double>;  ///< {0.25, 0.75}
inline Array quantile(const Array& x, const Quantiles& q, int axis = -1,
                      int method = GPUARR_QUANTILE_LINEAR) {
  return made(gpuarr_quantile, x, q.data(), len(q), axis, method);
}
inline Array nanquantile(const Array& x, const Quantiles& q, int axis = -1,
                         int method = GPUARR_QUANTILE_LINEAR) {
  return made(gpuarr_nanquantile, x, q.data(), len(q), axis, method);
}
///@}

}  // namespace wrapper
}  // namespace gpuarr
#endif
