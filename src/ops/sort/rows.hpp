// Sorting rows that lie in memory one behind the other: what all of sorting is made of.
#pragma once

#include "array/array.hpp"
#include "codegen/sort/cuda.hpp"
#include "core/text.hpp"
#include "device/device.hpp"

namespace gpuarr {

/// Stable. NaNs come last, in either direction; 0 and -0 are equal, and so are NaNs.
struct RowSort {
  DType dtype;  // not complex
  bool descending = false;
  int64_t rows = 0, n = 0;
  const void* in = nullptr;
  void* out = nullptr;       // null: not wanted; apart from `in`, or, without index, the same
  int64_t* index = nullptr;  // null: not wanted; where in its row each element was
};

/// In the order of the stream; what it needs besides comes from the stream's pool.
void sort_rows(const RowSort& job, Stream& stream);

SortVariant variant_of(const RowSort& job);

template <auto text>
Source sort_source(const SortVariant& variant) {
  return {.name = "sort",
          .text = text(variant),
          .options = {},
          .types = formatted("{}{}", name(variant.dtype), variant.indexed ? ", indices" : "")};
}

void sort_rows_on_host(const RowSort& job, Stream& stream);
void sort_rows_on_gpu(const RowSort& job, Stream& stream);

}  // namespace gpuarr
