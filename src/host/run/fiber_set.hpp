// Fibers and their stacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "host/glue/abi.cuh"
#include "host/glue/fiber.cuh"

namespace gpuarr::host {

/// As many fibers as a block has threads. The stacks are address space that becomes memory where it
/// is used, and stays it from block to block and from launch to launch.
class FiberSet {
 public:
  static constexpr int64_t stack_bytes = 96 << 10;  // that a thread may use

  explicit FiberSet(int count);  // fails with GPUARR_ERR_OUT_OF_MEMORY
  ~FiberSet();
  FiberSet(const FiberSet&) = delete;
  FiberSet& operator=(const FiberSet&) = delete;

  int count() const { return count_; }
  gpuarr_fiber* fibers() const { return fibers_.get(); }

  /// Gives the fibers the places that threads have in a block of these dimensions.
  void shape(gpuarr_dim block);

  std::byte* bottom(int number) const;  // of a stack
  std::byte* top(int number) const;     // its end
  std::byte* limit(int number) const;   // what a thread may use ends there
  size_t stride() const;                // from stack to stack

  /// The fiber that has this address on its stack; null if none has.
  gpuarr_fiber* owner(const void* address) const;

  /// The first fiber that used more of its stack than it may, or -1.
  int find_overflow() const;

  /// Gives back the memory of all stacks.
  void clear();

 private:
  int count_;
  std::byte* stacks_;
  std::unique_ptr<gpuarr_fiber[]> fibers_;
  gpuarr_dim block_ = {0, 0, 0};
};

}  // namespace gpuarr::host
