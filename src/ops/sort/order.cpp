#include "ops/sort/order.hpp"

#include "backends.hpp"
#include "codegen/count/runs.hpp"
#include "core/error.hpp"
#include "kernel/overlap.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/own_function.hpp"
#include "ops/base/own_kernel.hpp"
#include "ops/base/result.hpp"
#include "ops/base/transfer.hpp"
#include "ops/base/wanted.hpp"
#include "ops/kernels_text.hpp"

namespace gpuarr {
namespace {

void launch_runs(const char* name, int64_t blocks, DType dtype, const Runs& runs, Stream& stream) {
  static auto* const functions = new OwnFunctions;
  functions->launch(
      name, {name, gpuarr::name(dtype)}, dtype,
      [&] {
        return Source{"unique", run_text(target_of(stream.device()), dtype), {}};
      },
      {blocks, run_threads, 0}, runs, stream);
}

// Where a result is written first: to the given array, or apart. Null if it is not wanted.
Array run_target(const Wanted& result, DType dtype, const Array& x, const Dims& shape,
                 Stream& stream) {
  if (!result.wanted) return {};
  check_given(result, dtype, shape, stream.device());
  const Array* given = result.given;
  const bool usable =
      given != nullptr && is_contiguous(given->layout, Order::c) && !may_overlap(*given, x);
  Array target = usable ? *given : Array::empty(stream, dtype, shape);
  target.buffer->used_in(stream);
  return target;
}

// counts[k] = begin[k + 1] - begin[k], where the last run ends with the elements.
void lengths_of_runs(const Array& counts, const Array& begin, int64_t n, Stream& stream) {
  static Elementwise* const kernel =
      own_kernel("run_lengths", "raw int64 begin, int64 end", "int64 count",
                 "count = (i + 1 < n ? begin[i + 1] : end) - begin[i];");
  run_own(*kernel, {begin, n}, {&counts}, stream);
}

void check_apart(const Unique& u) {
  const Array* given[] = {u.values.given, u.indices.given, u.inverse.given, u.counts.given};
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < a; ++b)
      if (given[a] != nullptr && given[b] != nullptr && may_overlap(*given[a], *given[b]))
        fail(GPUARR_ERR_OVERLAP,
             "the results share memory with each other; give arrays that do not");
}

void write_runs(const Unique& u, Runs& runs, const Array& x, const Array& sorted, int64_t count,
                Stream& stream) {
  const Dims shape{count};
  const Array values = run_target(u.values, x.dtype, x, shape, stream);
  const Array indices = run_target(u.indices, DType::i64, x, shape, stream);
  const Array inverse = run_target(u.inverse, DType::i64, x, x.layout.shape, stream);
  const Array counts = run_target(u.counts, DType::i64, x, shape, stream);
  if (x.size() > 0) {
    const Array begin = Array::empty(stream, DType::i64, u.counts.wanted ? shape : Dims{0});
    runs.values = values.data;
    runs.first = static_cast<int64_t*>(indices.data);
    runs.begin = static_cast<int64_t*>(begin.data);
    runs.inverse = static_cast<int64_t*>(inverse.data);
    launch_runs("run_write", runs.tiles, sorted.dtype, runs, stream);
    if (u.counts.wanted) lengths_of_runs(counts, begin, runs.n, stream);
  }
  deliver(u.values, values, stream);
  deliver(u.indices, indices, stream);
  deliver(u.inverse, inverse, stream);
  deliver(u.counts, counts, stream);
}

}  // namespace

void check_can_wait(Stream& stream, const char* for_what) {
  if (stream.captures() || stream.is_capturing())
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream is being captured, but the call waits for {}; call it outside the capture",
         for_what);
}

void unique(const Unique& u, const Array& x, Stream& stream) {
  check_can_wait(stream, "the number of results");
  check_apart(u);
  const int64_t n = x.size();
  const Array flat = contiguous(x, Order::c, stream);
  const Array row = flat.view({{n}, {1}});
  const Array sorted = Array::empty(stream, x.dtype, {n});
  const bool indexed = u.indices.wanted || u.inverse.wanted;
  const Array index = Array::empty(stream, DType::i64, {indexed ? n : 0});
  sort_along({row, 0, false, &sorted, indexed ? &index : nullptr}, stream);
  Runs runs{};
  runs.x = sorted.data;
  runs.index = static_cast<const int64_t*>(index.data);
  runs.n = n;
  runs.tiles = (n + run_tile - 1) / run_tile;
  const Array counts = Array::empty(stream, DType::i64, {runs.tiles});
  const Array total = Array::empty(stream, DType::i64, {1});
  fill(total, Scalar::of(int64_t{0}), stream);
  runs.counts = static_cast<int64_t*>(counts.data);
  runs.total = static_cast<int64_t*>(total.data);
  if (n > 0) {
    launch_runs("run_count", runs.tiles, x.dtype, runs, stream);
    launch_runs("run_sum", 1, x.dtype, runs, stream);
  }
  write_runs(u, runs, x, sorted, number_in<int64_t>(total, stream), stream);
}

Array places_in(const Array& sorted, bool descending, const Array& from, const Array& which,
                const Array& right, Stream& stream) {
  const auto make = [](std::string_view order) {
    return own_kernel("places_in", "raw T sorted, raw T from, int64 which, int64 count, bool right",
                      "int64 place",
                      formatted("const T x = from[which]; {}", kernel_parts::searchsorted), order);
  };
  static Elementwise* const kernels[] = {make(kernel_parts::before),
                                         make(kernel_parts::before_descending)};
  Array places = Array::empty(stream, DType::i64, which.layout.shape);
  run_own(*kernels[descending ? 1 : 0], {sorted, from, which, sorted.size(), right}, {&places},
          stream);
  return places;
}

std::optional<Array> searchsorted(const Array* out, const Array& sorted, const Array& x, bool right,
                                  Stream& stream) {
  if (sorted.ndim() != 1)
    fail(GPUARR_ERR_SHAPE, "sorted has shape {}; it must have one axis",
         to_string(sorted.layout.shape));
  if (x.dtype != sorted.dtype)
    fail(GPUARR_ERR_DTYPE, "x is {}, but sorted is {}; give arrays of one dtype", name(x.dtype),
         name(sorted.dtype));
  check_device(sorted, "sorted", x.device());
  static Elementwise* const kernel =
      own_kernel("searchsorted", "raw T sorted, T x, int64 count, bool right", "int64 place",
                 kernel_parts::searchsorted, kernel_parts::before);
  Result result(out, {DType::i64, x.layout.shape, strides_like(x.layout)}, stream);
  const Array& target = result.array();
  const Array apart =
      may_overlap(target, sorted) ? copy(sorted, sorted.dtype, Order::k, stream) : sorted;
  run_own(*kernel, {apart, x, sorted.size(), right}, {&target}, stream);
  return result.take();
}

}  // namespace gpuarr
