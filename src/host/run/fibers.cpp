// How fibers begin and end, and the ring in which they go from barrier to barrier.
#include "host/run/fibers.hpp"

#include <algorithm>
#include <utility>

#include "host/run/watcher.hpp"

namespace gpuarr::host {
namespace {

constexpr uintptr_t shared_alignment = 128;

// Where the stack stands, below its end, when a function has just been called.
#if defined(__x86_64__)
constexpr size_t called = 8;
#else
constexpr size_t called = 0;
#endif

int threads_of(const gpuarr_launch& launch) {
  return static_cast<int>(launch.block.x * launch.block.y * launch.block.z);
}

}  // namespace

Block::Block(const gpuarr_launch& launch)
    : gpuarr_block{},
      set_(threads_of(launch)),
      stacks_(static_cast<size_t>(set_.count())),
      previous_(stacks_.size()),
      turns_(stacks_.size()) {}

void Block::begin(const gpuarr_launch& work, long long first, long long last,
                  void (*body)(gpuarr_fiber*), bool ring) {
  launch = &work;
  thread = body;
  const auto at = static_cast<unsigned long long>(first);
  const unsigned long long row = at / work.grid.x;
  index = {static_cast<unsigned>(at % work.grid.x), static_cast<unsigned>(row % work.grid.y),
           static_cast<unsigned>(row / work.grid.y)};
  if (memory_.size() < work.shared_bytes + shared_alignment)
    memory_.resize(work.shared_bytes + shared_alignment);
  const auto address = reinterpret_cast<uintptr_t>(memory_.data());
  shared = memory_.data() + (shared_alignment - address % shared_alignment);
  threads_ = threads_of(work);
  ring_ = ring && !stacks_are_watched;
  outcome_ = Outcome::ended;
  problem_.clear();
  error_ = nullptr;
  set_.shape(work.block);
  set_up_fibers();
  stacks = reinterpret_cast<const char*>(set_.limit(0));
  stride = set_.stride();
  left_ = last - first;
  begin_block();
}

void Block::begin_block() {
  --left_;
  ++round;
  live = threads_;
  if (ring_)
    set_up_ring();
  else
    set_up_warps();
  if (watcher != nullptr) watcher->begin(*this);
}

bool Block::next_block() {
  if (left_ == 0 || __atomic_load_n(&launch->stop, __ATOMIC_RELAXED) != 0) return false;
  if (++index.x == launch->grid.x) {
    index.x = 0;
    if (++index.y == launch->grid.y) {
      index.y = 0;
      ++index.z;
    }
  }
  return attempt([&] { begin_block(); });
}

bool Block::fits(const gpuarr_launch& work) const { return threads_of(work) <= set_.count(); }

void Block::set_up_fibers() {
  gpuarr_fiber* fibers = set_.fibers();
  for (int i = 0; i < threads_; ++i) {
    fibers[i].stack = set_.top(i) - 64 - called;
    fibers[i].code = reinterpret_cast<void*>(&Block::start);
    fibers[i].frame = nullptr;
    fibers[i].block = this;
    if (stacks_are_watched) stack_of(fibers + i).make(set_.bottom(i), set_.stride());
  }
}

Block::Outcome Block::go_on() {
  gpuarr_fiber* first = set_.fibers();
  if (!ring_) {
    release_grid_barrier();
    first = pick(nullptr, true);
  }
  main_stack_.make_of_thread();
  change(&main_, first);
  limit_stack(nullptr);
  if (stacks_are_watched && outcome_ != Outcome::at_grid_barrier)
    for (int i = 0; i < threads_; ++i) stack_of(set_.fibers() + i).forget();
  return outcome_;
}

void Block::start(gpuarr_fiber* self) {
  auto& block = *static_cast<Block*>(self->block);
  block.stack_of(self).arrive();
  limit_stack(block.set_.limit(static_cast<int>(self->number)));
  block.thread(self);
}

gpuarr_fiber* Block::end_thread(gpuarr_fiber* self) {
  if (watcher != nullptr) watcher->ends(self);
  if (ring_) return next_block() ? set_.fibers() : &main_;
  leave_warp(self);
  const bool for_good = left_ == 0;
  gpuarr_fiber* to = pick(self, false);
  return next(self, to != nullptr ? to : stop(), for_good);
}

void Block::give_up(gpuarr_fiber* self) {
  outcome_ = Outcome::failed;
  change(self, &main_, true);
  __builtin_unreachable();
}

WatchedStack& Block::stack_of(const gpuarr_fiber* fiber) {
  return fiber == &main_ ? main_stack_ : stacks_[fiber->number];
}

void Block::change(gpuarr_fiber* from, gpuarr_fiber* to, bool for_good) {
  WatchedStack& stack = stack_of(from);
  stack.leave(stack_of(to), for_good);
  gpuarr_switch(from, to);
  stack.arrive();
}

// What a module is told: who runs next. It switches itself, where that need not be said to a
// sanitizer.
gpuarr_fiber* Block::next(gpuarr_fiber* self, gpuarr_fiber* to, bool for_good) {
  if (!stacks_are_watched || to == self) return to;
  change(self, to, for_good);
  return self;
}

void Block::set_up_ring() {
  if (std::exchange(voted_, false)) {
    std::fill_n(turns_.begin(), threads_, uint8_t{0});
    ring_votes_ = {};
  }
  if (linked_ == threads_) return;
  gpuarr_fiber* fibers = set_.fibers();
  for (int i = 0; i < threads_; ++i) {
    fibers[i].next = fibers + (i + 1 < threads_ ? i + 1 : 0);
    previous_[static_cast<size_t>(i)] = static_cast<uint16_t>(i > 0 ? i - 1 : threads_ - 1);
  }
  linked_ = threads_;
}

gpuarr_fiber* Block::leave_ring(gpuarr_fiber* self) {
  const uint16_t before = previous_[self->number];
  set_.fibers()[before].next = self->next;
  previous_[self->next->number] = before;
  linked_ = 0;
  return self->next;
}

// Votes of one barrier are collected while those of the last are read; the third is made ready.
void Block::ring_vote(const gpuarr_fiber* self, int predicate) {
  const size_t turn = turns_[self->number];
  const size_t next = turn == 2 ? 0 : turn + 1;
  turns_[self->number] = static_cast<uint8_t>(next);
  voted_ = true;
  ++(predicate != 0 ? ring_votes_[turn].others : ring_votes_[turn].zeros);
  ring_votes_[next] = {0, 0};
}

gpuarr_votes Block::votes(const gpuarr_fiber* self) const {
  if (!ring_) return result_;
  const size_t turn = turns_[self->number];
  return ring_votes_[turn == 0 ? 2 : turn - 1];
}

gpuarr_fiber* Block::barrier(gpuarr_fiber* self, int predicate) {
  if (ring_) {
    ring_vote(self, predicate);
    return self->next;
  }
  ++(predicate != 0 ? votes_.others : votes_.zeros);
  warp_of(self).at_barrier |= bit_of(self);
  ++at_barrier_;
  if (at_barrier_ == live) release_barrier(self);
  return wait(self, false);
}

}  // namespace gpuarr::host
