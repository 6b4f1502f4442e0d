// Copies between arrays and memory of the host that go on after the call, in a stream's order.
#pragma once

#include "array/array.hpp"

namespace gpuarr {

/// `memory` is made by host_memory(), of the array's shape and dtype, and must stay until the
/// stream is past the copy. Its elements lie side by side, with axes in any order. The stream is of
/// the array's device.
void write_async(const Array& array, const Array& memory, Stream& stream);
void read_async(const Array& memory, const Array& array, Stream& stream);

}  // namespace gpuarr
