/* Two ways to write a kernel, timed: the distance of each point to the origin as an elementwise
 * kernel over three arrays, and as a raw kernel over one array of points. Then the report of all
 * kernels that ran. */
#include "example.h"

enum { POINTS = 100000, BLOCK = 256, WARMUPS = 5, REPEATS = 50 };

static const char* const raw_source =
    "__global__ void distance(const float* points, float* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i >= n) return;\n"
    "  const float* p = points + 3 * i;\n"
    "  out[i] = sqrtf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);\n"
    "}\n";

/* What each benchmark calls: it returns the status, which ends the benchmark if it is no success.
 */
struct elementwise_work {
  gpuarr_elementwise* kernel;
  gpuarr_arg inputs[3];
  gpuarr_array* out;
};

static gpuarr_status call_elementwise(void* user) {
  struct elementwise_work* work = user;
  return gpuarr_elementwise_call(work->kernel, &work->out, 1, work->inputs, 3, GPUARR_NO_SIZE,
                                 NULL);
}

static gpuarr_status launch_raw(void* user) { return gpuarr_call_launch(user, NULL); }

/* Prints "name    :    CPU:   12.3 us   +/- ...", and returns the median time on the device. */
static double run(const char* name, gpuarr_benchmark_function function, void* user,
                  gpuarr_device* device) {
  gpuarr_benchmark* benchmark;
  const char* text;
  double median;
  check(gpuarr_benchmark_run(&benchmark, name, function, user, WARMUPS, REPEATS, INFINITY, device,
                             NULL));
  check(gpuarr_benchmark_report(&text, benchmark, GPUARR_REPORT_TEXT));
  printf("%s\n", text);
  check(gpuarr_benchmark_statistic(&median, benchmark, GPUARR_CLOCK_DEVICE, GPUARR_SAMPLES_MEDIAN));
  gpuarr_benchmark_release(benchmark);
  return median;
}

int main(void) {
  static float points[POINTS][3], first[POINTS], second[POINTS];
  for (int i = 0; i < POINTS; ++i)
    for (int d = 0; d < 3; ++d) points[i][d] = (float)((i + 7 * d) % 100) / 10;

  gpuarr_device* device;
  gpuarr_array *all, *axes[3], *out[2];
  int64_t shape[] = {POINTS, 3}, n = POINTS;
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_array_from_host(&all, device, GPUARR_F32, 2, shape, NULL, points, sizeof points,
                               NULL));
  for (int k = 0; k < 2; ++k)
    check(gpuarr_array_empty(&out[k], device, GPUARR_F32, 1, &n, GPUARR_ORDER_C, NULL));

  /* Each coordinate is a column of the array, without a copy. */
  struct elementwise_work work = {.out = out[0]};
  for (int d = 0; d < 3; ++d) {
    check(gpuarr_array_select(&axes[d], all, 1, d));
    work.inputs[d] = gpuarr_arg_array(axes[d]);
  }
  gpuarr_kernel_options* options;
  check(gpuarr_kernel_options_create(&options));
  check(gpuarr_kernel_options_set_name(options, "distance_of_columns"));
  check(gpuarr_elementwise_create(&work.kernel, "T x, T y, T z", "T r",
                                  "r = sqrt(x * x + y * y + z * z)", options));

  gpuarr_raw* raw;
  gpuarr_call* call;
  gpuarr_arg args[] = {gpuarr_arg_array(all), gpuarr_arg_array(out[1]), gpuarr_arg_i32(POINTS)};
  int64_t grid[] = {(POINTS + BLOCK - 1) / BLOCK, 1, 1}, block[] = {BLOCK, 1, 1};
  check(gpuarr_raw_create(&raw, raw_source, "distance", NULL, NULL));
  check(gpuarr_raw_prepare(&call, raw, grid, block, 0, args, 3, NULL));

  check(gpuarr_profile_start());
  double columns = run("distance_of_columns", call_elementwise, &work, device);
  double rows = run("distance", launch_raw, call, device);
  printf("the raw kernel takes %.2f of the other's time\n\n", rows / columns);

  const char* report;
  check(gpuarr_profile_report(&report, GPUARR_REPORT_TEXT));
  printf("%s", report);

  check(gpuarr_array_read(first, sizeof first, NULL, out[0], NULL));
  check(gpuarr_array_read(second, sizeof second, NULL, out[1], NULL));
  for (int i = 0; i < POINTS; ++i) {
    const float* p = points[i];
    double wanted = sqrt((double)p[0] * p[0] + (double)p[1] * p[1] + (double)p[2] * p[2]);
    expect((double)first[i], wanted, 1e-5, "distance_of_columns", i);
    expect((double)second[i], wanted, 1e-5, "distance", i);
  }

  gpuarr_call_release(call);
  gpuarr_raw_release(raw);
  gpuarr_elementwise_release(work.kernel);
  gpuarr_kernel_options_release(options);
  for (int d = 0; d < 3; ++d) gpuarr_array_release(axes[d]);
  for (int k = 0; k < 2; ++k) gpuarr_array_release(out[k]);
  gpuarr_array_release(all);
  return gpuarr_live_objects() == 0 ? 0 : 1;
}
