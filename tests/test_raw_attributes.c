/* Attributes of raw kernels, and occupancy: what can be read, what can be set, and when it holds.
 */
#include "arrays.h"
#include "raws.h"

static gpuarr_device* device;

static int64_t attribute(gpuarr_raw* kernel, gpuarr_attribute which) {
  int64_t value = -7;
  assert_ok(gpuarr_raw_attribute(&value, kernel, which, device));
  return value;
}

static int64_t compute_capability(void) {
  int64_t capability = 0;
  assert_ok(gpuarr_device_attribute(&capability, device, GPUARR_DEVICE_COMPUTE_CAPABILITY));
  return capability;
}

static const char* const reversing =
    "__global__ void k(float* x) {\n"
    "  __shared__ float s[256];\n"
    "  s[threadIdx.x] = x[threadIdx.x];\n"
    "  __syncthreads();\n"
    "  x[threadIdx.x] = s[255 - threadIdx.x];\n"
    "}\n";

static void each_one_is_read(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(reversing, "k");
  for (gpuarr_attribute a = GPUARR_ATTRIBUTE_MAX_THREADS; a <= GPUARR_ATTRIBUTE_CLUSTER_Z; ++a) {
    int64_t value = -7;
    gpuarr_status status = gpuarr_raw_attribute(&value, kernel, a, device);
    assert_true(status == GPUARR_OK || status == GPUARR_ERR_UNSUPPORTED);
    assert_true(value >= -1);
  }
  const int host = test_device_is_host();
  assert_int_equal(attribute(kernel, GPUARR_ATTRIBUTE_MAX_THREADS), 1024);
  const int64_t shared = attribute(kernel, GPUARR_ATTRIBUTE_SHARED_BYTES);
  assert_true(host ? shared == 0 : shared >= 1024);
  assert_true((attribute(kernel, GPUARR_ATTRIBUTE_REGISTERS) > 0) == !host);
  assert_int_equal(attribute(kernel, GPUARR_ATTRIBUTE_BINARY_VERSION),
                   host ? 0 : compute_capability());
  assert_int_equal(attribute(kernel, GPUARR_ATTRIBUTE_REQUIRED_CLUSTER_X), 0);
  assert_int_equal(attribute(kernel, GPUARR_ATTRIBUTE_CLUSTER_X), 0);
  assert_int_equal(attribute(kernel, GPUARR_ATTRIBUTE_COOPERATIVE), 0);
  gpuarr_raw_release(kernel);
}

struct setting {
  gpuarr_attribute attribute;
  int64_t least, most, value;
};

static const struct setting settings[] = {
    {GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES, 0, INT32_MAX, 4096},
    {GPUARR_ATTRIBUTE_SHARED_CARVEOUT, -1, 100, 50},
    {GPUARR_ATTRIBUTE_NON_PORTABLE_CLUSTER, 0, 1, 1},
    {GPUARR_ATTRIBUTE_CLUSTER_POLICY, 0, 2, 2},
    {GPUARR_ATTRIBUTE_COOPERATIVE, 0, 1, 1},
    {GPUARR_ATTRIBUTE_CLUSTER_X, 0, 64, 2},
    {GPUARR_ATTRIBUTE_CLUSTER_Y, 0, 64, 3},
    {GPUARR_ATTRIBUTE_CLUSTER_Z, 0, 64, 1},
};
enum { setting_count = sizeof settings / sizeof *settings };

static void what_can_be_set_is_set(void** state) {
  (void)state;
  for (int k = 0; k < setting_count; ++k) {
    const struct setting* s = &settings[k];
    gpuarr_raw* kernel = make_raw(reversing, "k"); /* not used anywhere yet */
    assert_status(gpuarr_raw_set_attribute(kernel, s->attribute, s->least - 1),
                  GPUARR_ERR_ARGUMENT);
    assert_status(gpuarr_raw_set_attribute(kernel, s->attribute, s->most + 1), GPUARR_ERR_ARGUMENT);
    assert_message_has("this attribute takes ");
    assert_ok(gpuarr_raw_set_attribute(kernel, s->attribute, s->value));
    int64_t value = -7;
    gpuarr_status status = gpuarr_raw_attribute(&value, kernel, s->attribute, device);
    if (status == GPUARR_OK)
      assert_int_equal(value, s->value);
    else /* older GPUs have no clusters */
      assert_true(compute_capability() < 90 &&
                  s->attribute >= GPUARR_ATTRIBUTE_NON_PORTABLE_CLUSTER);
    gpuarr_raw_release(kernel);
  }
}

