#include "codegen/layout/packs.hpp"

#include <algorithm>

namespace gpuarr {

void OperandVariants::take(std::span<const Operand> operands) {
  count = static_cast<int>(operands.size());
  for (size_t k = 0; k < operands.size(); ++k) {
    const Operand& o = operands[k];
    all[k] = {o.dtype, o.role, Access::none, 0, false};
    if (!is_raw(o.role)) continue;
    all[k].ndim = o.layout->ndim();
    all[k].contiguous = is_contiguous(*o.layout, Order::c);
  }
}

int pack_size(std::span<const OperandVariant> operands) {
  int smallest = 16;
  int largest = 1;
  for (const OperandVariant& o : operands)
    if (o.access == Access::vector) {
      smallest = std::min(smallest, size_of(o.dtype));
      largest = std::max(largest, size_of(o.dtype));
    }
  return std::max(1, std::min(16 / smallest, 32 / largest));
}

bool packs_aligned(const Nest& nest, std::span<const Operand> operands, int k,
                   const PackGrid& grid) {
  int64_t size = size_of(operands[static_cast<size_t>(k)].dtype);
  int64_t alignment = std::min<int64_t>(16, grid.pack * size);
  int64_t anchor_first = 0;
  if (grid.anchor >= 0) {
    auto anchor = static_cast<size_t>(grid.anchor);
    anchor_first =
        reinterpret_cast<intptr_t>(nest.data[anchor]) / size_of(operands[anchor].dtype) % grid.pack;
  }
  auto first = reinterpret_cast<intptr_t>(nest.data[static_cast<size_t>(k)]);
  if ((first - anchor_first * size) % alignment != 0) return false;
  for (int axis = 0; axis < nest.ndim; ++axis) {
    if (axis == grid.inner) continue;
    int64_t anchor_step = grid.anchor < 0 ? 0 : nest.stride(grid.anchor, axis);
    if ((nest.stride(k, axis) - anchor_step) * size % alignment != 0) return false;
  }
  return true;
}

}  // namespace gpuarr
