#include "ops/sort/sort.hpp"

#include "array/views.hpp"
#include "core/error.hpp"
#include "kernel/overlap.hpp"
#include "ops/base/along.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/result.hpp"
#include "ops/sort/complex.hpp"
#include "ops/sort/rank.hpp"
#include "ops/sort/rows.hpp"

namespace gpuarr {
namespace {

// The extent of a kept axis may be any number, if there are no elements.
int64_t count_rows(const Array& rows) {
  const int64_t n = rows.layout.shape[rows.ndim() - 1];
  return n == 0 ? 0 : rows.size() / n;
}

void sort_dense(const Array& from, bool descending, const RowTarget& values, const RowTarget& index,
                Stream& stream) {
  if (is_complex(from.dtype)) return sort_complex_rows(from, descending, values, index, stream);
  const int64_t n = from.layout.shape[from.ndim() - 1];
  sort_rows({from.dtype, descending, count_rows(from), n, from.data, values.data(),
             static_cast<int64_t*>(index.data())},
            stream);
}

bool may_rank(const Array& x, int64_t n, const Stream& stream) {
  return x.size() > 0 && !is_complex(x.dtype) &&
         ranks_pay({x.dtype, false, x.size() / n, n, nullptr}, 1, stream.device());
}

}  // namespace

void sort_along(const SortRequest& r, Stream& stream) {
  if (r.values != nullptr && r.index != nullptr && may_overlap(*r.values, *r.index))
    fail(GPUARR_ERR_OVERLAP, "the results share memory with each other; give arrays that do not");
  if (r.x.size() == 0) return;
  r.x.buffer->used_in(stream);
  const std::vector<int32_t> order = axes_with_last(r.x.layout, r.axis);
  const Array from = contiguous(transpose(r.x, order), Order::c, stream);
  const RowTarget values(r.values, order, from, r.index == nullptr, stream);
  const RowTarget index(r.index, order, from, false, stream);
  sort_dense(from, r.descending, values, index, stream);
  values.finish(stream);
  index.finish(stream);
}

std::optional<Array> sort(const Array* out, const Array& x, int64_t axis, bool descending,
                          Stream& stream) {
  const int at = checked_axis(axis, x.ndim());
  Result result(out, {x.dtype, x.layout.shape, strides_like(x.layout)}, stream);
  sort_along({x, at, descending, &result.array(), nullptr}, stream);
  return result.take();
}

std::optional<Array> argsort(const Array* out, const Array& x, int64_t axis, bool descending,
                             Stream& stream) {
  const int at = checked_axis(axis, x.ndim());
  Result result(out, {DType::i64, x.layout.shape, strides_like(x.layout)}, stream);
  sort_along({x, at, descending, nullptr, &result.array()}, stream);
  return result.take();
}

std::optional<Array> partition(const Array* out, const Array& x, int64_t kth, int64_t axis,
                               Stream& stream) {
  const int64_t n = x.layout.shape.empty() ? 0 : x.layout.shape[checked_axis(axis, x.ndim())];
  if (kth < -n || kth >= n)
    fail(GPUARR_ERR_ARGUMENT, "kth is {}, but there are {} elements along axis {}", kth, n, axis);
  if (!may_rank(x, n, stream)) return sort(out, x, axis, false, stream);
  Result result(out, {x.dtype, x.layout.shape, strides_like(x.layout)}, stream);
  x.buffer->used_in(stream);
  const std::vector<int32_t> order = axes_with_last(x.layout, checked_axis(axis, x.ndim()));
  const Array from = contiguous(transpose(x, order), Order::c, stream);
  const RowTarget values(&result.array(), order, from, false, stream);
  part_rows(rows_in(from), kth < 0 ? kth + n : kth, values.data(), stream);
  values.finish(stream);
  return result.take();
}

}  // namespace gpuarr
