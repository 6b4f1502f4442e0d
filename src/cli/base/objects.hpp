// The library's objects as the command holds them.
#pragma once

#include "cli/base/handle.hpp"
#include "gpuarr.h"

namespace cli {

using Array = Handle<gpuarr_array, gpuarr_array_release>;
using Stream = Handle<gpuarr_stream, gpuarr_stream_release>;
using Event = Handle<gpuarr_event, gpuarr_event_release>;
using Options = Handle<gpuarr_kernel_options, gpuarr_kernel_options_release>;
using Elementwise = Handle<gpuarr_elementwise, gpuarr_elementwise_release>;
using Gufunc = Handle<gpuarr_gufunc, gpuarr_gufunc_release>;
using Reduction = Handle<gpuarr_reduction, gpuarr_reduction_release>;
using Module = Handle<gpuarr_module, gpuarr_module_release>;
using Raw = Handle<gpuarr_raw, gpuarr_raw_release>;
using Generator = Handle<gpuarr_generator, gpuarr_generator_release>;
using Expression = Handle<gpuarr_expr, gpuarr_expr_release>;
using Call = Handle<gpuarr_call, gpuarr_call_release>;

inline int64_t bytes_of(const gpuarr_array* array) {
  return gpuarr_array_size(array) * gpuarr_dtype_size(gpuarr_array_dtype(array));
}

}  // namespace cli
