/** @file gpuarr_order.hpp  libgpuarr for C++17: running sums and the like, sorting, and what
 * follows from the order of elements.
 *
 *  Names and rules are those of the C functions in scan.h, sort.h and order.h. Axes count from 0,
 * or from the last as -1, which is what is taken if none is given.
 */
#ifndef GPUARR_ORDER_HPP
#define GPUARR_ORDER_HPP

#include "gpuarr_made.hpp"

namespace gpuarr {
inline namespace wrapper {

/// @name As far as each element, with it or, exclusively, without it; differences of neighbours.
///@{
inline Array cumsum(const Array& x, int axis = -1, bool exclusive = false) {
  return made(gpuarr_cumsum, x, axis, exclusive);
}
inline Array cumprod(const Array& x, int axis = -1, bool exclusive = false) {
  return made(gpuarr_cumprod, x, axis, exclusive);
}
inline Array cummin(const Array& x, int axis = -1, bool exclusive = false) {
  return made(gpuarr_cummin, x, axis, exclusive);
}
inline Array cummax(const Array& x, int axis = -1, bool exclusive = false) {
  return made(gpuarr_cummax, x, axis, exclusive);
}
inline Array diff(const Array& x, int order = 1, int axis = -1) {
  return made(gpuarr_diff, x, order, axis);
}
///@}

/// A scan by an operator of one's own: expressions that map elements, combine two of what comes,
/// and finish each result. Without an identity it cannot be exclusive.
struct Scan : Handle<gpuarr_scan, gpuarr_scan_retain, gpuarr_scan_release> {
  Scan(Text in, Text out, Text map, Text reduce, Text post, Text identity = nullptr,
       const Options& options = {}) {
    check(gpuarr_scan_create(this->out(), in, out, map, reduce, post, identity, options));
  }
  /// Scans: along the last axis for its one output, newly made; along any one.
  template <class... A> Array operator()(const A&... x) const {
    Array z;
    return run({z}, {x...}), std::move(z);
  }
  void run(Outputs z, Inputs x, int axis = -1, bool exclusive = false, const Stream& s = {}) const {
    Pointers p(z);
    check(gpuarr_scan_call(*this, p.first, len(z), x.begin(), len(x), axis, exclusive, s));
  }
};

/// @name Sorted, stably, NaN last; the indices that sort; one element where sorting would put it,
/// and the lesser before it; the k greatest, or least, and where they are.
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

/// @name Elements that differ, in order: alone; with the index of the first of each, which of them
/// each element is, and how many there are. They wait for their number.
///@{
struct Unique {
  Array values, indices, inverse, counts;
};
inline Array unique(const Array& x) { return made(gpuarr_unique, nullptr, nullptr, nullptr, x); }
inline Unique unique_all(const Array& x) { return made_as<Unique>(gpuarr_unique, x); }
///@}

/// Where elements would have to be put in among sorted ones: before equals, or behind them.
inline Array searchsorted(const Array& sorted, const Array& x, bool right = false) {
  return made(gpuarr_searchsorted, sorted, x, right);
}

/// @name Counts in bins: of one width, from the least to the greatest element, or over a range;
/// between edges that are given; of each whole number, or the sum of its weights.
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

/// @name Middles along an axis, which goes away: NaN where there is a NaN, or without regard to
/// NaN. Several quantiles lie along a new first axis.
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
