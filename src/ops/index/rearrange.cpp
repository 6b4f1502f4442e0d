#include "ops/index/rearrange.hpp"

#include <algorithm>
#include <vector>

#include "array/views.hpp"
#include "core/error.hpp"
#include "device/capture.hpp"
#include "kernel/copy.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/memory_order.hpp"
#include "ops/base/own_kernel.hpp"
#include "ops/base/result.hpp"
#include "ops/base/transfer.hpp"
#include "ops/index/index.hpp"
#include "ops/index/runs.hpp"
#include "ops/kernels_text.hpp"

namespace gpuarr {
namespace {

int64_t product_of(int64_t a, int64_t b, int axis) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    fail(GPUARR_ERR_SHAPE, "axis {} would have {} times {} indices, more than 2^63 - 1", axis, a,
         b);
  return product;
}

Dims checked_result(const Dims& shape, const Array& x) {
  return checked_shape(shape.size(), shape.data(), x.itemsize());
}

// A copy of elements into many places, as one loop.
class Spread {
 public:
  void add(int64_t extent, int64_t to, int64_t from) {
    if (extent == 1) return;
    if (to_.ndim() == max_ndim)
      fail(GPUARR_ERR_UNSUPPORTED, "a loop over more than {} axes would be needed", max_ndim);
    to_.add_axis(extent, to);
    from_.add_axis(extent, from);
  }
  void run(const Array& to, const Array& from, Stream& stream) const {
    convert(to.view(to_), from.view(from_), stream);
  }

 private:
  Layout to_;
  Layout from_;
};

int64_t checked_times(int64_t times, const char* name) {
  if (times < 0) fail(GPUARR_ERR_ARGUMENT, "{} is {}; give 0 or more", name, times);
  return times;
}

Elementwise& search_kernel() {
  static Elementwise* const kernel =
      own_kernel("repeated_index", "raw int64 ends", "int64 k", kernel_parts::repeated_index);
  return *kernel;
}

// The counts added up, in the host's memory.
std::vector<int64_t> ends_of(const Array& counts, Stream& stream) {
  std::vector<int64_t> ends(static_cast<size_t>(counts.size()));
  const Array whole =
      counts.dtype == DType::i64 ? counts : copy(counts, DType::i64, Order::c, stream);
  read(host_memory(DType::i64, counts.layout.shape, nullptr, ends.data()), whole, stream);
  int64_t end = 0;
  for (size_t k = 0; k < ends.size(); ++k) {
    if (ends[k] < 0) fail(GPUARR_ERR_ARGUMENT, "counts[{}] is {}; give 0 or more", k, ends[k]);
    if (__builtin_add_overflow(end, ends[k], &end))
      fail(GPUARR_ERR_SHAPE, "the counts together are more than 2^63 - 1");
    ends[k] = end;
  }
  return ends;
}

void check_counts(const Array& counts, const Array& x, int axis) {
  if (!is_integer(counts.dtype))
    fail(GPUARR_ERR_DTYPE, "counts is {}; give an array of an integer type", name(counts.dtype));
  check_device(counts, "counts", x.device());
  if (counts.ndim() > 1 || (counts.size() != 1 && counts.size() != x.layout.shape[axis]))
    fail(GPUARR_ERR_SHAPE, "counts has shape {}; give ({},), one for each index of axis {}, or one",
         to_string(counts.layout.shape), x.layout.shape[axis], axis);
}

struct Shift {
  int axis;
  int64_t by;  // 0 < by < extent
};

// Elements that are shifted out come in again at the other end: two pieces for each axis.
void roll_into(const Array& to, const Array& x, std::span<const Shift> shifts, Stream& stream) {
  constexpr size_t at_once = 3;
  if (shifts.size() > at_once) {
    const Array between =
        Array::with_strides(stream, to.dtype, to.layout.shape, strides_like(to.layout));
    roll_into(between, x, shifts.first(at_once), stream);
    return roll_into(to, between, shifts.subspan(at_once), stream);
  }
  Pieces pieces(stream);
  for (unsigned piece = 0; piece < 1U << shifts.size(); ++piece) {
    Array from = x;
    Array into = to;
    for (size_t k = 0; k < shifts.size(); ++k) {
      const auto [axis, by] = shifts[k];
      const int64_t extent = x.layout.shape[axis];
      const bool wraps = (piece >> k & 1U) != 0;
      from = slice(from, axis, wraps ? extent - by : 0, wraps ? extent : extent - by, 1);
      into = slice(into, axis, wraps ? 0 : by, wraps ? by : extent, 1);
    }
    pieces.copy(into, from);
  }
  pieces.finish();
}

std::vector<Shift> joined_shifts(const Array& x, std::span<const int64_t> shifts,
                                 std::span<const int32_t> axes) {
  std::vector<Shift> all;
  for (size_t k = 0; k < axes.size(); ++k) {
    const int axis = checked_axis_of(axes, k, x.ndim());
    const int64_t extent = std::max<int64_t>(x.layout.shape[axis], 1);
    const int64_t by = (shifts[k] % extent + extent) % extent;
    auto same = std::ranges::find(all, axis, &Shift::axis);
    if (same == all.end())
      all.push_back({axis, by});
    else
      same->by = same->by >= extent - by ? same->by - (extent - by) : same->by + by;
  }
  std::erase_if(all, [](const Shift& s) { return s.by == 0; });
  return all;
}

constexpr const char* triangle_text = R"(const auto at = _ind.get();
const long long above = at[_ind.ndim - 1] - at[_ind.ndim - 2];
)";

