#include "host/threads/queue.hpp"

#include <utility>

namespace gpuarr::host {

Queue::Queue() : thread_([this] { serve(); }) {}

Queue::~Queue() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Queue::end(std::unique_ptr<Queue> queue) {
  if (queue->orphan()) {
    static_cast<void>(queue.release());
  } else if (queue->thread_.get_id() == std::this_thread::get_id()) {
    std::lock_guard lock(queue->mutex_);
    queue->stop_ = queue->ends_itself_ = true;
    queue->thread_.detach();
    static_cast<void>(queue.release());
  }
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
    if (work_.empty()) break;
    auto work = std::exchange(work_.front(), nullptr);  // else a copy would go under the lock
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
  const bool ends_itself = ends_itself_;
  lock.unlock();
  if (ends_itself) delete this;
}

}  // namespace gpuarr::host
