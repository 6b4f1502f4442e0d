// The stack of the thread that runs a kernel's loops.
#pragma once

namespace gpuarr::host {

/// While it lives, functions of kernels that find no room on the running thread's stack end their
/// launch. Nothing is limited where the thread is on another stack than its own.
class LimitedStack {
 public:
  LimitedStack();
  ~LimitedStack();
  LimitedStack(const LimitedStack&) = delete;
  LimitedStack& operator=(const LimitedStack&) = delete;

 private:
  const void* before_;
};

}  // namespace gpuarr::host
