// Copies and conversions within a device: what kernels need themselves, and ops builds on.
#pragma once

#include "array/array.hpp"
#include "device/builtin.hpp"

namespace gpuarr {

/// A loop of the device's own that writes an array.
Builtin loop_over(Builtin::Kind kind, const Array& target);

/// target = (target type)source, of equal shape, on one device, not overlapping. Runs the device's
/// precompiled loop where it has one, else a kernel.
void convert(const Array& target, const Array& source, Stream& stream);

}  // namespace gpuarr
