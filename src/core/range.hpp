// Named ranges of a thread's time, shown by a profiler that watches the process from outside.
#pragma once

#include <atomic>

namespace gpuarr {

/// How ranges reach the profiler. They nest, on each thread for itself.
struct RangeTool {
  void (*push)(const char* name);
  void (*pop)();
};

inline std::atomic<const RangeTool*> range_tool{nullptr};  // null: no tool watches

/// The time from here to the end of the scope.
class Range {
 public:
  explicit Range(const char* name) noexcept : tool_(range_tool) {
    if (tool_ != nullptr) tool_->push(name);
  }
  ~Range() {
    if (tool_ != nullptr) tool_->pop();
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

 private:
  const RangeTool* tool_;  // may be set in between
};

}  // namespace gpuarr
