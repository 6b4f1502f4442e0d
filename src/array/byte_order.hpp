// Elements as files have them, in either byte order.
#pragma once

#include <bit>
#include <cstdint>

#include "core/dtype.hpp"

namespace gpuarr {

constexpr bool native_is_big = std::endian::native == std::endian::big;

/// Turns elements of one byte order into those of the other; of a complex number, each part.
void swap_bytes(DType dtype, char* data, int64_t bytes);

/// Elements of a file become those of this machine: bools are 0 or 1 then.
void make_native(DType dtype, bool big_endian, char* data, int64_t bytes);

}  // namespace gpuarr
