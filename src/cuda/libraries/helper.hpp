// A thread for one thing that may take for ever.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

namespace gpuarr::cuda {

/// Does `work` on a thread of its own. It has to be joined.
class Helper {
 public:
  explicit Helper(std::function<void()> work);
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  bool done() const noexcept { return done_.load(std::memory_order_acquire); }
  std::exception_ptr join() noexcept;  // what the work threw; null for nothing

 private:
  std::function<void()> work_;
  std::exception_ptr failure_;
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace gpuarr::cuda
