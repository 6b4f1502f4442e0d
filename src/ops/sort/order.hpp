// What follows from the order of elements.
#pragma once

#include <optional>
#include <span>

#include "array/array.hpp"
#include "ops/sort/sort.hpp"

namespace gpuarr {

// Results are made where they are not given, and returned.

struct Unique {
  Wanted &values, &indices, &inverse, &counts;
};
void unique(const Unique& results, const Array& x, Stream& stream);

std::optional<Array> searchsorted(const Array* out, const Array& sorted, const Array& x, bool right,
                                  Stream& stream);

/// Where some of the elements of `from` belong in what is sorted, of one axis: before their equals,
/// or, where `right` is true, behind them. `which` (int64) has their indices.
Array places_in(const Array& sorted, bool descending, const Array& from, const Array& which,
                const Array& right, Stream& stream);

/// `range` is null for that of the elements.
void histogram(Wanted& counts, Wanted& edges, const Array& x, int64_t bins, const double* range,
               Stream& stream);
std::optional<Array> histogram_between(const Array* out, const Array& x, const Array& edges,
                                       Stream& stream);
std::optional<Array> bincount(const Array* out, const Array& x, const Array* weights,
                              int64_t minlength, Stream& stream);

struct QuantileRequest {
  std::span<const double> q;
  int64_t axis;
  int32_t method;   // GPUARR_QUANTILE_...
  bool skip_nan;    // else a NaN is the result
  bool keeps_list;  // the quantiles are the result's first axis; else there is one
};
std::optional<Array> quantile(const Array* out, const Array& x, const QuantileRequest& request,
                              Stream& stream);

/// Fails in a stream that is being captured, where nothing can be waited for.
void check_can_wait(Stream& stream, const char* for_what);

}  // namespace gpuarr
