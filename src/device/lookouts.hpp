// Who looks, while a call waits for work of a device, whether that work waits for a process that is
// gone: the teams whose messages are in the device's streams.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "core/fork.hpp"

namespace gpuarr {

class Lookout {
 public:
  Lookout() = default;
  virtual ~Lookout() = default;
  Lookout(const Lookout&) = delete;
  Lookout& operator=(const Lookout&) = delete;

  /// Whether the device may still have messages to send or to receive. From any thread.
  virtual bool has_messages() = 0;
  /// Throws what ends a wait that has taken so long. From any thread.
  virtual void look(double seconds) = 0;
};

/// Of a device.
class Lookouts {
 public:
  void add(std::weak_ptr<Lookout> lookout);

  /// Returns when there is nothing to look at, or `waited.query()`: the wait itself comes then.
  template <class Waited>
  void watch(Waited& waited) {
    if (count_.load(std::memory_order_relaxed) != 0) watch_until([&] { return waited.query(); });
  }
  void watch_all() {
    if (count_.load(std::memory_order_relaxed) != 0) watch_until([] { return false; });
  }

 private:
  template <class Done>
  void watch_until(Done&& done) {
    using namespace std::chrono;
    const auto begin = steady_clock::now();
    for (auto all = with_messages(); !all.empty() && !done(); all = with_messages()) {
      const double seconds = duration<double>(steady_clock::now() - begin).count();
      for (const auto& lookout : all) lookout->look(seconds);
      std::this_thread::yield();
    }
  }
  std::vector<std::shared_ptr<Lookout>> with_messages();

  ForkSafeMutex mutex_;
  std::vector<std::weak_ptr<Lookout>> all_;
  std::atomic<size_t> count_{0};  // of all_
};

}  // namespace gpuarr
