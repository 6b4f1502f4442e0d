// A thread that does what it is given, in order.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "core/fork.hpp"

namespace gpuarr::host {

class Queue {
 public:
  Queue();
  ~Queue();  // after the work that is left; not on its own thread
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  void push(std::function<void()> work);
  void drain();  // waits until all is done; throws the first error of work since the last call
  bool idle();

  /// The end of a queue, wherever the last reference went: one whose own work dropped that ends
  /// behind its caller's back.
  static void end(std::unique_ptr<Queue> queue);

  /// In the child of a fork: the thread is the parent's, and nothing here may be touched, not even
  /// to destroy it, for the thread may have been about to do anything.
  bool orphan() const { return generation_ != fork_generation(); }

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;  // the first one is being done
  std::exception_ptr error_;
  bool stop_ = false;
  bool ends_itself_ = false;
  uint32_t generation_ = fork_generation();
  std::thread thread_;
};

}  // namespace gpuarr::host
