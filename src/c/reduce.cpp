// gpuarr/reduce.h: check, convert, call.
#include "gpuarr/reduce.h"

#include "c/call_arguments.hpp"
#include "c/operation_arguments.hpp"
#include "ops/reduce/reduce.hpp"

using namespace gpuarr;

namespace {

void run(Reducer reducer, gpuarr_array** out, std::span<const Argument> inputs,
         const AxisRequest& axes, gpuarr_stream* stream) {
  const Array* given = given_output(out);
  hand_out(out, reduce(reducer, inputs, given, axes, stream_or_null(stream)));
}

void run(Reducer reducer, gpuarr_array** out, const gpuarr_array* x, const AxisRequest& axes,
         gpuarr_stream* stream) {
  const Argument input{&deref(x, "x"), nullptr};
  run(reducer, out, {&input, 1}, axes, stream);
}

void run_spread(Reducer reducer, gpuarr_array** out, const gpuarr_array* x, double ddof,
                const AxisRequest& axes, gpuarr_stream* stream) {
  const Array& from = deref(x, "x");
  if (ddof - ddof != 0) fail(GPUARR_ERR_ARGUMENT, "ddof is {}; give a finite number", ddof);
  const Scalar number = Scalar::of(ddof);
  const Argument inputs[] = {{&from, nullptr}, {nullptr, &number}};
  run(reducer, out, inputs, axes, stream);
}

// All of a C function that has no parameters but these.
[[gnu::always_inline]] inline gpuarr_status run_reducer(const char* function, Reducer reducer,
                                                        gpuarr_array** out, const gpuarr_array* x,
                                                        const int32_t* axes, int32_t axis_count,
                                                        int32_t keepdims, gpuarr_stream* stream) {
  return guard(function,
               [&] { run(reducer, out, x, axis_request(axes, axis_count, keepdims), stream); });
}

}  // namespace

gpuarr_status gpuarr_sum(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                         int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::sum, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_prod(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                          int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::prod, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_min(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                         int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::min, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_max(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                         int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::max, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_argmin(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                            int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::argmin, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_argmax(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                            int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::argmax, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_any(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                         int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::any, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_all(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                         int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::all, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_count_nonzero(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                                   int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::count_nonzero, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_mean(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                          int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::mean, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_nansum(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                            int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::nansum, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_nanmin(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                            int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::nanmin, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_nanmax(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                            int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::nanmax, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_logsumexp(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                               int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return run_reducer(__func__, Reducer::logsumexp, out, x, axes, axis_count, keepdims, stream);
}

gpuarr_status gpuarr_var(gpuarr_array** out, const gpuarr_array* x, double ddof,
                         const int32_t* axes, int32_t axis_count, int32_t keepdims,
                         gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run_spread(Reducer::var, out, x, ddof, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_std(gpuarr_array** out, const gpuarr_array* x, double ddof,
                         const int32_t* axes, int32_t axis_count, int32_t keepdims,
                         gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run_spread(Reducer::std, out, x, ddof, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_norm(gpuarr_array** out, const gpuarr_array* x, double ord,
                          const int32_t* axes, int32_t axis_count, int32_t keepdims,
                          gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(norm_of(ord), out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_dot(gpuarr_array** out, const gpuarr_array* x, const gpuarr_array* y,
                         gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const Argument inputs[] = {{&deref(x, "x"), nullptr}, {&deref(y, "y"), nullptr}};
    check_alike(*inputs[0].array, *inputs[1].array);
    run(Reducer::dot, out, inputs, AxisRequest{}, stream);
  });
}
