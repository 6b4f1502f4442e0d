#include "core/range.hpp"

#include <atomic>

namespace gpuarr {
namespace {

std::atomic<const RangeTool*> current{nullptr};

}  // namespace

const RangeTool* range_tool() noexcept { return current.load(std::memory_order_acquire); }

void set_range_tool(const RangeTool* tool) noexcept {
  current.store(tool, std::memory_order_release);
}

}  // namespace gpuarr
