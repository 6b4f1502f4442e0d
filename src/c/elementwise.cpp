#include "gpuarr/elementwise.h"

#include "backends.hpp"
#include "c/call_arguments.hpp"
#include "c/guard.hpp"
#include "c/kernel_handles.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_elementwise_create(gpuarr_elementwise** out, const char* in_params,
                                        const char* out_params, const char* body,
                                        const gpuarr_kernel_options* options) {
  return guard_output(__func__, out, [&] {
    auto kernel = std::make_shared<Elementwise>(checked_text(in_params, "in_params"),
                                                checked_text(out_params, "out_params"),
                                                checked_piece(body, "body"), options_of(options));
    return gpuarr_elementwise::make(std::move(kernel));
  });
}

gpuarr_elementwise* gpuarr_elementwise_retain(gpuarr_elementwise* kernel) { return retain(kernel); }

void gpuarr_elementwise_release(gpuarr_elementwise* kernel) { release(kernel); }

gpuarr_status gpuarr_elementwise_call(gpuarr_elementwise* kernel, gpuarr_array** outputs,
                                      int32_t output_count, const gpuarr_arg* inputs,
                                      int32_t input_count, int64_t size, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    Elementwise& k = *deref(kernel, "kernel");
    CallArguments args(k, outputs, output_count, inputs, input_count);
    Stream* in = stream_or_null(stream);
    if (in == nullptr && !args.has_array()) in = &current_stream(open_device(nullptr));
    args.hand_out(outputs, k.call(args.inputs(), args.outputs(), size, in));
  });
}

gpuarr_status gpuarr_elementwise_prepare(gpuarr_call** out, gpuarr_elementwise* kernel,
                                         gpuarr_array* const* outputs, int32_t output_count,
                                         const gpuarr_arg* inputs, int32_t input_count,
                                         int64_t size) {
  return guard_output(__func__, out, [&] {
    Elementwise& k = *deref(kernel, "kernel");
    CallArguments args(k, outputs, output_count, inputs, input_count);
    args.require_outputs();
    return gpuarr_call::make(
        k.prepare(args.inputs(), args.outputs(), size, args.device_or_default()));
  });
}

gpuarr_status gpuarr_elementwise_source(const char** out, gpuarr_elementwise* kernel,
                                        gpuarr_array* const* outputs, int32_t output_count,
                                        const gpuarr_arg* inputs, int32_t input_count,
                                        int64_t size) {
  return guard_output(__func__, out, [&] {
    Elementwise& k = *deref(kernel, "kernel");
    CallArguments args(k, outputs, output_count, inputs, input_count);
    return keep_text<struct ElementwiseSource>(
        k.source(args.inputs(), args.outputs(), size, args.device_or_default()));
  });
}
