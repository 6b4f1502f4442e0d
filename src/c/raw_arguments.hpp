// A raw launch's arguments, from the C ABI's form into the kernels'.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "c/kernel_handles.hpp"

namespace gpuarr {

class RawArguments {
 public:
  /// Checks count and pointers. What the arguments point to is not copied.
  RawArguments(const gpuarr_arg* args, int32_t count);

  std::span<const RawArgument> span() const {
    return {more_.empty() ? few_.data() : more_.data(), count_};
  }
  /// The given stream, else the current one of the arrays' device or of the default device.
  Stream& stream(gpuarr_stream* given) const;
  /// The given device, else the arrays' or the default one.
  Device& device(gpuarr_device* given) const;

 private:
  const Array* first_array() const;

  size_t count_ = 0;
  std::array<RawArgument, 16> few_;
  std::vector<RawArgument> more_;
};

RawShape raw_shape(const int64_t* grid, const int64_t* block, int64_t shared_bytes);

/// The device that a NULL-able argument means.
Device& device_of(gpuarr_device* device);

}  // namespace gpuarr
