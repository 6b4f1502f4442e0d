/* Calls of reductions that must fail, with what they say. */
#include "arrays.h"
#include "kernels.h"

/* What _call, _prepare and _source refuse alike. */
struct request {
  gpuarr_reduction* kernel;
  gpuarr_array** outputs;
  int32_t output_count;
  const gpuarr_arg* inputs;
  int32_t input_count;
  const int32_t* axes;
  int32_t axis_count, keepdims;
};

static void assert_refused(const struct request* r, gpuarr_status status, const char* says) {
  gpuarr_call* call = NULL;
  const char* source = "";
  assert_status(gpuarr_reduction_call(r->kernel, r->outputs, r->output_count, r->inputs,
                                      r->input_count, r->axes, r->axis_count, r->keepdims, NULL),
                status);
  assert_message_has("gpuarr_reduction_call: ");
  assert_message_has(says);
  assert_status(gpuarr_reduction_source(&source, r->kernel, r->outputs, r->output_count, r->inputs,
                                        r->input_count, r->axes, r->axis_count, r->keepdims),
                status);
  assert_message_has("gpuarr_reduction_source: ");
  assert_message_has(says);
  assert_null(source);
  for (int32_t k = 0; k < r->output_count; ++k)
    if (r->outputs == NULL || r->outputs[k] == NULL) return; /* a prepared call needs its outputs */
  assert_status(gpuarr_reduction_prepare(&call, r->kernel, r->outputs, r->output_count, r->inputs,
                                         r->input_count, r->axes, r->axis_count, r->keepdims),
                status);
  assert_message_has("gpuarr_reduction_prepare: ");
  assert_message_has(says);
  assert_null(call);
}

/* A request of one missing output along all axes. */
static struct request all_of(gpuarr_reduction* kernel, const gpuarr_arg* inputs, int32_t count) {
  static gpuarr_array* none;
  none = NULL;
  return (struct request){kernel, &none, 1, inputs, count, NULL, GPUARR_ALL_AXES, 0};
}

static void axes_that_are_none(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3, 4};
  const struct {
    int32_t axes[3], axis_count, keepdims;
    gpuarr_status status;
    const char* says;
  } wrong[] = {
      {{3}, 1, 0, GPUARR_ERR_AXIS, "axes[0] is 3"},
      {{0, -4}, 2, 0, GPUARR_ERR_AXIS, "axes[1] is -4"},
      {{INT32_MAX}, 1, 0, GPUARR_ERR_AXIS, "axes[0] is 2147483647"},
      {{INT32_MIN}, 1, 0, GPUARR_ERR_AXIS, "axes[0] is -2147483648"},
      {{1, 1}, 2, 0, GPUARR_ERR_AXIS, "axes[1] is 1, which is given twice; name each axis once"},
      {{2, 0, -1}, 3, 0, GPUARR_ERR_AXIS, "axes[2] is -1, which is given twice"},
      {{0},
       -2,
       0,
       GPUARR_ERR_ARGUMENT,
       "axis_count is -2; give a number of axes, or GPUARR_ALL_AXES (-1)"},
      {{0}, INT32_MIN, 0, GPUARR_ERR_ARGUMENT, "axis_count is -2147483648"},
      {{0}, 1, 2, GPUARR_ERR_ARGUMENT, "keepdims is 2; give 1 or 0"},
      {{0}, -1, -1, GPUARR_ERR_ARGUMENT, "keepdims is -1; give 1 or 0"},
  };
  gpuarr_reduction* kernel = make_fold("a + b", "0");
  gpuarr_array* x = zeros(GPUARR_F32, 3, shape);
  gpuarr_arg input = gpuarr_arg_array(x);
  struct request r = all_of(kernel, &input, 1);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    r.axes = wrong[k].axes;
    r.axis_count = wrong[k].axis_count;
    r.keepdims = wrong[k].keepdims;
    assert_refused(&r, wrong[k].status, wrong[k].says);
    assert_null(r.outputs[0]);
  }
  r.axes = NULL;
  r.axis_count = 1;
  r.keepdims = 0;
  assert_refused(&r, GPUARR_ERR_ARGUMENT,
                 "axes is NULL, but axis_count is 1; give 1 axes, or axis_count 0");
  gpuarr_array_release(x);
  gpuarr_reduction_release(kernel);
}

