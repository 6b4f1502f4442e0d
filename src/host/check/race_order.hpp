// What happens before what among the threads of a launch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace gpuarr::host {

/// When an access was made, and by whom. An epoch belongs to one warp, and a new one begins when
/// all of its lanes have met.
struct Moment {
  uint32_t epoch = 0;  // 0: never
  uint8_t lane = 0;
  uint8_t clock = 0;  // of the lane, in the epoch
};

/// Knows the order of moments of one launch, whose blocks run one after the other. Threads are
/// numbers in the block that runs.
class RaceOrder {
 public:
  static constexpr uint8_t last_clock = 63;

  /// A block, or what is left of it after a barrier of the grid, begins.
  void begin(int64_t block, int grid_phase);
  void barrier();  // of the block
  void meet(unsigned warp, uint32_t lanes, bool all);

  Moment now(unsigned thread) const;
  /// Whether what was done at a moment before is done for this thread.
  bool is_before(Moment moment, unsigned thread) const;

  // Atomic operations carry what was done before a fence to those who come to the same address
  // later.
  void fence(unsigned thread);
  void release(unsigned thread, uintptr_t address);
  void acquire(uintptr_t address);

  /// The block of a moment, and the number of the thread in it.
  int64_t block_of(Moment moment) const { return runs_[run_of(moment.epoch)].block; }
  static unsigned thread_of(Moment m) { return m.epoch % 32 * 32 + m.lane; }
  bool in_this_block(Moment moment) const { return moment.epoch >= first_; }

  /// No more moments can be told apart.
  bool is_exhausted() const { return counter_ >= (uint32_t{1} << 27) - 64; }

 private:
  using Clocks = std::array<uint8_t, 32>;  // of the lanes: what was done with smaller ones is known
  using Set = std::vector<uint64_t>;       // of releases

  struct Warp {
    uint32_t epoch = 0;
    std::array<Clocks, 32> known = {};
    bool fresh = true;  // all of `known` is 0
  };
  struct Run {
    uint32_t first;  // epoch
    int64_t block;
    int grid_phase;
    std::vector<uint32_t> releases = {};
  };
  struct Release {
    uint32_t below;  // all epochs of the block before this one, and
    uint32_t epoch;  // of the warp: those before, and this one up to
    Clocks clocks;
  };
  struct Fence {
    uint32_t phase = 0;  // the first epoch since the barrier before it
    uint32_t epoch = 0;
    Clocks clocks = {};
    int64_t release = -1;  // that was made of it
  };

  size_t run_of(uint32_t epoch) const;
  bool knows(size_t run, Moment moment) const;
  static void restart(Warp& warp, uint32_t epoch);
  void renew(unsigned warp);
  void tick(unsigned warp, unsigned lane);

  std::vector<Run> runs_;
  uint32_t counter_ = 0;  // epochs are 32 times it and the warp's number
  uint32_t first_ = 0;    // epoch of the run
  uint32_t phase_ = 0;    // first epoch since the last barrier
  uint32_t fenced_ = 0;   // all epochs of the run before it were followed by a fence and a barrier
  bool fence_in_phase_ = false;
  std::array<Warp, 32> warps_ = {};
  std::array<Fence, 1024> fences_ = {};
  std::vector<Release> releases_;
  std::unordered_map<uintptr_t, Set> released_;  // by address
  Set known_;                                    // to the block that runs
};

}  // namespace gpuarr::host
