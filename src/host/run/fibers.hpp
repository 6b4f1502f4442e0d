// Blocks whose threads wait for each other.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "host/glue/fiber_switch.hpp"
#include "host/run/fiber_set.hpp"

namespace gpuarr::host {

class Watcher;

/// Blocks that are done one after the other by the same threads, which are fibers of the calling
/// thread; README.md says how they take turns.
class Block : public gpuarr_block {
 public:
  static constexpr int most_threads = 1024;

  /// What became of the threads when none of them can go on.
  enum class Outcome { ended, at_grid_barrier, failed };

  /// Fails with GPUARR_ERR_OUT_OF_MEMORY.
  explicit Block(const gpuarr_launch& launch);

  /// Takes up blocks first ... last-1 of the launch. In a ring, nothing but barriers may be waited
  /// for. `index` says which block is at work.
  void begin(const gpuarr_launch& launch, long long first, long long last,
             void (*thread)(gpuarr_fiber*), bool ring);
  Outcome go_on();

  /// After Outcome::failed: what the threads wait for. Empty if one of them gave up.
  const std::string& problem() const { return problem_; }

  /// What was thrown where a thread ran, whose stack nothing may be thrown through; null for
  /// nothing.
  std::exception_ptr error() const { return error_; }

  /// Whether it has the stacks for a block of the launch.
  bool fits(const gpuarr_launch& work) const;
  FiberSet& set() { return set_; }

  Watcher* watcher = nullptr;  // of the launch; null for none

  // What the thread that runs may call; see gpuarr_services.
  gpuarr_fiber* barrier(gpuarr_fiber* self, int predicate);
  gpuarr_fiber* exchange(gpuarr_fiber* self, gpuarr_exchange* mine);
  gpuarr_fiber* end_thread(gpuarr_fiber* self);
  gpuarr_fiber* leave_ring(gpuarr_fiber* self);
  gpuarr_fiber* grid_barrier(gpuarr_fiber* self);
  gpuarr_fiber* yield(gpuarr_fiber* self);
  gpuarr_votes votes(const gpuarr_fiber* self) const;
  [[noreturn]] void give_up(gpuarr_fiber* self);

 private:
  // Lanes of a warp that wait for each other.
  struct Group {
    uint32_t mask;  // 0: those that come to the same line together
    uint32_t arrived;
    int line;
    void (*complete)(gpuarr_exchange* const*, unsigned);
  };
  struct Warp {
    uint32_t members;
    uint32_t ready;
    uint32_t ended;
    uint32_t at_barrier;
    uint32_t at_grid_barrier;
    int group_count;
    std::array<Group, 32> groups;
    std::array<gpuarr_exchange*, 32> waiting;
  };

  static void start(gpuarr_fiber* self);
  void begin_block();
  bool next_block();
  template <class Body>
  bool attempt(Body&& body) noexcept {  // on a thread's stack; whether nothing was thrown
    try {
      body();
      return true;
    } catch (...) {
      error_ = std::current_exception();
      return false;
    }
  }
  void change(gpuarr_fiber* from, gpuarr_fiber* to, bool for_good = false);
  gpuarr_fiber* next(gpuarr_fiber* self, gpuarr_fiber* to, bool for_good = false);
  WatchedStack& stack_of(const gpuarr_fiber* fiber);
  void set_up_fibers();

  void set_up_ring();
  void ring_vote(const gpuarr_fiber* self, int predicate);

  void set_up_warps();
  void leave_warp(gpuarr_fiber* self);
  std::span<Warp> warps() { return {warps_.data(), static_cast<size_t>(threads_ + 31) / 32}; }
  Warp& warp_of(const gpuarr_fiber* self) { return warps_[self->number / 32]; }
  static uint32_t bit_of(const gpuarr_fiber* self) { return 1U << self->number % 32; }
  void make_ready(Warp& warp, uint32_t lanes);
  void release_barrier(gpuarr_fiber* self);
  void release_grid_barrier();
  int group_of(Warp& warp, const gpuarr_exchange& mine);
  static bool is_complete(const Warp& warp, const Group& group);
  uint32_t complete(Warp& warp, int group);
  void complete_together(Warp& warp);
  gpuarr_fiber* take(unsigned warp, uint32_t lanes);
  gpuarr_fiber* pick(const gpuarr_fiber* self, bool fair);
  gpuarr_fiber* pick_warp(unsigned after);
  gpuarr_fiber* wait(gpuarr_fiber* self, bool fair);
  gpuarr_fiber* stop();
  std::string describe() const;

  FiberSet set_;
  gpuarr_fiber main_ = {};  // the thread that called go_on()
  WatchedStack main_stack_;
  std::vector<WatchedStack> stacks_;
  std::vector<unsigned char> memory_;  // that `shared` lies in
  int threads_ = 0;
  bool ring_ = false;
  long long left_ = 0;  // blocks that have not begun
  Outcome outcome_ = Outcome::ended;
  std::string problem_;
  std::exception_ptr error_;

  int linked_ = 0;  // threads that the ring has; 0 if some have left it
  bool voted_ = false;
  std::vector<uint16_t> previous_;  // in the ring
  std::vector<uint8_t> turns_;      // how often each voted, modulo 3
  std::array<gpuarr_votes, 3> ring_votes_ = {};

  int at_barrier_ = 0;
  int at_grid_barrier_ = 0;
  gpuarr_votes votes_ = {0, 0};
  gpuarr_votes result_ = {0, 0};  // of the last barrier
  uint32_t ready_warps_ = 0;
  std::array<Warp, most_threads / 32> warps_ = {};
};

}  // namespace gpuarr::host