Elementwise* make_triangle(const char* name, const char* in_params, const char* body) {
  return own_kernel(name, in_params, "T y", std::string(triangle_text) + body);
}

// A diagonal outside of the matrix is as good as the first one outside; of one without elements
// either extent may be 2^63 - 1.
int64_t clamped(int64_t k, int64_t rows, int64_t columns) { return std::clamp(k, -rows, columns); }

}  // namespace

std::optional<Array> tile(const Array* out, const Array& x, std::span<const int64_t> times,
                          Stream* given) {
  const int ndim = std::max(x.ndim(), static_cast<int>(times.size()));
  if (ndim > max_ndim)
    fail(GPUARR_ERR_SHAPE, "count is {}, but no array has more than {} axes", ndim, max_ndim);
  const int no_extent = ndim - x.ndim();
  const int no_times = ndim - static_cast<int>(times.size());
  Dims shape, old, repeats;
  std::vector<int> axes;
  for (int k = 0; k < ndim; ++k) {
    old.push_back(k < no_extent ? 1 : x.layout.shape[k - no_extent]);
    const int at = k - no_times;
    repeats.push_back(
        at < 0 ? 1
               : checked_times(times[static_cast<size_t>(at)], formatted("times[{}]", at).c_str()));
    shape.push_back(product_of(old[k], repeats[k], k));
    axes.push_back(k < no_extent ? -1 : k - no_extent);
  }
  shape = checked_result(shape, x);
  Stream& stream = stream_for(given, x.device());
  Result result(out, {x.dtype, shape, strides_following(x.layout, shape, axes)}, stream);
  const Array* inputs[] = {&x};
  result.fill(inputs, stream, [&](const Array& to) {
    if (to.size() == 0) return;
    Spread spread;
    for (int k = 0; k < ndim; ++k) {
      const int64_t step = to.layout.strides[k];
      spread.add(repeats[k], step * old[k], 0);
      spread.add(old[k], step, k < no_extent ? 0 : x.layout.strides[k - no_extent]);
    }
    spread.run(to, x, stream);
  });
  return result.take();
}

std::optional<Array> repeat(const Array* out, const Array& x, int64_t count, int32_t axis_,
                            Stream* given) {
  const int axis = checked_axis(axis_, x.ndim());
  checked_times(count, "count");
  Dims shape = x.layout.shape;
  shape[axis] = product_of(shape[axis], count, axis);
  shape = checked_result(shape, x);
  Stream& stream = stream_for(given, x.device());
  Result result(out, {x.dtype, shape, strides_following(x.layout, shape)}, stream);
  const Array* inputs[] = {&x};
  result.fill(inputs, stream, [&](const Array& to) {
    if (to.size() == 0) return;
    Spread spread;
    for (int k = 0; k < x.ndim(); ++k) {
      const int64_t step = to.layout.strides[k];
      spread.add(x.layout.shape[k], k == axis ? step * count : step, x.layout.strides[k]);
      if (k == axis) spread.add(count, step, 0);
    }
    spread.run(to, x, stream);
  });
  return result.take();
}

