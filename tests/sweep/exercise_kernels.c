/* See sweep.h: elementwise kernels and reductions. */
#include "sweep.h"

static gpuarr_kernel_options* all_options(void) {
  gpuarr_kernel_options* o = POISON;
  if (!made(gpuarr_kernel_options_create(&o), &o)) return NULL;
  ok(gpuarr_kernel_options_set_name(o, "swept"));
  ok(gpuarr_kernel_options_set_preamble(o, "#define TWO 2"));
  ok(gpuarr_kernel_options_set_loop_prep(o, "float two = TWO;"));
  ok(gpuarr_kernel_options_set_after_loop(o, ";"));
  ok(gpuarr_kernel_options_add(o, "-DTHREE=3"));
  return o;
}

void exercise_elementwise(const struct stage* s) {
  gpuarr_elementwise* kernel = POISON;
  gpuarr_kernel_options* options = all_options();
  made(gpuarr_elementwise_create(&kernel, "T x, float32 a", "T y", "y = a * x + two;", options),
       &kernel);
  gpuarr_kernel_options_release(options);
  gpuarr_array* outputs[] = {NULL};
  const gpuarr_arg inputs[] = {gpuarr_arg_array(s->x), gpuarr_arg_f32(2)};
  made(gpuarr_elementwise_call(kernel, outputs, 1, inputs, 2, GPUARR_NO_SIZE, s->stream),
       &outputs[0]);
  ok(gpuarr_elementwise_call(kernel, outputs, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
  gpuarr_call* call = POISON;
  const char* source = POISON;
  made(gpuarr_elementwise_prepare(&call, kernel, &s->y, 1, inputs, 2, GPUARR_NO_SIZE), &call);
  made(gpuarr_elementwise_source(&source, kernel, &s->y, 1, inputs, 2, GPUARR_NO_SIZE), &source);
  ok(gpuarr_call_set_scalar(call, 1, gpuarr_arg_f32(3)));
  ok(gpuarr_call_launch(call, s->stream));
  check(gpuarr_call_retain(call) == call, "retained");
  gpuarr_call_release(call);
  check(gpuarr_elementwise_retain(kernel) == kernel, "retained");
  gpuarr_elementwise_release(kernel);
  gpuarr_elementwise_release(kernel); /* the call and the array live on */
  ok(gpuarr_call_launch(call, NULL));
  gpuarr_call_release(call);
  gpuarr_array_release(outputs[0]);
}

void exercise_reductions(const struct stage* s) {
  gpuarr_reduction* kernel = POISON;
  gpuarr_kernel_options* options = POISON;
  made(gpuarr_kernel_options_create(&options), &options);
  ok(gpuarr_kernel_options_set_reduce_type(options, "float64"));
  ok(gpuarr_kernel_options_set_commutative(options, 1));
  made(gpuarr_reduction_create(&kernel, "T x", "T y", "x * x", "a + b", "y = a", "0", options),
       &kernel);
  gpuarr_kernel_options_release(options);
  const int32_t axis = 1;
  gpuarr_array *rows[] = {NULL}, *all[] = {NULL};
  const gpuarr_arg input = gpuarr_arg_array(s->x);
  made(gpuarr_reduction_call(kernel, rows, 1, &input, 1, &axis, 1, 0, s->stream), &rows[0]);
  made(gpuarr_reduction_call(kernel, all, 1, &input, 1, NULL, GPUARR_ALL_AXES, 0, NULL), &all[0]);
  gpuarr_call* call = POISON;
  const char* source = POISON;
  made(gpuarr_reduction_prepare(&call, kernel, rows, 1, &input, 1, &axis, 1, 0), &call);
  made(gpuarr_reduction_source(&source, kernel, rows, 1, &input, 1, &axis, 1, 0), &source);
  ok(gpuarr_call_launch(call, NULL));
  check(gpuarr_reduction_retain(kernel) == kernel, "retained");
  gpuarr_reduction_release(kernel);
  gpuarr_reduction_release(kernel);
  gpuarr_call_release(call);
  gpuarr_array_release(rows[0]);
  gpuarr_array_release(all[0]);
}

typedef gpuarr_status reduce_fn(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                                int32_t axis_count, int32_t keepdims, gpuarr_stream* stream);

/* A large array has partial results of many blocks, and counters of its stream. */
void exercise_ready_made(const struct stage* s) {
  static reduce_fn* const functions[] = {
      gpuarr_sum,    gpuarr_prod,   gpuarr_min,    gpuarr_max,           gpuarr_argmin,
      gpuarr_argmax, gpuarr_any,    gpuarr_all,    gpuarr_count_nonzero, gpuarr_mean,
      gpuarr_nansum, gpuarr_nanmin, gpuarr_nanmax, gpuarr_logsumexp};
  const int32_t axis = 0, all = GPUARR_ALL_AXES;
  for (size_t k = 0; k < sizeof functions / sizeof *functions; ++k) {
    gpuarr_array* out = NULL;
    made(functions[k](&out, s->x, &axis, 1, 0, s->stream), &out);
    gpuarr_array_release(out);
  }
  gpuarr_array *large = POISON, *out[5] = {NULL};
  const int64_t length = 300000;
  made(gpuarr_array_ones(&large, s->device, GPUARR_F32, 1, &length, 0, NULL), &large);
  made(gpuarr_sum(&out[0], large, NULL, all, 0, s->stream), &out[0]);
  made(gpuarr_var(&out[1], s->x, 1, NULL, all, 0, NULL), &out[1]);
  made(gpuarr_std(&out[2], s->x, 0, &axis, 1, 1, NULL), &out[2]);
  made(gpuarr_norm(&out[3], s->x, 2, NULL, all, 0, s->stream), &out[3]);
  made(gpuarr_dot(&out[4], large, large, NULL), &out[4]);
  for (int i = 0; i < 5; ++i) gpuarr_array_release(out[i]);
  gpuarr_array_release(large);
}
