#include "gpuarr/gufunc.h"

#include "backends.hpp"
#include "c/call_arguments.hpp"
#include "c/guard.hpp"
#include "c/kernel_handles.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_gufunc_create(gpuarr_gufunc** out, const char* signature,
                                   const char* in_params, const char* out_params, const char* body,
                                   int32_t group, int32_t order,
                                   const gpuarr_kernel_options* options) {
  return guard_output(__func__, out, [&] {
    const GufuncSpec spec{checked_text(signature, "signature"),
                          checked_text(in_params, "in_params"),
                          checked_text(out_params, "out_params"),
                          checked_piece(body, "body"),
                          group,
                          order_of(order, false)};
    return gpuarr_gufunc::make(std::make_shared<Gufunc>(spec, options_of(options)));
  });
}

gpuarr_gufunc* gpuarr_gufunc_retain(gpuarr_gufunc* gufunc) { return retain(gufunc); }

void gpuarr_gufunc_release(gpuarr_gufunc* gufunc) { release(gufunc); }

gpuarr_status gpuarr_gufunc_call(gpuarr_gufunc* gufunc, gpuarr_array** outputs,
                                 int32_t output_count, const gpuarr_arg* inputs,
                                 int32_t input_count, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    Gufunc& g = *deref(gufunc, "gufunc");
    CallArguments args(g, outputs, output_count, inputs, input_count);
    Stream* in = stream_or_null(stream);
    if (in == nullptr && !args.has_array()) in = &current_stream(open_device(nullptr));
    args.hand_out(outputs, g.call(args.inputs(), args.outputs(), in));
  });
}

gpuarr_status gpuarr_gufunc_prepare(gpuarr_call** out, gpuarr_gufunc* gufunc,
                                    gpuarr_array* const* outputs, int32_t output_count,
                                    const gpuarr_arg* inputs, int32_t input_count) {
  return guard_output(__func__, out, [&] {
    Gufunc& g = *deref(gufunc, "gufunc");
    CallArguments args(g, outputs, output_count, inputs, input_count);
    args.require_outputs();
    return gpuarr_call::make(g.prepare(args.inputs(), args.outputs(), args.device_or_default()));
  });
}

gpuarr_status gpuarr_gufunc_source(const char** out, gpuarr_gufunc* gufunc,
                                   gpuarr_array* const* outputs, int32_t output_count,
                                   const gpuarr_arg* inputs, int32_t input_count) {
  return guard_output(__func__, out, [&] {
    Gufunc& g = *deref(gufunc, "gufunc");
    CallArguments args(g, outputs, output_count, inputs, input_count);
    return keep_text<struct GufuncSource>(
        g.source(args.inputs(), args.outputs(), args.device_or_default()));
  });
}
