#include "core/fork.hpp"

#include <pthread.h>

#include <atomic>
#include <type_traits>

namespace gpuarr {
namespace {

std::atomic<uint32_t> generation{0};

// Not destroyed: mutexes of static objects leave the list while the process ends.
static_assert(std::is_trivially_destructible_v<std::mutex>);
constinit std::mutex list_mutex;  // held from before a fork until after it
constinit ForkSafeMutex* list = nullptr;
constinit bool handles_forks = false;

void in_child() {
  generation.fetch_add(1, std::memory_order_relaxed);
  ForkSafeMutex::unlock_all();
}

}  // namespace

uint32_t fork_generation() noexcept { return generation.load(std::memory_order_relaxed); }

void ForkSafeMutex::lock_all() {
  list_mutex.lock();
  for (ForkSafeMutex* m = list; m != nullptr; m = m->after_) m->lock();
}

void ForkSafeMutex::unlock_all() {
  for (ForkSafeMutex* m = list; m != nullptr; m = m->after_) m->unlock();
  list_mutex.unlock();
}

ForkSafeMutex::ForkSafeMutex() noexcept {
  std::lock_guard lock(list_mutex);
  if (!handles_forks)  // where there is no memory for it, the next one tries again
    handles_forks = pthread_atfork(lock_all, unlock_all, in_child) == 0;
  after_ = list;
  if (after_ != nullptr) after_->before_ = this;
  list = this;
}

ForkSafeMutex::~ForkSafeMutex() {
  std::lock_guard lock(list_mutex);
  if (after_ != nullptr) after_->before_ = before_;
  (before_ != nullptr ? before_->after_ : list) = after_;
}

// The state as it is in this process.
uint64_t ForkSafeCount::renewed(uint64_t state) const noexcept {
  const uint64_t now = uint64_t{fork_generation()} << 32;
  return (state & ~uint64_t{UINT32_MAX}) == now ? state : now;
}

void ForkSafeCount::enter() noexcept {
  uint64_t state = state_;
  while (!state_.compare_exchange_weak(state, renewed(state) + 1)) {
  }
}

void ForkSafeCount::leave() noexcept {
  uint64_t state = state_;
  while (static_cast<uint32_t>(renewed(state)) != 0 &&
         !state_.compare_exchange_weak(state, renewed(state) - 1)) {
  }
  state_.notify_all();
}

void ForkSafeCount::wait_for_none() noexcept {
  for (uint64_t state = state_; static_cast<uint32_t>(renewed(state)) != 0; state = state_)
    state_.wait(state);
}

}  // namespace gpuarr
