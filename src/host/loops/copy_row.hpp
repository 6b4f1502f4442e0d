// The inner loops of precompiled copies, one for each pair of dtypes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.hpp"

namespace gpuarr::host {

/// target[i * target_stride] = (target type)source[i * source_stride] for i below count; strides
/// count elements. The two do not overlap, unless they are the same.
using CopyRow = void (*)(std::byte* target, int64_t target_stride, const std::byte* source,
                         int64_t source_stride, int64_t count);

CopyRow copy_row(DType target, DType source);

}  // namespace gpuarr::host
