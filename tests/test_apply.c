/* Functions by name, with a mask; their list; dtypes that are computed in. */
#include <stdio.h>
#include <string.h>

#include "arrays.h"

static void applies_where_a_mask_is_true(void** state) {
  (void)state;
  const uint8_t flags[] = {1, 0};
  const int64_t shape[] = {3, 2};
  gpuarr_array *x = zeros(GPUARR_F32, 2, shape), *out = zeros(GPUARR_F64, 2, shape);
  gpuarr_array* mask = from(GPUARR_BOOL, 1, &shape[1], flags);
  assert_ok(gpuarr_array_fill(x, gpuarr_arg_f64(3), NULL));
  assert_ok(gpuarr_array_fill(out, gpuarr_arg_f64(-1), NULL));
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_f64(2)};
  assert_ok(gpuarr_apply(&out, 1, "multiply", inputs, 2, mask, NULL));
  assert_values(out, 6, (const double[]){6, -1, 6, -1, 6, -1});
  gpuarr_array* none = NULL;
  assert_status(gpuarr_apply(&none, 1, "multiply", inputs, 2, mask, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL, but where keeps elements of the output");
  assert_status(gpuarr_apply(&out, 1, "multiply", inputs, 2, x, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("where is float32; give an array of bools");
  assert_null(none);
  release_arrays((gpuarr_array*[]){x, out, mask}, 3);
}

static void finds_functions_by_name(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_I32, 3), *out[2] = {NULL};
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_i64(2), gpuarr_arg_i64(3)};
  assert_ok(gpuarr_apply(out, 2, "divmod", inputs, 2, NULL, NULL));
  assert_values(out[0], 3, (const double[]){0, 0, 1});
  assert_values(out[1], 3, (const double[]){0, 1, 0});
  gpuarr_array* none[2] = {NULL};
  assert_status(gpuarr_apply(none, 1, "plus", inputs, 2, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("there is no function \"plus\"; gpuarr_apply_describe lists them");
  assert_status(gpuarr_apply(none, 1, NULL, inputs, 2, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("name is NULL");
  assert_status(gpuarr_apply(none, 1, "add", inputs, 3, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("input_count is 3, but add takes 2: x y");
  assert_status(gpuarr_apply(none, 1, "divmod", inputs, 2, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("output_count is 1, but divmod gives 2: quotient remainder");
  assert_status(gpuarr_apply(NULL, 1, "add", inputs, 2, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("outputs is NULL");
  assert_status(
      gpuarr_apply(none, 1, "round", (gpuarr_arg[]){inputs[0], gpuarr_arg_f64(1.5)}, 2, NULL, NULL),
      GPUARR_ERR_ARGUMENT);
  assert_message_has("decimals is 1.5; give an integer");
  gpuarr_arg tolerances[] = {inputs[0], inputs[0], inputs[0], inputs[1], inputs[1]};
  assert_status(gpuarr_apply(none, 1, "isclose", tolerances, 5, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("rtol, atol and equal_nan are real scalars, not arrays");
  assert_null(none[0]);
  release_arrays((gpuarr_array*[]){x, out[0], out[1]}, 3);
}

static void lists_functions(void** state) {
  (void)state;
  const char *name = NULL, *about = NULL;
  int32_t inputs = 0, outputs = 0, found = 0;
  for (int32_t k = 0; k < gpuarr_apply_count(); ++k) {
    assert_ok(gpuarr_apply_describe(&name, &about, &inputs, &outputs, k));
    assert_true(strlen(name) > 0 && strlen(about) > 0 && strchr(about, '\n') == NULL);
    assert_in_range(inputs, 1, 5);
    if (strcmp(name, "divmod") == 0) found += inputs == 2 && outputs == 2;
    if (strcmp(name, "modf") == 0) found += inputs == 1 && outputs == 2;
  }
  assert_int_equal(found, 2);
  const int32_t count = gpuarr_apply_count();
  assert_status(gpuarr_apply_describe(&name, &about, &inputs, &outputs, count),
                GPUARR_ERR_ARGUMENT);
  char message[64];
  snprintf(message, sizeof message, "index is %d; give one from 0 to %d", count, count - 1);
  assert_message_has(message);
  assert_null(name);
  assert_null(about);
}

static gpuarr_dtype joined(gpuarr_arg x, gpuarr_arg y) {
  gpuarr_dtype out = 0;
  assert_ok(gpuarr_result_type(&out, (const gpuarr_arg[]){x, y}, 2));
  return out;
}

static void joins_dtypes(void** state) {
  (void)state;
  gpuarr_array *u8 = line(GPUARR_U8, 1), *i8 = line(GPUARR_I8, 1), *f16 = line(GPUARR_F16, 1);
  gpuarr_array* bf16 = line(GPUARR_BF16, 1);
  const gpuarr_arg x = gpuarr_arg_array(u8), y = gpuarr_arg_array(i8), z = gpuarr_arg_array(f16);
  assert_int_equal(joined(x, y), GPUARR_I16);
  assert_int_equal(joined(x, gpuarr_arg_i64(-1000)), GPUARR_U8);
  assert_int_equal(joined(x, gpuarr_arg_f32(1)), GPUARR_F64);
  assert_int_equal(joined(z, gpuarr_arg_f64(1e300)), GPUARR_F16);
  assert_int_equal(joined(z, gpuarr_arg_c128(0, 1)), GPUARR_C64);
  assert_int_equal(joined(z, gpuarr_arg_array(bf16)), GPUARR_F32);
  assert_int_equal(joined(x, gpuarr_arg_array(bf16)), GPUARR_BF16);
  assert_int_equal(joined(gpuarr_arg_i8(1), gpuarr_arg_bool(1)), GPUARR_I64);
  gpuarr_dtype out = 5;
  assert_status(gpuarr_result_type(&out, &x, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("count is 0; give at least one argument");
  assert_int_equal(out, 0);
  release_arrays((gpuarr_array*[]){u8, i8, f16, bf16}, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(applies_where_a_mask_is_true),
      cmocka_unit_test(finds_functions_by_name),
      cmocka_unit_test(lists_functions),
      cmocka_unit_test(joins_dtypes),
  };
  return run_suite(tests);
}
