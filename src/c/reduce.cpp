// gpuarr/reduce.h: check, convert, call.
#include "gpuarr/reduce.h"

#include "c/call_arguments.hpp"
#include "c/guard.hpp"
#include "ops/reduce/reduce.hpp"

using namespace gpuarr;

namespace {

void run(Reducer reducer, gpuarr_array** out, std::span<const Argument> inputs,
         const AxisRequest& axes, gpuarr_stream* stream) {
  if (out == nullptr) fail(GPUARR_ERR_ARGUMENT, "out is NULL; give the address of a variable");
  const Array* given = deref_or_null(*out, "*out");
  Stream* in = stream_or_null(stream);
  if (auto made = reduce(reducer, inputs, given, axes, in)) *out = wrap(std::move(*made));
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

}  // namespace

gpuarr_status gpuarr_sum(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                         int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::sum, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_prod(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                          int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::prod, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_min(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                         int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::min, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_max(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                         int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::max, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_argmin(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                            int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::argmin, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_argmax(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                            int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::argmax, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_any(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                         int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::any, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_all(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                         int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::all, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_count_nonzero(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                                   int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::count_nonzero, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_mean(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                          int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::mean, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_nansum(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                            int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::nansum, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_nanmin(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                            int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::nanmin, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_nanmax(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                            int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::nanmax, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
}

gpuarr_status gpuarr_logsumexp(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                               int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run(Reducer::logsumexp, out, x, axis_request(axes, axis_count, keepdims), stream);
  });
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
