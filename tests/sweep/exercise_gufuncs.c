/* See sweep.h: gufuncs, by one thread and by blocks. */
#include "sweep.h"

static void run(const struct stage* s, int32_t group) {
  gpuarr_gufunc* f = POISON;
  made(gpuarr_gufunc_create(&f, "(n),()->()", "T x, float32 a", "T y", "y = a * x(0);", group,
                            GPUARR_ORDER_C, NULL),
       &f);
  gpuarr_array* outputs[] = {NULL};
  const gpuarr_arg inputs[] = {gpuarr_arg_array(s->x), gpuarr_arg_f32(2)};
  made(gpuarr_gufunc_call(f, outputs, 1, inputs, 2, s->stream), &outputs[0]);
  ok(gpuarr_gufunc_call(f, outputs, 1, inputs, 2, NULL));
  gpuarr_call* call = POISON;
  const char* source = POISON;
  made(gpuarr_gufunc_prepare(&call, f, outputs, 1, inputs, 2), &call);
  made(gpuarr_gufunc_source(&source, f, outputs, 1, inputs, 2), &source);
  check(gpuarr_gufunc_retain(f) == f, "retained");
  gpuarr_gufunc_release(f);
  gpuarr_gufunc_release(f); /* the call lives on */
  ok(gpuarr_call_launch(call, s->stream));
  gpuarr_call_release(call);
  gpuarr_array_release(outputs[0]);
}

void exercise_gufuncs(const struct stage* s) {
  run(s, GPUARR_GROUP_THREAD);
  run(s, GPUARR_GROUP_BLOCK);
}
