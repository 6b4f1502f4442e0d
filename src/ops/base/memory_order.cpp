#include "ops/base/memory_order.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

namespace gpuarr {

Dims strides_following(const Layout& other, const Dims& shape, std::span<const int> axes) {
  if (is_contiguous(other, Order::c)) return dense_strides(shape, Order::c);
  if (is_contiguous(other, Order::f)) return dense_strides(shape, Order::f);
  auto step_of = [&](int axis) {
    const int from = axes[static_cast<size_t>(axis)];
    return from < 0 || other.shape[from] == 1 ? 0 : std::abs(other.strides[from]);
  };
  // The order is nearly always right already, and with strides of 0 no comparison is the strict
  // weak order that std::sort needs.
  auto inside = [&](int a, int b) {
    const int64_t sa = step_of(a), sb = step_of(b);
    return sa != sb && sa != 0 && sb != 0 ? sa < sb : a > b;
  };
  std::array<int, max_ndim> order;  // outermost first
  for (int a = 0; a < shape.size(); ++a) {
    int to = a;
    for (; to > 0 && inside(order[static_cast<size_t>(to - 1)], a); --to)
      order[static_cast<size_t>(to)] = order[static_cast<size_t>(to - 1)];
    order[static_cast<size_t>(to)] = a;
  }
  Dims strides = Dims::filled(shape.size(), 1);
  int64_t step = 1;
  for (int k = shape.size() - 1; k >= 0; --k) {
    const int axis = order[static_cast<size_t>(k)];
    strides[axis] = step;
    step *= std::max<int64_t>(1, shape[axis]);
  }
  return strides;
}

Dims strides_following(const Layout& other, const Dims& shape) {
  std::array<int, max_ndim> axes;
  std::iota(axes.begin(), axes.end(), 0);
  return strides_following(other, shape, axes);
}

}  // namespace gpuarr