static void counts_and_null(void** state) {
  (void)state;
  gpuarr_reduction* kernel = make_reduction(&(struct reduction_texts){
      .in = "T x, T y", .out = "T z", .map = "x * y", .reduce = "a + b", .post = "z = a"});
  gpuarr_array *x = line(GPUARR_F32, 3), *out = zeros(GPUARR_F32, 0, NULL);
  gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(x), gpuarr_arg_array(NULL)};
  struct request r = {kernel, &out, 1, inputs, 1, NULL, GPUARR_ALL_AXES, 0};
  assert_refused(&r, GPUARR_ERR_ARGUMENT,
                 "input_count is 1, but the kernel has 2 input parameters");
  r.input_count = 2;
  r.output_count = 0;
  assert_refused(&r, GPUARR_ERR_ARGUMENT,
                 "output_count is 0, but the kernel has 1 output parameter");
  r.output_count = 1;
  r.kernel = NULL;
  assert_refused(&r, GPUARR_ERR_ARGUMENT, "kernel is NULL");
  r.kernel = kernel;
  r.inputs = NULL;
  assert_refused(&r, GPUARR_ERR_ARGUMENT, "inputs is NULL");
  r.inputs = inputs + 1;
  assert_refused(&r, GPUARR_ERR_ARGUMENT, "inputs[1] is neither an array nor a scalar");
  r.inputs = inputs;
  r.outputs = NULL;
  assert_refused(&r, GPUARR_ERR_ARGUMENT, "outputs is NULL");
  const char* source = NULL;
  assert_status(gpuarr_reduction_prepare(NULL, kernel, &out, 1, inputs, 2, NULL, 0, 0),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  assert_status(gpuarr_reduction_source(NULL, kernel, &out, 1, inputs, 2, NULL, 0, 0),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  assert_null(source);
  gpuarr_call* call = NULL;
  gpuarr_array* none = NULL;
  assert_status(gpuarr_reduction_prepare(&call, kernel, &none, 1, inputs, 2, NULL, 0, 0),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("outputs[0] is NULL; a prepared call needs all its outputs");
  gpuarr_array_release(x);
  gpuarr_array_release(out);
  gpuarr_reduction_release(kernel);
}

static void types_that_do_not_match(void** state) {
  (void)state;
  gpuarr_reduction* same = make_reduction(&(struct reduction_texts){
      .in = "T x, T y", .out = "T z", .map = "x * y", .reduce = "a + b", .post = "z = a"});
  gpuarr_array *f32 = line(GPUARR_F32, 3), *i16 = line(GPUARR_I16, 3);
  gpuarr_array* f64 = zeros(GPUARR_F64, 0, NULL);
  gpuarr_arg inputs[] = {gpuarr_arg_array(f32), gpuarr_arg_array(i16)};
  struct request r = all_of(same, inputs, 2);
  assert_refused(&r, GPUARR_ERR_DTYPE,
                 "input 1 (\"y\") is int16, but its type is the placeholder T, which "
                 "input 0 (\"x\") says is float32");
  assert_null(r.outputs[0]);
  inputs[1] = gpuarr_arg_array(f32);
  r.outputs = &f64;
  assert_refused(&r, GPUARR_ERR_DTYPE,
                 "input 0 (\"x\") is float32, but its type is the placeholder T, which "
                 "output 0 (\"z\") says is float64");
  gpuarr_reduction* loose = make_reduction(&(struct reduction_texts){
      .in = "T x, int8 k", .out = "U z", .map = "x * k", .reduce = "a + b", .post = "z = a"});
  inputs[1] = gpuarr_arg_i32(1);
  r = all_of(loose, inputs, 2);
  assert_refused(&r, GPUARR_ERR_TYPE, "nothing determines the placeholder U of \"z\"");
  inputs[1] = gpuarr_arg_i32(128);
  r.outputs = &f64;
  assert_refused(&r, GPUARR_ERR_DTYPE, "k is 128, which int8 cannot hold: it is out of range");
  inputs[0] = gpuarr_arg_f32(1);
  inputs[1] = gpuarr_arg_i32(1);
  assert_refused(&r, GPUARR_ERR_ARGUMENT, "none of the inputs is an array that is not raw");
  gpuarr_array_release(f32);
  gpuarr_array_release(i16);
  gpuarr_array_release(f64);
  gpuarr_reduction_release(same);
  gpuarr_reduction_release(loose);
}

/* An output has just the results' shape: it is not broadcast, nor are the inputs to it. */
static void shapes_that_do_not_match(void** state) {
  (void)state;
  const int64_t s23[] = {2, 3}, s13[] = {1, 3}, s11[] = {1, 1};
  gpuarr_reduction* kernel = make_fold("a + b", "0");
  gpuarr_array *x = zeros(GPUARR_F32, 2, s23), *row = line(GPUARR_F32, 3);
  gpuarr_array *kept = zeros(GPUARR_F32, 2, s13), *one = zeros(GPUARR_F32, 0, NULL);
  gpuarr_array* ones = zeros(GPUARR_F32, 2, s11);
  gpuarr_arg input = gpuarr_arg_array(x);
  const int32_t first = 0;
  const struct {
    gpuarr_array* out;
    int32_t axis_count, keepdims;
    const char* says;
  } wrong[] = {
      {kept, 1, 0, "output 0 (\"y\") has shape (1, 3), but the results' shape is (3,)"},
      {row, 1, 1, "output 0 (\"y\") has shape (3,), but the results' shape is (1, 3)"},
      {one, 1, 0, "output 0 (\"y\") has shape (), but the results' shape is (3,)"},
      {row, -1, 0, "output 0 (\"y\") has shape (3,), but the results' shape is ()"},
      {one, -1, 1, "output 0 (\"y\") has shape (), but the results' shape is (1, 1)"},
      {ones, -1, 0, "output 0 (\"y\") has shape (1, 1), but the results' shape is ()"},
      {row, 0, 0, "output 0 (\"y\") has shape (3,), but the results' shape is (2, 3)"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    gpuarr_array* out = wrong[k].out;
    struct request r = {kernel, &out, 1, &input, 1, &first, wrong[k].axis_count, wrong[k].keepdims};
    assert_refused(&r, GPUARR_ERR_SHAPE, wrong[k].says);
  }
  gpuarr_array* all[] = {x, row, kept, one, ones};
  for (int k = 0; k < 5; ++k) gpuarr_array_release(all[k]);
  gpuarr_reduction_release(kernel);
}

static void inputs_that_do_not_broadcast(void** state) {
  (void)state;
  const int64_t s23[] = {2, 3}, s22[] = {2, 2};
  gpuarr_reduction* kernel = make_reduction(&(struct reduction_texts){
      .in = "T x, T y", .out = "T z", .map = "x * y", .reduce = "a + b", .post = "z = a"});
  gpuarr_array *a23 = zeros(GPUARR_F32, 2, s23), *a22 = zeros(GPUARR_F32, 2, s22);
  gpuarr_arg inputs[] = {gpuarr_arg_array(a23), gpuarr_arg_array(a22)};
  struct request r = all_of(kernel, inputs, 2);
  assert_refused(&r, GPUARR_ERR_BROADCAST,
                 "input 1 (\"y\") has shape (2, 2), which does not broadcast with (2, 3)");
  assert_null(r.outputs[0]);
  gpuarr_array_release(a23);
  gpuarr_array_release(a22);
  gpuarr_reduction_release(kernel);
}

static void no_elements_and_no_identity(void** state) {
  (void)state;
  const int64_t shape[] = {2, 0, 3};
  gpuarr_reduction *bare = make_fold("a + b", NULL), *fine = make_fold("a + b", "0");
  gpuarr_array *x = zeros(GPUARR_F32, 3, shape), *one = zeros(GPUARR_F32, 0, NULL);
  gpuarr_arg input = gpuarr_arg_array(x);
  struct request r = all_of(bare, &input, 1);
  assert_refused(&r, GPUARR_ERR_EMPTY,
                 "zero-size array to reduction operation reduction which has no identity (inputs "
                 "of shape (2, 0, 3)); give it an identity, or elements");
  assert_null(r.outputs[0]);
  r.outputs = &one;
  assert_refused(&r, GPUARR_ERR_EMPTY, "has no identity");
  r.kernel = fine;
  assert_ok(gpuarr_reduction_call(fine, &one, 1, &input, 1, NULL, GPUARR_ALL_AXES, 0, NULL));
  gpuarr_array_release(x);
  gpuarr_array_release(one);
  gpuarr_reduction_release(bare);
  gpuarr_reduction_release(fine);
}

static void outputs_that_share_memory(void** state) {
  (void)state;
  const int64_t shape[] = {4, 4}, four = 4;
  gpuarr_reduction* kernel = make_reduction(&(struct reduction_texts){
      .in = "T x", .out = "T y, T z", .map = "x", .reduce = "a + b", .post = "y = z = a"});
  gpuarr_array *x = zeros(GPUARR_F32, 2, shape), *free = line(GPUARR_F32, 4);
  gpuarr_array *row = NULL, *one = line(GPUARR_F32, 1), *same = NULL;
  assert_ok(gpuarr_array_select(&row, x, 0, 3));
  assert_ok(gpuarr_array_broadcast(&same, one, 1, &four));
  gpuarr_arg input = gpuarr_arg_array(x);
  const int32_t last = -1;
  gpuarr_array* outputs[] = {free, row};
  struct request r = {kernel, outputs, 2, &input, 1, &last, 1, 0};
  assert_refused(&r, GPUARR_ERR_OVERLAP,
                 "output 1 (\"z\") shares memory with input 0 (\"x\"); give it memory of its own");
  outputs[1] = free;
  assert_refused(&r, GPUARR_ERR_OVERLAP,
                 "output 1 (\"z\") shares memory with output 0 (\"y\"); give it memory of its own");
  outputs[1] = same;
  assert_refused(&r, GPUARR_ERR_OVERLAP,
                 "output 1 (\"z\") has elements that share memory (shape (4,), strides (0,))");
  gpuarr_array* all[] = {x, free, row, one, same};
  for (int k = 0; k < 5; ++k) gpuarr_array_release(all[k]);
  gpuarr_reduction_release(kernel);
}

static void devices_that_do_not_match(void** state) {
  (void)state;
  gpuarr_device* other = NULL;
  if (gpuarr_device_open(&other, test_device_is_host() ? "cuda:0" : "host") != GPUARR_OK) skip();
  gpuarr_reduction* kernel = make_fold("a + b", "0");
  gpuarr_array *here = line(GPUARR_F32, 3), *there = NULL, *none = NULL;
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_array_zeros(&there, other, GPUARR_F32, 0, NULL, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_stream_create(&stream, other, 0, 0));
  gpuarr_arg input = gpuarr_arg_array(here);
  struct request r = {kernel, &there, 1, &input, 1, NULL, GPUARR_ALL_AXES, 0};
  assert_refused(&r, GPUARR_ERR_DEVICE, "output 0 (\"y\") is on ");
  assert_message_has("but input 0 (\"x\") is on ");
  assert_status(gpuarr_reduction_call(kernel, &none, 1, &input, 1, NULL, -1, 0, stream),
                GPUARR_ERR_DEVICE);
  assert_message_has("stream is of ");
  assert_null(none);
  gpuarr_stream_release(stream);
  gpuarr_array_release(here);
  gpuarr_array_release(there);
  gpuarr_reduction_release(kernel);
}

int main(void) {
  open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(axes_that_are_none),           cmocka_unit_test(counts_and_null),
      cmocka_unit_test(types_that_do_not_match),      cmocka_unit_test(shapes_that_do_not_match),
      cmocka_unit_test(inputs_that_do_not_broadcast), cmocka_unit_test(no_elements_and_no_identity),
      cmocka_unit_test(outputs_that_share_memory),    cmocka_unit_test(devices_that_do_not_match),
  };
  return run_suite(tests);
}
