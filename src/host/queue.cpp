#include "host/queue.hpp"

#include <utility>

namespace gpuarr::host {

Queue::Queue() : thread_([this] { serve(); }) {}

Queue::~Queue() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

// In the child of a fork the thread is gone, and what it had to do is the parent's; new work is
// done at once.
void Queue::push(std::function<void()> work) {
  if (orphan()) {
    work();
    return;
  }
  std::lock_guard lock(mutex_);
  work_.push_back(std::move(work));
  changed_.notify_all();
}

void Queue::drain() {
  if (orphan()) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return work_.empty(); });
  if (auto error = std::exchange(error_, nullptr)) std::rethrow_exception(error);
}

bool Queue::idle() {
  if (orphan()) return true;
  std::lock_guard lock(mutex_);
  return work_.empty();
}

void Queue::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || !work_.empty(); });
    if (work_.empty()) return;
    auto work = work_.front();
    lock.unlock();
    std::exception_ptr error;
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    work = nullptr;  // what it holds goes before anybody is told that it is done
    lock.lock();
    if (error && !error_) error_ = error;
    work_.pop_front();
    changed_.notify_all();
  }
}

}  // namespace gpuarr::host
