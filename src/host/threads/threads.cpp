#include "host/threads/threads.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <mutex>
#include <vector>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "core/log.hpp"
#include "core/once.hpp"
#include "core/settings.hpp"

namespace gpuarr::host {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::microseconds spin_time{40};

std::atomic<int> most_threads{INT_MAX};  // lowered where other processes have the same CPUs

int wanted_threads() {
  const auto wanted = setting("GPUARR_NUM_THREADS");
  return wanted ? *parse_threads(*wanted) : cpu_count();
}

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

void sleep_on(std::atomic<uint32_t>& word, uint32_t seen) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
}

void wake(std::atomic<uint32_t>& word, int count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

/// Waits until the word is not `seen`; true if that came to be without sleeping.
bool spin_on(const std::atomic<uint32_t>& word, uint32_t seen) {
  const auto end = Clock::now() + spin_time;
  do {
    for (int i = 0; i < 32; ++i) {
      if (word.load(std::memory_order_acquire) != seen) return true;
      relax();
    }
  } while (Clock::now() < end);
  return false;
}

/// False if there can be no more threads.
bool start_thread(void* (*function)(void*), void* argument) {
  // The caller's signal handlers must not run there.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const bool started = pthread_create(&thread, nullptr, function, argument) == 0;
  if (started) {
    pthread_setname_np(thread, "gpuarr");
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

class ThreadPool {  // NOLINT(clang-analyzer-optin.performance.Padding): threads write apart
 public:
  explicit ThreadPool(int threads) : spins_(threads <= cpu_count()) {
    while (workers_ < threads - 1 && start_thread(entry<&ThreadPool::serve>, this)) ++workers_;
    if (workers_ < threads - 1)
      warn(formatted(
          "the CPU device has {} threads of {} ($GPUARR_NUM_THREADS, else the CPUs): the system "
          "starts no more; raise its limit (ulimit -u), or set $GPUARR_NUM_THREADS",
          workers_ + 1, threads));
  }

  /// Whether the threads are of this process: the child of a fork has none of them.
  bool alive() const { return generation_ == fork_generation(); }

  /// False if another caller has the pool.
  bool run(Body body, const void* context, int64_t blocks) {
    if (workers_ == 0 || !take(body, context, blocks, false)) return false;
    work();
    gate_.fetch_and(~open, std::memory_order_acq_rel);
    wait_for_helpers();
    busy_.store(false, std::memory_order_release);
    return true;
  }

  // The helpers close the gate, when the first of them finds nothing left to do.
  bool run_apart(Body body, const void* context, int64_t blocks) {
    if (!take(body, context, blocks, true)) return false;
    if (blocks > workers_) {
      if (!spare_) spare_ = start_thread(entry<&ThreadPool::serve_as_spare>, this);
      spare_epoch_.fetch_add(1);
      wake(spare_epoch_, 1);
    }
    const bool helped = workers_ > 0 || spare_;
    if (helped)
      wait_for_helpers();
    else
      gate_.store(0);
    busy_.store(false, std::memory_order_release);
    return helped;
  }

 private:
  // The gate says whether the current job takes helpers, and how many are in it. A thread that
  // wakes late finds it closed, so nobody waits for threads that are not there.
  static constexpr uint32_t open = 1U << 31;
  static constexpr uint32_t awaited = 1U << 30;  // the caller sleeps until the last helper leaves

  template <void (ThreadPool::*served)()>
  static void* entry(void* pool) {
    (static_cast<ThreadPool*>(pool)->*served)();
    return nullptr;
  }

  void serve() {
    uint32_t seen = 0;
    for (;;) {
      if (!spins_ || !spin_on(epoch_, seen)) {
        sleepers_.fetch_add(1);
        if (epoch_.load() == seen) sleep_on(epoch_, seen);
        sleepers_.fetch_sub(1);
      }
      const uint32_t now = epoch_.load();
      if (now == seen) continue;
      seen = now;
      help();
    }
  }

  void serve_as_spare() {
    for (uint32_t seen = 0;;) {
      sleep_on(spare_epoch_, seen);
      const uint32_t now = spare_epoch_.load();
      if (now != seen) help();
      seen = now;
    }
  }

  void help() {
    uint32_t gate = gate_.load(std::memory_order_acquire);
    do {
      if ((gate & open) == 0) return;
    } while (!gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acq_rel));
    work();
    if (job_.apart) gate_.fetch_and(~open, std::memory_order_acq_rel);
    if (gate_.fetch_sub(1, std::memory_order_acq_rel) == (awaited | 1)) wake(gate_, 1);
  }

  // Opens the gate to a job, if no other caller has the pool.
  bool take(Body body, const void* context, int64_t blocks, bool apart) {
    if (busy_.exchange(true, std::memory_order_acquire)) return false;
    job_ = {body, context, blocks, std::max<int64_t>(1, blocks / (32 * (workers_ + 1))), apart};
    next_.store(0, std::memory_order_relaxed);
    gate_.store(open, std::memory_order_release);
    epoch_.fetch_add(1);
    const int64_t wanted = apart ? blocks : blocks - 1;
    if (sleepers_.load() > 0) wake(epoch_, static_cast<int>(std::min<int64_t>(workers_, wanted)));
    return true;
  }

  void work() {
    const Job job = job_;
    for (;;) {
      const int64_t first = next_.fetch_add(job.grain, std::memory_order_relaxed);
      if (first >= job.blocks) return;
      job.body(job.context, first, std::min(first + job.grain, job.blocks));
    }
  }

  void wait_for_helpers() {
    uint32_t gate = gate_.load(std::memory_order_acquire);
    for (int i = 0; gate != 0 && i < 2000 && spins_; ++i) {
      relax();
      gate = gate_.load(std::memory_order_acquire);
    }
    if (gate == 0 || gate_.fetch_or(awaited, std::memory_order_acq_rel) == 0) return;
    while (((gate = gate_.load(std::memory_order_acquire)) & ~awaited) != 0) sleep_on(gate_, gate);
  }

  struct Job {
    Body body = nullptr;
    const void* context = nullptr;
    int64_t blocks = 0;
    int64_t grain = 1;
    bool apart = false;  // the caller waits
  };

  bool spins_;  // not if there are more threads than CPUs
  uint32_t generation_ = fork_generation();
  int workers_ = 0;
  std::atomic<bool> busy_{false};
  Job job_;
  alignas(64) std::atomic<int64_t> next_{0};
  alignas(64) std::atomic<uint32_t> gate_{0};
  alignas(64) std::atomic<uint32_t> epoch_{0};  // number of jobs so far
  std::atomic<int> sleepers_{0};

  // Stands in for callers that only wait, and sleeps while they do not.
  bool spare_ = false;
  alignas(64) std::atomic<uint32_t> spare_epoch_{0};
};

struct PoolSlot {
  ForkSafeMutex mutex;
  std::atomic<ThreadPool*> pool{nullptr};
};

PoolSlot& slot() {
  static Undying<PoolSlot> instance;
  return *instance;
}

// The child of a fork cannot know what the threads were doing: it leaves the pool as it is and
// makes one of its own.
ThreadPool& pool() {
  ThreadPool* current = slot().pool.load(std::memory_order_acquire);
  if (current != nullptr && current->alive()) return *current;
  std::lock_guard lock(slot().mutex);
  current = slot().pool.load(std::memory_order_acquire);
  if (current == nullptr || !current->alive()) {
    current = new ThreadPool(thread_count());
    slot().pool.store(current, std::memory_order_release);
  }
  return *current;
}

// Work for a thread of its own.
struct Errand {
  Body body;
  const void* context;
  int64_t blocks;
  std::atomic<uint32_t> done{0};
};

void* run_errand(void* argument) {
  auto& errand = *static_cast<Errand*>(argument);
  errand.body(errand.context, 0, errand.blocks);
  errand.done.store(1, std::memory_order_release);
  wake(errand.done, 1);
  return nullptr;
}

}  // namespace

int cpu_count() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
}

