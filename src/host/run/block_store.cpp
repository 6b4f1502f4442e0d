#include "host/run/block_store.hpp"

#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "core/fork.hpp"
#include "core/once.hpp"
#include "host/threads/threads.hpp"

namespace gpuarr::host {
namespace {

struct Store {
  ForkSafeMutex mutex;
  std::vector<std::unique_ptr<Block>> blocks;
};

Store& store() {
  static Undying<Store> instance;
  return *instance;
}

}  // namespace

// The one that was used last has its memory in a cache, perhaps this thread's.
std::unique_ptr<Block> take_block(const gpuarr_launch& launch) {
  std::unique_ptr<Block> block;
  {
    std::lock_guard lock(store().mutex);
    if (!store().blocks.empty()) {
      block = std::move(store().blocks.back());
      store().blocks.pop_back();
    }
  }
  if (block == nullptr || !block->fits(launch)) block = std::make_unique<Block>(launch);
  return block;
}

void give_block(std::unique_ptr<Block> block) noexcept {
  const auto most = static_cast<size_t>(thread_count()) + 2;
  try {
    std::lock_guard lock(store().mutex);
    if (store().blocks.size() < most) store().blocks.push_back(std::move(block));
  } catch (const std::bad_alloc&) {
    // It goes instead of staying for the next one.
  }
}

}  // namespace gpuarr::host
