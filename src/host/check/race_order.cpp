#include "host/check/race_order.hpp"

#include <algorithm>

namespace gpuarr::host {
namespace {

// More of them than a launch that is worth checking has; what comes then is taken to be in order.
constexpr size_t most_releases = size_t{1} << 18;

void add(std::vector<uint64_t>& to, const std::vector<uint64_t>& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (size_t k = 0; k < from.size(); ++k) to[k] |= from[k];
}

void add(std::vector<uint64_t>& to, int64_t number) {
  const auto word = static_cast<size_t>(number / 64);
  if (to.size() <= word) to.resize(word + 1);
  to[word] |= uint64_t{1} << number % 64;
}

}  // namespace

void RaceOrder::begin(int64_t block, int grid_phase) {
  barrier();
  first_ = phase_;
  runs_.push_back({first_, block, grid_phase});
  if (fenced_ != 0) fences_ = {};
  fenced_ = 0;
  known_.clear();
}

void RaceOrder::barrier() {
  phase_ = ++counter_ * 32;
  if (fence_in_phase_) fenced_ = phase_;
  fence_in_phase_ = false;
  for (unsigned w = 0; w < 32; ++w) restart(warps_[w], phase_ + w);
}

void RaceOrder::restart(Warp& warp, uint32_t epoch) {
  warp.epoch = epoch;
  if (warp.fresh) return;
  warp.known = {};
  warp.fresh = true;
}

void RaceOrder::renew(unsigned warp) { restart(warps_[warp], ++counter_ * 32 + warp); }

// A lane's clock is what it knows of itself. Where that cannot go on, the lanes are taken to meet.
void RaceOrder::tick(unsigned warp, unsigned lane) {
  Warp& w = warps_[warp];
  if (w.known[lane][lane] == last_clock) return renew(warp);
  ++w.known[lane][lane];
  w.fresh = false;
}

void RaceOrder::meet(unsigned warp, uint32_t lanes, bool all) {
  if (all) return renew(warp);
  Warp& w = warps_[warp];
  Clocks joined = {};
  for (unsigned i = 0; i < 32; ++i) {
    if ((lanes >> i & 1) == 0) continue;
    if (w.known[i][i] == last_clock) return renew(warp);
    ++w.known[i][i];
    for (unsigned j = 0; j < 32; ++j) joined[j] = std::max(joined[j], w.known[i][j]);
  }
  for (unsigned i = 0; i < 32; ++i)
    if ((lanes >> i & 1) != 0) w.known[i] = joined;
  w.fresh = false;
}

Moment RaceOrder::now(unsigned thread) const {
  const Warp& w = warps_[thread / 32];
  const unsigned lane = thread % 32;
  return {w.epoch, static_cast<uint8_t>(lane), w.known[lane][lane]};
}

size_t RaceOrder::run_of(uint32_t epoch) const {
  const auto behind = std::ranges::upper_bound(runs_, epoch, {}, &Run::first);
  return static_cast<size_t>(behind - runs_.begin()) - 1;
}

bool RaceOrder::is_before(Moment m, unsigned thread) const {
  if (m.epoch >= first_) {
    if (m.epoch < phase_) return true;
    const Warp& w = warps_[thread / 32];
    if (m.epoch % 32 == thread / 32) {
      if (m.epoch < w.epoch || m.lane == thread % 32) return true;
      if (m.clock < w.known[thread % 32][m.lane]) return true;
    }
    return knows(runs_.size() - 1, m);
  }
  const size_t run = run_of(m.epoch);
  const Run& mine = runs_.back();
  return runs_[run].grid_phase < mine.grid_phase || runs_[run].block == mine.block || knows(run, m);
}

bool RaceOrder::knows(size_t run, Moment m) const {
  if (releases_.size() >= most_releases) return true;
  return std::ranges::any_of(runs_[run].releases, [&](uint32_t number) {
    if (number / 64 >= known_.size() || (known_[number / 64] >> number % 64 & 1) == 0) return false;
    const Release& r = releases_[number];
    if (m.epoch < r.below) return true;
    if (m.epoch % 32 != r.epoch % 32) return false;
    return m.epoch < r.epoch || (m.epoch == r.epoch && m.clock < r.clocks[m.lane]);
  });
}

void RaceOrder::fence(unsigned thread) {
  const unsigned warp = thread / 32;
  tick(warp, thread % 32);
  fences_[thread] = {phase_, warps_[warp].epoch, warps_[warp].known[thread % 32]};
  fence_in_phase_ = true;
}

void RaceOrder::release(unsigned thread, uintptr_t address) {
  Fence& fence = fences_[thread];
  if (fence.phase != phase_) {
    if (fenced_ == 0) return;
    fence = {phase_, 0, {}};
  }
  if (fence.release < 0) {
    if (releases_.size() >= most_releases) return;
    fence.release = static_cast<int64_t>(releases_.size());
    const bool own = fence.epoch != 0;
    releases_.push_back({own ? phase_ : fenced_, fence.epoch, fence.clocks});
    runs_.back().releases.push_back(static_cast<uint32_t>(fence.release));
  }
  Set& set = released_[address];
  add(set, known_);
  add(set, fence.release);
}

void RaceOrder::acquire(uintptr_t address) {
  if (released_.empty()) return;
  const auto found = released_.find(address);
  if (found != released_.end()) add(known_, found->second);
}

}  // namespace gpuarr::host
