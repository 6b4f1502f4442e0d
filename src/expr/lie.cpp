#include "expr/lie.hpp"

#include <bit>
#include <cstdlib>

namespace gpuarr::expr {
namespace {

Lie lie_of(const Layout& layout) {
  Lie out;
  int64_t least = INT64_MAX;
  for (int back = 0; back < layout.ndim(); ++back) {
    const int axis = layout.ndim() - 1 - back;
    const int64_t stride = std::abs(layout.strides[axis]);
    if (layout.shape[axis] <= 1 || stride == 0) continue;
    out.varies |= uint32_t{1} << back;
    if (stride >= least) continue;
    least = stride;
    out.nearest = back;
  }
  return out;
}

}  // namespace

std::vector<Lie> lies_of(const Numbered& numbered) {
  std::vector<Lie> out(numbered.items.size());
  for (size_t k = 0; k < out.size(); ++k) {
    const Node& node = *numbered.items[k].node;
    if (node.kind == NodeKind::array) out[k] = lie_of(node.array().layout);
    if (node.kind != NodeKind::function && node.kind != NodeKind::convert) continue;
    for (int o : numbered.items[k].all()) {
      const Lie& operand = out[as_index(o)];
      if (std::popcount(out[k].varies) < 2 && operand.varies != 0) out[k] = operand;
    }
  }
  return out;
}

}  // namespace gpuarr::expr
