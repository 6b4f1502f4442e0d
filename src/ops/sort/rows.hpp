// Sorting rows that lie in memory one behind the other: what all of sorting is made of.
#pragma once

#include "array/array.hpp"
#include "codegen/sort/cuda.hpp"
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

/// One of the kernels for it, and how it is launched.
struct SortKernel {
  Source (*source)(const SortVariant& variant);
  const char* name;
  LaunchShape shape;
};

SortVariant variant_of(const RowSort& job);
void launch_sort(const SortVariant& variant, const SortKernel& kernel, const void* parameters,
                 size_t bytes, Stream& stream);

void sort_rows_on_host(const RowSort& job, Stream& stream);
void sort_rows_on_gpu(const RowSort& job, Stream& stream);

}  // namespace gpuarr
