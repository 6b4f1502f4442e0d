/* gpuarr/view.h: what is refused, and with which words. */
#include "support.h"

static gpuarr_device* device;
static gpuarr_array* matrix;     /* (3, 4), C order */
static gpuarr_array* transposed; /* (4, 3) */
static gpuarr_array* refused;    /* what a failing call must set to NULL */

#define refuse(call, status, message) \
  do {                                \
    refused = matrix;                 \
    assert_status((call), (status));  \
    assert_message_has(message);      \
    assert_null(refused);             \
  } while (0)

static void slices_and_selections_are_refused(void** state) {
  (void)state;
  gpuarr_array** out = &refused;
  refuse(gpuarr_array_slice(out, NULL, 0, 0, 1, 1), GPUARR_ERR_ARGUMENT, "array is NULL");
  refuse(gpuarr_array_slice(out, matrix, 0, 0, 1, 0), GPUARR_ERR_ARGUMENT, "step is 0");
  refuse(gpuarr_array_slice(out, matrix, 2, 0, 1, 1), GPUARR_ERR_AXIS, "axis is 2");
  refuse(gpuarr_array_slice(out, matrix, -3, 0, 1, 1), GPUARR_ERR_AXIS, "axis is -3");
  refuse(gpuarr_array_select(out, NULL, 0, 0), GPUARR_ERR_ARGUMENT, "array is NULL");
  refuse(gpuarr_array_select(out, matrix, 2, 0), GPUARR_ERR_AXIS, "axis is 2");
  refuse(gpuarr_array_select(out, matrix, 0, 3), GPUARR_ERR_AXIS,
         "index is 3, but axis 0 has extent 3");
  refuse(gpuarr_array_select(out, matrix, -1, -5), GPUARR_ERR_AXIS,
         "index is -5, but axis 1 has extent 4");
}

static void permutations_are_refused(void** state) {
  (void)state;
  gpuarr_array** out = &refused;
  int32_t twice[] = {0, -2};
  int32_t far[] = {0, 2, 1};
  refuse(gpuarr_array_transpose(out, NULL, 0, NULL), GPUARR_ERR_ARGUMENT, "array is NULL");
  refuse(gpuarr_array_transpose(out, matrix, 2, NULL), GPUARR_ERR_ARGUMENT, "axes is NULL");
  refuse(gpuarr_array_transpose(out, matrix, -1, far), GPUARR_ERR_ARGUMENT, "count is -1");
  refuse(gpuarr_array_transpose(out, matrix, 2, twice), GPUARR_ERR_AXIS,
         "axes[1] is -2, an axis given before");
  refuse(gpuarr_array_transpose(out, matrix, 2, far), GPUARR_ERR_AXIS, "axes[1] is 2");
  refuse(gpuarr_array_transpose(out, matrix, 1, far), GPUARR_ERR_AXIS, "count is 1");
  refuse(gpuarr_array_transpose(out, matrix, 3, far), GPUARR_ERR_AXIS, "count is 3");
  refuse(gpuarr_array_squeeze(out, NULL, 0, NULL), GPUARR_ERR_ARGUMENT, "array is NULL");
  refuse(gpuarr_array_squeeze(out, matrix, 1, far), GPUARR_ERR_SHAPE, "axis 0 has extent 3");
  refuse(gpuarr_array_squeeze(out, matrix, 1, NULL), GPUARR_ERR_ARGUMENT, "axes is NULL");
  refuse(gpuarr_array_squeeze(out, matrix, 2, far), GPUARR_ERR_AXIS, "axes[1] is 2");
  refuse(gpuarr_array_expand(out, NULL, 0), GPUARR_ERR_ARGUMENT, "array is NULL");
  refuse(gpuarr_array_expand(out, matrix, 3), GPUARR_ERR_AXIS,
         "axis is 3; the view has 3 axes, so it may be -3 to 2");
  refuse(gpuarr_array_expand(out, matrix, -4), GPUARR_ERR_AXIS, "axis is -4");
  refuse(gpuarr_array_diagonal(out, NULL, 0, 0, 1), GPUARR_ERR_ARGUMENT, "array is NULL");
  refuse(gpuarr_array_diagonal(out, matrix, 0, 0, 2), GPUARR_ERR_AXIS, "axis2 is 2");
  refuse(gpuarr_array_diagonal(out, matrix, 0, 1, -1), GPUARR_ERR_AXIS, "both axis 1");
}

