// A kernel of any kind, as the commands that run one use it.
#pragma once

#include <cstdint>
#include <span>

#include "cli/base/objects.hpp"

namespace cli {

/// What a call needs besides the operands, such as a size or axes, a kernel holds itself.
class Kernel {
 public:
  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  virtual ~Kernel() = default;

  /// Runs once; makes the outputs that are null.
  virtual void call(std::span<gpuarr_array*> outputs, std::span<const gpuarr_arg> inputs,
                    gpuarr_stream* stream) const = 0;

  /// Makes the same call ready for many launches; no output may be null.
  virtual Call prepare(std::span<gpuarr_array* const> outputs,
                       std::span<const gpuarr_arg> inputs) const = 0;

  /// The source that would be compiled; valid until the next call of this function.
  virtual const char* source(std::span<gpuarr_array* const> outputs,
                             std::span<const gpuarr_arg> inputs) const = 0;
};

template <class T>
int32_t count(std::span<T> all) {
  return static_cast<int32_t>(all.size());
}

}  // namespace cli
