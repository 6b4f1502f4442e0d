// Blocks in which lanes of warps wait for each other too: who may go on, and who goes on next.
#include <algorithm>
#include <bit>
#include <utility>

#include "core/text.hpp"
#include "host/run/fibers.hpp"
#include "host/run/watcher.hpp"

namespace gpuarr::host {

void Block::set_up_warps() {
  if (std::exchange(linked_, -1) >= 0)
    for (int i = 0; i < set_.count(); ++i) set_.fibers()[i].next = nullptr;
  at_barrier_ = at_grid_barrier_ = 0;
  votes_ = {0, 0};
  ready_warps_ = 0;
  int left = threads_;
  for (Warp& warp : warps()) {
    warp.members = ~0U >> (32 - std::min(32, left));
    left -= 32;
    warp.ready = warp.ended = warp.at_barrier = warp.at_grid_barrier = 0;
    warp.group_count = 0;
    make_ready(warp, warp.members);
  }
}

void Block::make_ready(Warp& warp, uint32_t lanes) {
  warp.ready |= lanes;
  if (lanes != 0) ready_warps_ |= 1U << (&warp - warps_.data());
}

void Block::release_barrier(gpuarr_fiber* self) {
  if (watcher != nullptr) watcher->barrier_opens(self);
  for (Warp& warp : warps()) make_ready(warp, std::exchange(warp.at_barrier, 0));
  at_barrier_ = 0;
  result_ = std::exchange(votes_, {0, 0});
}

void Block::release_grid_barrier() {
  if (at_grid_barrier_ == 0) return;
  if (watcher != nullptr) watcher->begin(*this);
  for (Warp& warp : warps()) make_ready(warp, std::exchange(warp.at_grid_barrier, 0));
  at_grid_barrier_ = 0;
}

gpuarr_fiber* Block::grid_barrier(gpuarr_fiber* self) {
  warp_of(self).at_grid_barrier |= bit_of(self);
  ++at_grid_barrier_;
  return wait(self, false);
}

gpuarr_fiber* Block::yield(gpuarr_fiber* self) {
  if (ring_) return self;
  make_ready(warp_of(self), bit_of(self));
  return wait(self, true);
}

int Block::group_of(Warp& warp, const gpuarr_exchange& mine) {
  for (int i = 0; i < warp.group_count; ++i) {
    const Group& group = warp.groups[static_cast<size_t>(i)];
    if (group.mask == mine.mask && group.complete == mine.complete &&
        (mine.mask != 0 || group.line == mine.line))
      return i;
  }
  warp.groups[static_cast<size_t>(warp.group_count)] = {mine.mask, 0, mine.line, mine.complete};
  return warp.group_count++;
}

// Threads that ended are not waited for.
bool Block::is_complete(const Warp& warp, const Group& group) {
  const uint32_t wanted = group.mask & warp.members & ~warp.ended;
  return group.mask != 0 && (wanted & ~group.arrived) == 0;
}

uint32_t Block::complete(Warp& warp, int group) {
  const auto at = static_cast<size_t>(group);
  const uint32_t arrived = warp.groups[at].arrived;
  if (watcher != nullptr) watcher->pause();
  warp.groups[at].complete(warp.waiting.data(), arrived);
  if (watcher != nullptr) {
    const auto number = static_cast<unsigned>(&warp - warps_.data());
    for (uint32_t rest = warp.groups[at].mask & arrived; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      watcher->exchanged(set_.fibers() + number * 32 + lane, *warp.waiting[lane]);
    }
    watcher->meet(number, arrived, (arrived | warp.ended) == warp.members);
  }
  warp.groups[at] = warp.groups[static_cast<size_t>(--warp.group_count)];
  return arrived;
}

// Lanes that name no others: those that stand at the same line when no lane of the warp can run. Of
// several lines the first, so that lanes which are behind, in a loop perhaps, catch up. That comes
// close to who would be there together on a GPU.
void Block::complete_together(Warp& warp) {
  int first = -1;
  for (int i = 0; i < warp.group_count; ++i) {
    const Group& group = warp.groups[static_cast<size_t>(i)];
    if (group.mask != 0) continue;
    if (first < 0 || group.line < warp.groups[static_cast<size_t>(first)].line) first = i;
  }
  if (first >= 0) make_ready(warp, complete(warp, first));
}

gpuarr_fiber* Block::exchange(gpuarr_fiber* self, gpuarr_exchange* mine) {
  Warp& warp = warp_of(self);
  const uint32_t bit = bit_of(self);
  warp.waiting[self->number % 32] = mine;
  if (ring_ || (mine->mask != 0 && (mine->mask & bit) == 0)) {
    attempt([&] {
      problem_ =
          ring_ ? formatted("{}() is called by a kernel that was taken to call none", mine->name)
                : formatted("{}() is called with the mask {:#010x} by lane {}, which is not in it",
                            mine->name, mine->mask, self->number % 32);
    });
    give_up(self);
  }
  const int group = group_of(warp, *mine);
  warp.groups[static_cast<size_t>(group)].arrived |= bit;
  if (!is_complete(warp, warp.groups[static_cast<size_t>(group)])) return wait(self, false);
  make_ready(warp, complete(warp, group) & ~bit);
  return self;
}

void Block::leave_warp(gpuarr_fiber* self) {
  Warp& warp = warp_of(self);
  warp.ended |= bit_of(self);
  --live;
  for (int i = 0; i < warp.group_count;)
    if (is_complete(warp, warp.groups[static_cast<size_t>(i)]))
      make_ready(warp, complete(warp, i));
    else
      ++i;
  if (live > 0 && at_barrier_ == live) release_barrier(self);
}

gpuarr_fiber* Block::take(unsigned number, uint32_t lanes) {
  const int lane = std::countr_zero(lanes);
  Warp& warp = warps_[number];
  warp.ready &= ~(1U << lane);
  if (warp.ready == 0) ready_warps_ &= ~(1U << number);
  return set_.fibers() + number * 32 + lane;
}

gpuarr_fiber* Block::pick_warp(unsigned after) {
  const uint32_t later = after < 31 ? ready_warps_ & (~0U << (after + 1)) : 0;
  const auto number = static_cast<unsigned>(std::countr_zero(later != 0 ? later : ready_warps_));
  return take(number, warps_[number].ready);
}

// The next lane of the same warp, so that few stacks are in use at a time; to be fair, the lanes
// before only after all other warps.
gpuarr_fiber* Block::pick(const gpuarr_fiber* self, bool fair) {
  if (self == nullptr) return pick_warp(31);
  Warp& warp = warp_of(self);
  if (warp.ready == 0 && warp.group_count > 0) complete_together(warp);
  if (ready_warps_ == 0) return nullptr;
  const unsigned number = self->number / 32;
  const unsigned lane = self->number % 32;
  const uint32_t later = lane < 31 ? warp.ready & (~0U << (lane + 1)) : 0;
  if (later != 0) return take(number, later);
  if (!fair && warp.ready != 0) return take(number, warp.ready);
  return pick_warp(number);
}

gpuarr_fiber* Block::wait(gpuarr_fiber* self, bool fair) {
  gpuarr_fiber* to = pick(self, fair);
  return next(self, to != nullptr ? to : stop());
}

// No thread can run: if all have ended, the next block begins. Else what is to be said of it to the
// one who called go_on().
gpuarr_fiber* Block::stop() {
  if (live == 0) {
    if (next_block()) return pick(nullptr, true);
    outcome_ = Outcome::ended;
  } else if (at_grid_barrier_ == live) {
    outcome_ = Outcome::at_grid_barrier;
  } else {
    outcome_ = Outcome::failed;
    attempt([&] { problem_ = describe(); });
  }
  return &main_;
}

std::string Block::describe() const {
  struct Place {
    const char* name;
    int threads;
  };
  std::vector<Place> places = {{"__syncthreads", at_barrier_}, {"grid.sync", at_grid_barrier_}};
  std::string example;
  for (int i = 0; i < threads_; ++i) {
    const Warp& warp = warps_[static_cast<size_t>(i) / 32];
    const uint32_t bit = 1U << i % 32;
    for (int g = 0; g < warp.group_count; ++g) {
      const Group& group = warp.groups[static_cast<size_t>(g)];
      if ((group.arrived & bit) == 0) continue;
      const gpuarr_exchange& mine = *warp.waiting[static_cast<size_t>(i) % 32];
      auto place = std::ranges::find_if(
          places, [&](const Place& p) { return std::string_view(p.name) == mine.name; });
      if (place == places.end()) place = places.insert(place, {mine.name, 0});
      ++place->threads;
      if (!example.empty()) continue;
      const gpuarr_dim at = set_.fibers()[i].index;
      example = formatted(
          "; thread ({},{},{}), lane {}, waits there for lanes {:#010x} of its warp", at.x, at.y,
          at.z, i % 32, group.mask & warp.members & ~warp.ended & ~group.arrived);
    }
  }
  std::erase_if(places, [](const Place& p) { return p.threads == 0; });
  std::string list;
  for (size_t i = 0; i < places.size(); ++i)
    list += formatted("{}{} wait at {}()",
                      i == 0                  ? ""
                      : i + 1 < places.size() ? ", "
                                              : " and ",
                      places[i].threads, places[i].name);
  if (live < threads_) list += formatted(", {} have ended", threads_ - live);
  return "no thread can go on: " + list + example;
}

}  // namespace gpuarr::host
