/* See sweep.h: benchmarks and the profile. */
#include <math.h>

#include "sweep.h"

static gpuarr_status fill(void* user) {
  const struct stage* s = user;
  return gpuarr_array_fill(s->y, gpuarr_arg_f32(1), s->stream);
}

static void exercise_benchmark(const struct stage* s) {
  gpuarr_benchmark* times = POISON;
  made(gpuarr_benchmark_run(&times, "fill", fill, (void*)s, 1, 3, INFINITY, s->device, s->stream),
       &times);
  double mean = -1, samples[3];
  int64_t count = -1;
  const char* report = POISON;
  got(gpuarr_benchmark_statistic(&mean, times, GPUARR_CLOCK_DEVICE, GPUARR_SAMPLES_MEAN), &mean,
      sizeof mean);
  got(gpuarr_benchmark_samples(&count, samples, 3, times, GPUARR_CLOCK_CPU), &count, sizeof count);
  made(gpuarr_benchmark_report(&report, times, GPUARR_REPORT_JSON), &report);
  check(gpuarr_benchmark_retain(times) == times, "retained");
  gpuarr_benchmark_release(times);
  gpuarr_benchmark_release(times);
}

/* A part of the others runs while it counts. */
void exercise_profile(const struct stage* s) {
  const char* report = POISON;
  exercise_benchmark(s);
  ok(gpuarr_profile_start());
  ok(gpuarr_profile_push("swept"));
  exercise_elementwise(s);
  made(gpuarr_profile_report(&report, GPUARR_REPORT_TEXT), &report);
  ok(gpuarr_profile_pop());
  ok(gpuarr_profile_stop());
  ok(gpuarr_profile_reset());
}
