// gpuarr/scan.h: check, convert, call.
#include "gpuarr/scan.h"

#include "c/call_arguments.hpp"
#include "c/operation_arguments.hpp"
#include "ops/reduce/scan.hpp"

using namespace gpuarr;

namespace {

ScanRequest scan_request(int32_t axis, int32_t exclusive) {
  if (exclusive != 0 && exclusive != 1)
    fail(GPUARR_ERR_ARGUMENT, "exclusive is {}; give 0 or 1", exclusive);
  return {axis, exclusive == 1};
}

// All of a C function that has no parameters but these.
[[gnu::always_inline]] inline gpuarr_status run(const char* function, Scanner scanner,
                                                gpuarr_array** out, const gpuarr_array* x,
                                                int32_t axis, int32_t exclusive,
                                                gpuarr_stream* stream) {
  return guard_result(function, out, [&](const Array* given) {
    const Array& from = deref(x, "x");
    Stream* in = stream_or_null(stream);
    return scan(scanner, from, given, scan_request(axis, exclusive), in);
  });
}

}  // namespace

gpuarr_status gpuarr_cumsum(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                            int32_t exclusive, gpuarr_stream* stream) {
  return run(__func__, Scanner::cumsum, out, x, axis, exclusive, stream);
}

gpuarr_status gpuarr_cumprod(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                             int32_t exclusive, gpuarr_stream* stream) {
  return run(__func__, Scanner::cumprod, out, x, axis, exclusive, stream);
}

gpuarr_status gpuarr_cummin(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                            int32_t exclusive, gpuarr_stream* stream) {
  return run(__func__, Scanner::cummin, out, x, axis, exclusive, stream);
}

gpuarr_status gpuarr_cummax(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                            int32_t exclusive, gpuarr_stream* stream) {
  return run(__func__, Scanner::cummax, out, x, axis, exclusive, stream);
}

gpuarr_status gpuarr_diff(gpuarr_array** out, const gpuarr_array* x, int32_t order, int32_t axis,
                          gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return diff(deref(x, "x"), given, order, axis, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_scan_create(gpuarr_scan** out, const char* in_params, const char* out_params,
                                 const char* map, const char* reduce, const char* post,
                                 const char* identity, const gpuarr_kernel_options* options) {
  return guard_output(__func__, out, [&] {
    const MapReduceSpec spec = spec_of(in_params, out_params, map, reduce, post, identity);
    return gpuarr_scan::make(std::make_shared<Scan>(spec, options_of(options)));
  });
}

gpuarr_scan* gpuarr_scan_retain(gpuarr_scan* scan) { return retain(scan); }

void gpuarr_scan_release(gpuarr_scan* scan) { release(scan); }

gpuarr_status gpuarr_scan_call(gpuarr_scan* scan, gpuarr_array** outputs, int32_t output_count,
                               const gpuarr_arg* inputs, int32_t input_count, int32_t axis,
                               int32_t exclusive, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    Scan& k = *deref(scan, "scan");
    CallArguments args(k, outputs, output_count, inputs, input_count);
    Stream* in = stream_or_null(stream);
    args.hand_out(outputs,
                  k.call(args.inputs(), args.outputs(), scan_request(axis, exclusive), in));
  });
}

gpuarr_status gpuarr_scan_source(const char** out, gpuarr_scan* scan, gpuarr_array* const* outputs,
                                 int32_t output_count, const gpuarr_arg* inputs,
                                 int32_t input_count, int32_t axis, int32_t exclusive) {
  return guard_output(__func__, out, [&] {
    Scan& k = *deref(scan, "scan");
    CallArguments args(k, outputs, output_count, inputs, input_count);
    return keep_text<struct ScanSource>(
        k.source(args.inputs(), args.outputs(), scan_request(axis, exclusive)));
  });
}
