#include "core/fork.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace gpuarr {
namespace {

std::atomic<uint32_t> generation{0};

struct Registry {
  std::mutex mutex;  // held from before a fork until after it
  std::vector<ForkSafeMutex*> members;
};

void before_fork();
void in_parent();
void in_child();

// Never destroyed: mutexes of static objects leave it while the process ends.
Registry& registry() {
  static Registry* instance = [] {
    pthread_atfork(before_fork, in_parent, in_child);
    return new Registry;
  }();
  return *instance;
}

void before_fork() {
  registry().mutex.lock();
  for (ForkSafeMutex* m : registry().members) m->lock();
}

void in_parent() {
  for (ForkSafeMutex* m : registry().members) m->unlock();
  registry().mutex.unlock();
}

void in_child() {
  generation.fetch_add(1, std::memory_order_relaxed);
  in_parent();
}

}  // namespace

uint32_t fork_generation() noexcept { return generation.load(std::memory_order_relaxed); }

ForkSafeMutex::ForkSafeMutex() {
  std::lock_guard lock(registry().mutex);
  registry().members.push_back(this);
}

ForkSafeMutex::~ForkSafeMutex() {
  std::lock_guard lock(registry().mutex);
  std::erase(registry().members, this);
}

}  // namespace gpuarr