static void shapes_are_refused(void** state) {
  (void)state;
  gpuarr_array** out = &refused;
  int64_t thirteen[] = {13};
  int64_t two_unknown[] = {-1, 2, -1};
  int64_t indivisible[] = {5, -1};
  int64_t negative[] = {3, -2};
  int64_t zero_unknown[] = {0, -1};
  int64_t flat[] = {12};
  int64_t huge[] = {INT64_MAX, 3, 4};
  int64_t other[] = {2, 3, 5};
  refuse(gpuarr_array_reshape(out, NULL, 1, flat), GPUARR_ERR_ARGUMENT, "array is NULL");
  refuse(gpuarr_array_reshape(out, matrix, 1, NULL), GPUARR_ERR_ARGUMENT, "shape is NULL");
  refuse(gpuarr_array_reshape(out, matrix, 33, flat), GPUARR_ERR_SHAPE, "ndim is 33");
  refuse(gpuarr_array_reshape(out, matrix, -1, flat), GPUARR_ERR_SHAPE, "ndim is -1");
  refuse(gpuarr_array_reshape(out, matrix, 1, thirteen), GPUARR_ERR_SHAPE,
         "shape (13,) has 13 elements, but the array's (3, 4) has 12");
  refuse(gpuarr_array_reshape(out, matrix, 3, two_unknown), GPUARR_ERR_SHAPE,
         "shape[0] and shape[2] are both -1");
  refuse(gpuarr_array_reshape(out, matrix, 2, indivisible), GPUARR_ERR_SHAPE, "shape[1] is -1");
  refuse(gpuarr_array_reshape(out, matrix, 2, zero_unknown), GPUARR_ERR_SHAPE, "shape[1] is -1");
  refuse(gpuarr_array_reshape(out, matrix, 2, negative), GPUARR_ERR_SHAPE, "shape[1] is -2");
  refuse(gpuarr_array_reshape(out, transposed, 1, flat), GPUARR_ERR_SHAPE,
         "shape (12,) is not a view of an array of shape (4, 3) and strides (1, 4)");
  refuse(gpuarr_array_broadcast(out, NULL, 1, flat), GPUARR_ERR_ARGUMENT, "array is NULL");
  refuse(gpuarr_array_broadcast(out, matrix, 1, flat), GPUARR_ERR_BROADCAST,
         "shape (3, 4) does not broadcast to (12,)");
  refuse(gpuarr_array_broadcast(out, matrix, 3, other), GPUARR_ERR_BROADCAST, "(2, 3, 5)");
  refuse(gpuarr_array_broadcast(out, matrix, 3, huge), GPUARR_ERR_SHAPE, "2^63 - 1 bytes");
  refuse(gpuarr_array_broadcast(out, matrix, 33, huge), GPUARR_ERR_SHAPE, "ndim is 33");
  refuse(gpuarr_array_broadcast(out, matrix, 2, NULL), GPUARR_ERR_ARGUMENT, "shape is NULL");
}

static void a_null_output_is_refused(void** state) {
  (void)state;
  int64_t shape[] = {12};
  gpuarr_status statuses[] = {
      gpuarr_array_slice(NULL, matrix, 0, 0, 1, 1),   gpuarr_array_select(NULL, matrix, 0, 0),
      gpuarr_array_transpose(NULL, matrix, 0, NULL),  gpuarr_array_reshape(NULL, matrix, 1, shape),
      gpuarr_array_broadcast(NULL, matrix, 1, shape), gpuarr_array_squeeze(NULL, matrix, 0, NULL),
      gpuarr_array_expand(NULL, matrix, 0),           gpuarr_array_diagonal(NULL, matrix, 0, 0, 1)};
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; ++i)
    assert_status(statuses[i], GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_array_diagonal: out is NULL");
}

static int make_matrices(void** state) {
  (void)state;
  int64_t shape[] = {3, 4};
  assert_ok(gpuarr_array_zeros(&matrix, device, GPUARR_F32, 2, shape, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_array_transpose(&transposed, matrix, 0, NULL));
  return 0;
}

static int release_matrices(void** state) {
  (void)state;
  gpuarr_array_release(matrix);
  gpuarr_array_release(transposed);
  return 0;
}

#define refusal(name) cmocka_unit_test_setup_teardown(name, make_matrices, release_matrices)

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      refusal(slices_and_selections_are_refused),
      refusal(permutations_are_refused),
      refusal(shapes_are_refused),
      refusal(a_null_output_is_refused),
  };
  return run_suite(tests);
}
