#include "gpuarr/reduction.h"

#include "c/call_arguments.hpp"
#include "c/guard.hpp"
#include "c/kernel_handles.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_reduction_create(gpuarr_reduction** out, const char* in_params,
                                      const char* out_params, const char* map, const char* reduce,
                                      const char* post, const char* identity,
                                      const gpuarr_kernel_options* options) {
  return guard_output(__func__, out, [&] {
    const MapReduceSpec spec = spec_of(in_params, out_params, map, reduce, post, identity);
    return gpuarr_reduction::make(std::make_shared<Reduction>(spec, options_of(options)));
  });
}

gpuarr_reduction* gpuarr_reduction_retain(gpuarr_reduction* kernel) { return retain(kernel); }

void gpuarr_reduction_release(gpuarr_reduction* kernel) { release(kernel); }

gpuarr_status gpuarr_reduction_call(gpuarr_reduction* kernel, gpuarr_array** outputs,
                                    int32_t output_count, const gpuarr_arg* inputs,
                                    int32_t input_count, const int32_t* axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    Reduction& k = *deref(kernel, "kernel");
    CallArguments args(k, outputs, output_count, inputs, input_count);
    Stream* in = stream_or_null(stream);
    args.hand_out(outputs, k.call(args.inputs(), args.outputs(),
                                  axis_request(axes, axis_count, keepdims), in));
  });
}

gpuarr_status gpuarr_reduction_prepare(gpuarr_call** out, gpuarr_reduction* kernel,
                                       gpuarr_array* const* outputs, int32_t output_count,
                                       const gpuarr_arg* inputs, int32_t input_count,
                                       const int32_t* axes, int32_t axis_count, int32_t keepdims) {
  return guard_output(__func__, out, [&] {
    Reduction& k = *deref(kernel, "kernel");
    CallArguments args(k, outputs, output_count, inputs, input_count);
    args.require_outputs();
    return gpuarr_call::make(
        k.prepare(args.inputs(), args.outputs(), axis_request(axes, axis_count, keepdims)));
  });
}

gpuarr_status gpuarr_reduction_source(const char** out, gpuarr_reduction* kernel,
                                      gpuarr_array* const* outputs, int32_t output_count,
                                      const gpuarr_arg* inputs, int32_t input_count,
                                      const int32_t* axes, int32_t axis_count, int32_t keepdims) {
  return guard_output(__func__, out, [&] {
    Reduction& k = *deref(kernel, "kernel");
    CallArguments args(k, outputs, output_count, inputs, input_count);
    return keep_text<struct ReductionSource>(
        k.source(args.inputs(), args.outputs(), axis_request(axes, axis_count, keepdims)));
  });
}