static void others_cannot(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(reversing, "k");
  for (gpuarr_attribute a = -1; a <= GPUARR_ATTRIBUTE_CLUSTER_Z + 1; ++a) {
    int settable = 0;
    for (int k = 0; k < setting_count; ++k) settable |= settings[k].attribute == a;
    if (settable) continue;
    assert_status(gpuarr_raw_set_attribute(kernel, a, 1), GPUARR_ERR_ARGUMENT);
    assert_message_has("which is no GPUARR_ATTRIBUTE_... that can be set");
  }
  gpuarr_raw_release(kernel);
}

/* What no device can do is no fault of the call that sets it. */
static void too_much_shows_at_the_launch(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(reversing, "k");
  gpuarr_array* x = line(GPUARR_F32, 256);
  gpuarr_arg arg = gpuarr_arg_array(x);
  assert_ok(gpuarr_raw_set_attribute(kernel, GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES, 1 << 30));
  for (int round = 0; round < 2; ++round) {
    assert_status(try_launch(kernel, 1, 256, &arg, 1), GPUARR_ERR_ARGUMENT);
    assert_message_has("1073741824");
  }
  assert_ok(gpuarr_raw_set_attribute(kernel, GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES, 4096));
  launch(kernel, 1, 256, &arg, 1);
  gpuarr_raw_release(kernel);
  gpuarr_array_release(x);
}

static void occupancy_is_told(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(reversing, "k");
  int32_t blocks = 0, threads = 0;
  assert_ok(gpuarr_raw_occupancy(&blocks, kernel, 256, 0, device));
  assert_true(blocks >= 1);
  assert_ok(gpuarr_raw_best_block(&threads, kernel, 0, device));
  assert_true(threads >= 32 && threads <= 1024);
  for (int32_t wrong = -1; wrong <= 2000; wrong += wrong < 0 ? 1 : 2000) {
    assert_status(gpuarr_raw_occupancy(&blocks, kernel, wrong, 0, device), GPUARR_ERR_ARGUMENT);
    assert_message_has("gpuarr_raw_occupancy: threads is ");
    assert_message_has("kernel \"k\" can have 1 to 1024 in a block on ");
    assert_int_equal(blocks, 0);
  }
  assert_status(gpuarr_raw_occupancy(&blocks, kernel, 256, 1 << 30, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("shared_bytes is 1073741824");
  assert_status(gpuarr_raw_best_block(&threads, kernel, -1, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_raw_best_block: shared_bytes is -1; kernel \"k\" can have 0 to ");
  gpuarr_raw_release(kernel);
}

static void a_kernel_that_is_not_there(void** state) {
  (void)state;
  int64_t value = 7;
  int32_t count = 7;
  const char* text = "";
  gpuarr_raw* kernel = make_raw("#define K k\n__global__ void K() {}\n", "other");
  assert_status(gpuarr_raw_attribute(&value, kernel, GPUARR_ATTRIBUTE_REGISTERS, device),
                GPUARR_ERR_NOT_FOUND);
  assert_status(gpuarr_raw_occupancy(&count, kernel, 32, 0, device), GPUARR_ERR_NOT_FOUND);
  assert_status(gpuarr_raw_best_block(&count, kernel, 0, device), GPUARR_ERR_NOT_FOUND);
  assert_status(gpuarr_raw_signature(&text, kernel, device), GPUARR_ERR_NOT_FOUND);
  assert_true(value == 0 && count == 0 && text == NULL);
  gpuarr_raw_release(kernel);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_one_is_read),  cmocka_unit_test(what_can_be_set_is_set),
      cmocka_unit_test(others_cannot),     cmocka_unit_test(too_much_shows_at_the_launch),
      cmocka_unit_test(occupancy_is_told), cmocka_unit_test(a_kernel_that_is_not_there),
  };
  return run_suite(tests);
}