int startable_threads(int wanted) {
  std::atomic<uint32_t> go{0};
  std::vector<pthread_t> threads(static_cast<size_t>(wanted));
  int started = 0;
  const auto wait = [](void* word) -> void* {
    auto& gate = *static_cast<std::atomic<uint32_t>*>(word);
    while (gate.load(std::memory_order_acquire) == 0) sleep_on(gate, 0);
    return nullptr;
  };
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (started < wanted &&
         pthread_create(&threads[static_cast<size_t>(started)], nullptr, wait, &go) == 0)
    ++started;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  go.store(1, std::memory_order_release);
  wake(go, started);
  for (int k = 0; k < started; ++k) pthread_join(threads[static_cast<size_t>(k)], nullptr);
  return started;
}

int thread_count() {
  static const int count = wanted_threads();
  return std::min(count, most_threads.load(std::memory_order_relaxed));
}

// Threads that are there already and would be too many sleep from now on.
void share_cpus(int processes) {
  if (setting("GPUARR_NUM_THREADS")) return;
  std::lock_guard lock(slot().mutex);
  most_threads = std::max(1, cpu_count() / std::max(processes, 1));
  slot().pool.store(nullptr, std::memory_order_release);
}

void parallel(Body body, const void* context, int64_t blocks) {
  if (blocks <= 0) return;
  if (blocks == 1 || thread_count() == 1 || !pool().run(body, context, blocks))
    body(context, 0, blocks);
}

void parallel_apart(Body body, const void* context, int64_t blocks) {
  if (blocks <= 0 || pool().run_apart(body, context, blocks)) return;
  Errand errand{body, context, blocks};
  if (!start_thread(run_errand, &errand))
    fail(GPUARR_ERR_OUT_OF_MEMORY,
         "a thread cannot be started, and kernels that wait at barriers "
         "need one; the system's limit of threads is reached");
  while (errand.done.load(std::memory_order_acquire) == 0) sleep_on(errand.done, 0);
}

}  // namespace gpuarr::host
