// Sorting along an axis, and what follows from it.
#pragma once

#include <optional>

#include "array/array.hpp"
#include "ops/base/wanted.hpp"

namespace gpuarr {

/// What is sorted, which way, and what is wanted of it: either may be null. Both have x's shape.
struct SortRequest {
  const Array& x;
  int axis;
  bool descending;
  const Array* values;
  const Array* index;  // int64
};
void sort_along(const SortRequest& request, Stream& stream);

// Results are made where `out` is null, and returned.
std::optional<Array> sort(const Array* out, const Array& x, int64_t axis, bool descending,
                          Stream& stream);
std::optional<Array> argsort(const Array* out, const Array& x, int64_t axis, bool descending,
                             Stream& stream);
std::optional<Array> partition(const Array* out, const Array& x, int64_t kth, int64_t axis,
                               Stream& stream);

void topk(Wanted& values, Wanted& indices, const Array& x, int64_t k, int64_t axis, bool largest,
          Stream& stream);

}  // namespace gpuarr
