// Copies between devices, and between arrays and memory of the user's.
#pragma once

#include "array/array.hpp"

namespace gpuarr {

/// target = (target type)source, of equal shape, after the work in both streams, each of its
/// array's device; on one device they are one stream. From a device other than the CPU to another
/// one it goes on in the target's stream, after all work on the source's memory. Otherwise it is
/// complete on return: neither array's memory is touched any more. So it is on failure.
void transfer(const Array& target, Stream& target_stream, const Array& source,
              Stream& source_stream);

/// A copy on the stream's device, in the same memory order.
Array to_device(const Array& source, Stream& stream);

/// An array over elements in the host's memory, which the caller keeps. `strides` in elements, null
/// for C order; `data` may be null if there are no elements.
Array host_memory(DType dtype, const Dims& shape, const int64_t* strides, const void* data);

/// The same over memory of a user's who says how much it is: the elements must lie in it.
Array user_memory(DType dtype, const Dims& shape, const int64_t* strides, const void* data,
                  int64_t bytes);

// As transfer().
Array from_memory(const Array& memory, Stream& stream);  // in the same memory order
void write(const Array& array, const Array& memory, Stream& stream);
void read(const Array& memory, const Array& array, Stream& stream);

/// The number in an array of one, whose dtype is T's.
template <class T>
T number_in(const Array& one, Stream& stream) {
  T number{};
  read(host_memory(one.dtype, one.layout.shape, nullptr, &number), one, stream);
  return number;
}

}  // namespace gpuarr
