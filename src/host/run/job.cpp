#include "host/run/job.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"
#include "host/run/block_store.hpp"
#include "host/run/watcher.hpp"
#include "host/threads/threads.hpp"

namespace gpuarr::host {

void RawJob::fail(std::exception_ptr why) {
  {
    std::lock_guard lock(mutex_);
    if (!error) error = std::move(why);
  }
  __atomic_store_n(&launch.stop, 1, __ATOMIC_RELAXED);
  grid.stop();
}

void RawJob::fail(gpuarr_status status, gpuarr_dim block, const std::string& problem) {
  fail(std::make_exception_ptr(
      Error(status, formatted("kernel \"{}\", block ({},{},{}){}", kernel.name, block.x, block.y,
                              block.z, problem))));
}

// Many at first, and few towards the end, so that all threads come to it at about the same time.
std::pair<int64_t, int64_t> RawJob::take() {
  int64_t first = next_.load(std::memory_order_relaxed);
  int64_t last = 0;
  do {
    const int64_t left = blocks_ - first;
    last = first + std::min(left, std::max<int64_t>(1, left / (4 * thread_count())));
  } while (!next_.compare_exchange_weak(first, last, std::memory_order_relaxed));
  return {first, last};
}

Block::Outcome RawJob::go_on(Block& block) {
  current_worker()->block = &block;
  if (watcher != nullptr) watcher->resume();
  const Block::Outcome outcome = block.go_on();
  if (watcher != nullptr) watcher->pause();
  current_worker()->block = nullptr;
  if (block.error()) fail(block.error());
  if (outcome == Block::Outcome::failed && !block.problem().empty())
    fail(GPUARR_ERR_SYNC, block.index,
         ": " + block.problem() + (watcher != nullptr ? watcher->places() : ""));
  return outcome;
}

namespace {

// Where functions do not look if there is stack for them, those that use more than their share
// write into what lies between the stacks.
void check_stacks(RawJob& job, Block& block) {
  const int number = block.set().find_overflow();
  if (number < 0) return;
  const gpuarr_dim at = block.set().fibers()[number].index;
  block.set().clear();
  job.fail(GPUARR_ERR_FAULT, block.index,
           formatted(" or one before it, thread ({},{},{}): {}", at.x, at.y, at.z, too_much_stack));
}

}  // namespace

void run_blocks(RawJob& job, void (*thread)(gpuarr_fiber*)) {
  std::unique_ptr<Block> block;
  while (!job.stopped()) {
    const auto [first, last] = job.take();
    if (first == last) break;
    if (block == nullptr) block = take_block(job.launch);
    block->watcher = job.watcher;
    block->begin(job.launch, first, last, thread, job.kernel.threads == 1);
    if (job.go_on(*block) == Block::Outcome::at_grid_barrier)
      job.fail(GPUARR_ERR_SYNC, block->index,
               ": it waits at the barrier of the grid, for which the launch must be cooperative");
  }
  if (block == nullptr) return;
  check_stacks(job, *block);
  give_block(std::move(block));
}

}  // namespace gpuarr::host
