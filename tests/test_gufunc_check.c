/* What checks find in gufuncs that a warp or a block runs: they are raw kernels. */
#include "arrays.h"
#include "checks.h"

static gpuarr_gufunc* checked(const char* signature, const char* body, int32_t group,
                              int32_t checks) {
  gpuarr_kernel_options* options = NULL;
  gpuarr_gufunc* f = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_check(options, checks));
  assert_ok(gpuarr_kernel_options_set_name(options, "mine"));
  assert_ok(gpuarr_gufunc_create(&f, signature, "T x", "T y", body, group, 0, options));
  gpuarr_kernel_options_release(options);
  return f;
}

static gpuarr_status run(gpuarr_gufunc* f, gpuarr_array* x, gpuarr_array* y) {
  const gpuarr_arg input = gpuarr_arg_array(x);
  gpuarr_status status = gpuarr_gufunc_call(f, &y, 1, &input, 1, NULL);
  if (status == GPUARR_OK) status = gpuarr_device_synchronize(open_test_device());
  gpuarr_gufunc_release(f);
  return status;
}

static void elements_outside_of_arrays(void** state) {
  (void)state;
  const int32_t groups[] = {GPUARR_GROUP_WARP, GPUARR_GROUP_BLOCK};
  for (int k = 0; k < 2; ++k) {
    gpuarr_array *x = ramp(GPUARR_F32, 40), *y = line(GPUARR_F32, 40);
    const char* const body = "for (int j = group.rank(); j < n; j += group.size())\n  y(j) = x(j);";
    assert_ok(run(checked("(n)->(n)", body, groups[k], GPUARR_CHECK_MEMORY), x, y));
    assert_status(run(checked("(n)->(n)", "if (group.rank() == 3)\n  y(n) = x(0);", groups[k],
                              GPUARR_CHECK_MEMORY),
                      x, y),
                  GPUARR_ERR_FAULT);
    assert_message_has("kernel \"mine_kernel\": illegal write of 4 bytes at y[40] (args[1], ");
    assert_message_has("by block (0,0,0) thread (3,0,0) at body:2");
    release_arrays((gpuarr_array*[]){x, y}, 2);
  }
}

static void races_and_barriers(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 64), *y = line(GPUARR_F32, 64);
  gpuarr_array* sum = zeros(GPUARR_F32, 0, NULL);
  const char* const total = "y = group.sum(x(group.rank()));";
  assert_ok(run(checked("(n)->()", total, GPUARR_GROUP_BLOCK, GPUARR_CHECK_RACE), x, sum));
  assert_floats(sum, 1, (const float[]){2016});
  assert_status(
      run(checked("(n)->(n)", "y(0) = group.rank();", GPUARR_GROUP_BLOCK, GPUARR_CHECK_RACE), x, y),
      GPUARR_ERR_RACE);
  assert_message_has("body:1");
  assert_status(run(checked("(n)->(n)", "if (group.rank() < 7) group.sync();", GPUARR_GROUP_BLOCK,
                            GPUARR_CHECK_SYNC),
                    x, y),
                GPUARR_ERR_SYNC);
  release_arrays((gpuarr_array*[]){x, y, sum}, 3);
}

int main(void) {
  open_test_device();
  skip_unless_the_cpu_checks();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_outside_of_arrays),
      cmocka_unit_test(races_and_barriers),
  };
  return run_suite(tests);
}
