#include "ops/base/along.hpp"

#include <algorithm>
#include <cstdlib>

#include "array/views.hpp"
#include "core/error.hpp"
#include "kernel/overlap.hpp"
#include "ops/base/copy.hpp"

namespace gpuarr {

std::vector<int32_t> axes_with_last(const Layout& layout, int axis) {
  std::vector<int32_t> order;
  for (int32_t k = 0; k < layout.ndim(); ++k)
    if (k != axis) order.push_back(k);
  std::ranges::stable_sort(order, [&](int32_t a, int32_t b) {
    return std::abs(layout.strides[a]) > std::abs(layout.strides[b]);
  });
  order.push_back(axis);
  return order;
}

RowTarget::RowTarget(const Array* target, const std::vector<int32_t>& order,
                     const Array& apart_from, bool in_place, Stream& stream)
    : target_(target) {
  if (target == nullptr) return;
  seen_ = transpose(*target, order);
  const bool same = in_place && seen_.data == apart_from.data && seen_.layout == apart_from.layout;
  const bool usable =
      is_contiguous(seen_.layout, Order::c) && (same || !may_overlap(seen_, apart_from));
  rows_ = usable ? seen_ : Array::empty(stream, target->dtype, seen_.layout.shape);
  target->buffer->used_in(stream);
}

void RowTarget::finish(Stream& stream) const {
  if (target_ != nullptr && rows_.data != seen_.data) assign(seen_, rows_, stream);
}

}  // namespace gpuarr