std::optional<Array> repeat_each(const Array* out, const Array& x, const Array& counts,
                                 int32_t axis_, Stream* given) {
  const int axis = checked_axis(axis_, x.ndim());
  check_counts(counts, x, axis);
  Stream& stream = stream_for(given, x.device());
  check_not_captured(stream);
  const std::vector<int64_t> ends = ends_of(counts, stream);
  if (counts.size() == 1) return repeat(out, x, ends[0], axis, &stream);  // however long the axis
  const auto extent = static_cast<int64_t>(ends.size());
  Dims length{ends.empty() ? 0 : ends.back()};
  checked_shape(1, length.data(), size_of(DType::i64));
  const Array there =
      from_memory(host_memory(DType::i64, Dims{extent}, nullptr, ends.data()), stream);
  const Array indices = Array::empty(stream, DType::i64, length);
  run_own(search_kernel(), {there}, {&indices}, stream);
  return take(out, x, indices, axis, &stream);
}

std::optional<Array> roll(const Array* out, const Array& x, std::span<const int64_t> shifts,
                          std::span<const int32_t> axes, Stream* given) {
  const std::vector<Shift> joined = joined_shifts(x, shifts, axes);
  Stream& stream = stream_for(given, x.device());
  Result result(out, {x.dtype, x.layout.shape, strides_like(x.layout)}, stream);
  const Array* inputs[] = {&x};
  result.fill(inputs, stream, [&](const Array& to) { roll_into(to, x, joined, stream); });
  return result.take();
}

Array tri(Stream& stream, DType dtype, int64_t rows, int64_t columns, int64_t k, Order order) {
  if (rows < 0) fail(GPUARR_ERR_SHAPE, "rows is {}; it must be 0 or more", rows);
  if (columns < 0) fail(GPUARR_ERR_SHAPE, "columns is {}; it must be 0 or more", columns);
  static auto* const kernel = make_triangle("tri", "int64 k", "y = above <= k ? T(1) : T(0);");
  const int64_t shape[] = {rows, columns};
  Array out = Array::empty(stream, dtype, checked_shape(2, shape, size_of(dtype)), order);
  run_own(*kernel, {clamped(k, rows, columns)}, {&out}, stream);
  return out;
}

std::optional<Array> triangle(const Array* out, const Array& x, int64_t k, bool upper,
                              Stream* given) {
  if (x.ndim() < 2)
    fail(GPUARR_ERR_SHAPE, "x has shape {}; give a matrix, or several, of two axes or more",
         to_string(x.layout.shape));
  static auto* const above = make_triangle("triu", "T x, int64 k", "y = above >= k ? x : T(0);");
  static auto* const below = make_triangle("tril", "T x, int64 k", "y = above <= k ? x : T(0);");
  Stream& stream = stream_for(given, x.device());
  const Dims& shape = x.layout.shape;
  Result result(out, {x.dtype, shape, strides_like(x.layout)}, stream);
  const int64_t diagonal = clamped(k, shape[x.ndim() - 2], shape[x.ndim() - 1]);
  run_own(upper ? *above : *below, {x, diagonal}, {&result.array()}, stream);
  return result.take();
}

std::optional<Array> diag(const Array* out, const Array& x, int64_t k, Stream* given) {
  if (x.ndim() != 1)
    fail(GPUARR_ERR_SHAPE,
         "x has shape {}; give one axis, or take the diagonal of a matrix by "
         "gpuarr_array_diagonal",
         to_string(x.layout.shape));
  int64_t extent = 0;
  if (k == INT64_MIN || __builtin_add_overflow(x.size(), k < 0 ? -k : k, &extent))
    fail(GPUARR_ERR_SHAPE, "k is {}, so the matrix would have more than 2^63 - 1 rows", k);
  const int64_t square[] = {extent, extent};
  const Dims shape = checked_shape(2, square, x.itemsize());
  Stream& stream = stream_for(given, x.device());
  Result result(out, {x.dtype, shape, dense_strides(shape, Order::c)}, stream);
  const Array* inputs[] = {&x};
  result.fill(inputs, stream, [&](const Array& to) {
    fill(to, Scalar::of(int64_t{0}), stream);
    convert(diagonal(to, k, 0, 1), x, stream);
  });
  return result.take();
}

}  // namespace gpuarr
