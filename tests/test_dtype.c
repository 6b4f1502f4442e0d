/* Tests of gpuarr/dtype.h: sizes and names. */
#include "support.h"

static void names_go_both_ways(void** state) {
  (void)state;
  for (gpuarr_dtype dtype = GPUARR_BOOL; dtype <= GPUARR_C128; ++dtype) {
    gpuarr_dtype found = 0;
    assert_ok(gpuarr_dtype_from_name(&found, gpuarr_dtype_name(dtype)));
    assert_int_equal(found, dtype);
    assert_true(gpuarr_dtype_size(dtype) > 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_go_both_ways),
  };
  return run_suite(tests);
}
