// The greatest or the least elements along an axis, in order.
#include "array/views.hpp"
#include "core/error.hpp"
#include "ops/base/along.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/wanted.hpp"
#include "ops/sort/complex.hpp"
#include "ops/sort/rank.hpp"
#include "ops/sort/rows.hpp"
#include "ops/sort/sort.hpp"

namespace gpuarr {
namespace {

struct TopK {
  const Array& x;
  int axis;
  int64_t k;
  bool largest;
  const Array* values;   // null: not wanted, as the next
  const Array* indices;  // int64
};

// Elements whose rank is below k are found first, and only those are sorted.
void topk_by_rank(const TopK& t, Stream& stream) {
  t.x.buffer->used_in(stream);
  const std::vector<int32_t> order = axes_with_last(t.x.layout, t.axis);
  const Array from = contiguous(transpose(t.x, order), Order::c, stream);
  const int64_t n = t.x.layout.shape[t.axis], rows = t.x.size() / n;
  const RowTarget values(t.values, order, from, false, stream);
  const RowTarget indices(t.indices, order, from, false, stream);
  const RankRows all = rows_in(from, t.largest);
  const Array first = Array::empty(stream, from.dtype, {rows, t.k});
  RowSort sort{from.dtype, t.largest, rows, t.k, first.data, values.data(), nullptr};
  if (t.indices == nullptr) {
    first_of_rows(all, t.k, first.data, nullptr, stream);
    sort_rows(sort, stream);
  } else {
    const Dims& shape = indices.rows().layout.shape;
    const Array places = Array::empty(stream, DType::i64, shape);
    const Array sorted = Array::empty(stream, DType::i64, shape);
    first_of_rows(all, t.k, first.data, static_cast<int64_t*>(places.data), stream);
    sort.index = static_cast<int64_t*>(sorted.data);
    sort_rows(sort, stream);
    take_in_rows(indices.rows(), places, sorted, stream);
  }
  values.finish(stream);
  indices.finish(stream);
}

void topk_by_sort(const TopK& t, Stream& stream) {
  auto sorted = [&](const Array* wanted) {
    const Dims shape = wanted != nullptr ? t.x.layout.shape : Dims{0};
    return Array::with_strides(stream, wanted != nullptr ? wanted->dtype : t.x.dtype, shape,
                               strides_like({shape, t.x.layout.strides}));
  };
  const Array values = sorted(t.values), indices = sorted(t.indices);
  sort_along({t.x, t.axis, t.largest, t.values != nullptr ? &values : nullptr,
              t.indices != nullptr ? &indices : nullptr},
             stream);
  if (t.values != nullptr) assign(*t.values, slice(values, t.axis, 0, t.k, 1), stream);
  if (t.indices != nullptr) assign(*t.indices, slice(indices, t.axis, 0, t.k, 1), stream);
}

bool ranks_pay_for(const TopK& t, const Device& device) {
  constexpr int64_t most_part = 4;  // more than a quarter of a row takes as long to sort
  const int64_t n = t.x.layout.shape[t.axis];
  return !is_complex(t.x.dtype) && t.k <= n / most_part &&
         ranks_pay({t.x.dtype, t.largest, t.x.size() / n, n, nullptr}, 1, device);
}

}  // namespace

void topk(Wanted& values, Wanted& indices, const Array& x, int64_t k, int64_t axis, bool largest,
          Stream& stream) {
  const int at = checked_axis(axis, x.ndim());
  const int64_t n = x.layout.shape[at];
  if (k < 0 || k > n)
    fail(GPUARR_ERR_ARGUMENT, "k is {}, but there are {} elements along axis {}", k, n, axis);
  if (!values.wanted && !indices.wanted)
    fail(GPUARR_ERR_ARGUMENT, "values and indices are both NULL; ask for one of them");
  Dims shape = x.layout.shape;
  shape[at] = k;
  check_given(values, x.dtype, shape, stream.device());
  check_given(indices, DType::i64, shape, stream.device());
  check_apart({&values, &indices});
  const Layout like{shape, x.layout.strides};
  const auto target = [&](Wanted& result, DType dtype) {
    return result.wanted ? &place(result, dtype, shape, strides_like(like), stream) : nullptr;
  };
  const TopK all{x, at, k, largest, target(values, x.dtype), target(indices, DType::i64)};
  if (k == 0 || x.size() == 0) return;
  if (ranks_pay_for(all, stream.device()))
    topk_by_rank(all, stream);
  else
    topk_by_sort(all, stream);
}

}  // namespace gpuarr
