// A launch of a raw kernel while it runs.
#pragma once

#include <atomic>
#include <csetjmp>
#include <exception>
#include <mutex>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "host/glue/abi.cuh"
#include "host/run/fibers.hpp"
#include "host/run/grid.hpp"

namespace gpuarr::host {

class Watcher;

struct RawJob {
  RawJob(const gpuarr_kernel& which, const gpuarr_launch& how, int64_t blocks, Watcher* follows)
      : kernel(which), launch(how), grid(blocks), watcher(follows), blocks_(blocks) {}

  bool stopped() const { return __atomic_load_n(&launch.stop, __ATOMIC_RELAXED) != 0; }

  /// The first failure counts. Blocks that have not begun never will.
  void fail(std::exception_ptr why);
  void fail(gpuarr_status status, gpuarr_dim block, const std::string& problem);

  /// Takes blocks that nobody has: [first, last). Empty if there are none left.
  std::pair<int64_t, int64_t> take();

  /// Lets the threads of a block run, and notes what came of it.
  Block::Outcome go_on(Block& block);

  const gpuarr_kernel& kernel;
  gpuarr_launch launch;
  Grid grid;         // of a cooperative launch
  Watcher* watcher;  // null for none
  std::exception_ptr error;

 private:
  std::mutex mutex_;
  const int64_t blocks_;
  std::atomic<int64_t> next_{0};
};

/// Of threads that wait for others.
constexpr const char* too_much_stack =
    "it uses more than 96 KiB of stack, which is what threads that wait for others have; recurse "
    "less, or have smaller local arrays";
static_assert(FiberSet::stack_bytes == 96 << 10);

/// Of threads that are a loop.
constexpr const char* no_stack_left =
    "it uses more stack than the processor's thread has; recurse less, or have smaller local "
    "arrays";

/// What a thread is doing for a job.
struct Worker {
  RawJob* job = nullptr;
  Block* block = nullptr;           // whose fibers run; null in kernels that are loops
  unsigned char* shared = nullptr;  // dynamic, for loops
  std::jmp_buf landing;             // out of a loop
};

/// Does what blocks are left, one after the other, together with other threads.
void run_blocks(RawJob& job, void (*thread)(gpuarr_fiber*));

/// Does what blocks are left of a cooperative launch, together with other threads.
void run_grid(RawJob& job, void (*thread)(gpuarr_fiber*));

/// What modules call.
const gpuarr_services& raw_services();

/// What this thread is doing, if anything.
Worker*& current_worker();

}  // namespace gpuarr::host
