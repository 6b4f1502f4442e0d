#include "host/run/launch.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "host/run/job.hpp"
#include "host/run/thread_stack.hpp"
#include "host/run/watcher.hpp"
#include "host/threads/threads.hpp"

namespace gpuarr::host {
namespace {

// What cooperative launches have at most: each thread has a stack, and two pages of it are memory.
constexpr int64_t most_together = 32768;

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

// No variable of its own may be lost where a kernel's thread jumps back.
void run_until_landing(const RawJob& job, Worker& worker, long long first, long long last) {
  if (_setjmp(worker.landing) == 0) job.kernel.blocks(&job.launch, first, last);
}

void run_part(const void* context, long long first, long long last) {
  auto& job = *static_cast<RawJob*>(const_cast<void*>(context));
  Worker worker;
  worker.job = &job;
  std::unique_ptr<void, Free> shared;
  if (job.kernel.threads == 0 && job.launch.shared_bytes > 0) {
    shared.reset(std::aligned_alloc(128, (job.launch.shared_bytes + 127) / 128 * 128));
    if (shared == nullptr) return job.fail(std::make_exception_ptr(std::bad_alloc()));
    worker.shared = static_cast<unsigned char*>(shared.get());
  }
  Worker* before = std::exchange(current_worker(), &worker);
  // Fibers have limits of their own, and none is wanted where they begin and end.
  std::optional<LimitedStack> limit;
  if (job.kernel.threads == 0) limit.emplace();
  run_until_landing(job, worker, first, last);
  current_worker() = before;
}

bool may_split(const gpuarr_dim& grid) {
  const gpuarr_dim& most = gpuarr_most_split;
  return grid.x <= most.x && grid.y <= most.y && grid.z <= most.z;
}

}  // namespace

int64_t most_blocks_together(int64_t threads) { return threads > 0 ? most_together / threads : 0; }

void run_raw(const gpuarr_kernel& kernel, const gpuarr_launch& launch, Watcher* watcher) {
  if (kernel.split != nullptr && may_split(launch.grid)) {
    gpuarr_kernel loops = kernel;
    loops.blocks = std::exchange(loops.split, nullptr);
    loops.threads = 0;
    return run_raw(loops, launch, watcher);
  }
  const int64_t blocks = int64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  const int64_t threads = int64_t{launch.block.x} * launch.block.y * launch.block.z;
  if (blocks == 0 || threads == 0) return;
  if (threads > Block::most_threads)
    fail(GPUARR_ERR_ARGUMENT, "kernel \"{}\": blocks of {} threads; the maximum is {}", kernel.name,
         threads, Block::most_threads);
  RawJob job(kernel, launch, blocks, watcher);
  if (watcher != nullptr) watcher->attach(job);
  job.launch.services = &raw_services();
  job.launch.state = &job;
  job.launch.stop = 0;
  job.launch.cooperative = launch.cooperative != 0 && kernel.threads == 2;
  if (job.launch.cooperative != 0 && blocks > most_blocks_together(threads))
    fail(GPUARR_ERR_ARGUMENT,
         "kernel \"{}\": a cooperative launch of {} blocks of {} threads; at most {} such blocks "
         "can run together",
         kernel.name, blocks, threads, most_blocks_together(threads));
  if (kernel.threads > 0) {  // each thread takes blocks until none is left
    // One thread does all blocks in their order if they are checked: what is found is always the
    // same.
    parallel_apart(run_part, &job,
                   watcher != nullptr ? 1 : std::min<int64_t>(blocks, thread_count()));
  } else {
    parallel(run_part, &job, blocks);
  }
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace gpuarr::host
