// Where the blocks of a cooperative launch wait for each other.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>

namespace gpuarr::host {

class Grid {
 public:
  explicit Grid(int64_t blocks) : blocks_(blocks) {}

  /// The next block that nobody has, or -1.
  int64_t take();

  /// A block came to the barrier as a whole, or to its end. Not empty: why those that wait would do
  /// so for ever.
  std::string arrive();
  std::string end();

  /// Waits until all blocks came to the barrier more than `times` times; false if the launch was
  /// stopped.
  bool wait(int64_t times);
  void stop();

 private:
  std::string check();

  std::mutex mutex_;
  std::condition_variable changed_;
  int64_t blocks_;
  int64_t taken_ = 0;
  int64_t arrived_ = 0;
  int64_t ended_ = 0;
  int64_t times_ = 0;  // that all came to the barrier
  bool stopped_ = false;
};

}  // namespace gpuarr::host
