/* Elementwise kernels and calls that must fail, with what they say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "kernels.h"

static gpuarr_device* device;

struct refused {
  const char* in;
  const char* out;
  gpuarr_status status;
  const char* says[3];
};

static const struct refused lists[] = {
    {"", "", GPUARR_ERR_SYNTAX, {"in_params and out_params are both empty"}},
    {" \t\n", "  ", GPUARR_ERR_SYNTAX, {"in_params and out_params are both empty"}},
    {"T x,", "T y", GPUARR_ERR_SYNTAX, {"in_params has an empty item", "TYPE NAME"}},
    {"T x", "T y,", GPUARR_ERR_SYNTAX, {"out_params has an empty item"}},
    {",T x", "T y", GPUARR_ERR_SYNTAX, {"in_params has an empty item"}},
    {"T x,,T z", "T y", GPUARR_ERR_SYNTAX, {"in_params has an empty item"}},
    {",", "", GPUARR_ERR_SYNTAX, {"in_params has an empty item"}},
    {"float32", "T y", GPUARR_ERR_SYNTAX, {"\"float32\"", "lacks a name"}},
    {"T", "T y", GPUARR_ERR_SYNTAX, {"in_params has \"T\"", "lacks a name"}},
    {"raw T", "T y", GPUARR_ERR_SYNTAX, {"\"raw T\"", "lacks a name"}},
    {"raw", "T y", GPUARR_ERR_SYNTAX, {"\"raw\"", "lacks a type and a name"}},
    {"const raw", "T y", GPUARR_ERR_SYNTAX, {"\"const raw\"", "lacks a type and a name"}},
    {"T x, T x", "T y", GPUARR_ERR_SYNTAX, {"in_params", "two parameters called \"x\""}},
    {"T x", "T y, float32 y", GPUARR_ERR_SYNTAX, {"out_params", "two parameters called \"y\""}},
    {"T i", "T y", GPUARR_ERR_SYNTAX, {"\"T i\"", "\"i\" is reserved"}},
    {"T x", "T _y", GPUARR_ERR_SYNTAX, {"out_params", "\"_y\" is reserved", "begin with _"}},
    {"T _ind", "T y", GPUARR_ERR_SYNTAX, {"\"_ind\" is reserved"}},
    {"T class", "T y", GPUARR_ERR_SYNTAX, {"\"class\" is a keyword of C++"}},
    {"T x", "T register", GPUARR_ERR_SYNTAX, {"\"register\" is a keyword of C++"}},
    {"T const", "T y", GPUARR_ERR_SYNTAX, {"\"const\" is a keyword"}},
    {"T int", "T y", GPUARR_ERR_SYNTAX, {"\"int\" is a keyword"}},
    {"T float16", "T y", GPUARR_ERR_SYNTAX, {"\"float16\" is the name of a type"}},
    {"T complex64", "T y", GPUARR_ERR_SYNTAX, {"\"complex64\" is the name of a type"}},
    {"T T", "T y", GPUARR_ERR_SYNTAX, {"\"T\" is both a placeholder and a parameter's name"}},
    {"T x", "T U, U z", GPUARR_ERR_SYNTAX, {"\"U\" is both a placeholder"}},
    {"T 2x", "T y", GPUARR_ERR_SYNTAX, {"\"2x\" is not a name", "letters, digits and _"}},
    {"T x-y", "T y", GPUARR_ERR_SYNTAX, {"\"x-y\" is not a name"}},
    {"T *x", "T y", GPUARR_ERR_SYNTAX, {"\"*x\" is not a name"}},
    {"T x;", "T y", GPUARR_ERR_SYNTAX, {"\"x;\" is not a name"}},
    {"T gr\303\266\303\237e", "T y", GPUARR_ERR_SYNTAX, {"gr\303\266\303\237e", "is not a name"}},
    {"\316\244 x", "T y", GPUARR_ERR_TYPE, {"\"\316\244\" is not a type"}},
    {"\351 x", "T y", GPUARR_ERR_SYNTAX, {"a placeholder is a letter"}},
    {"4 x", "T y", GPUARR_ERR_SYNTAX, {"a placeholder is a letter other than i and n"}},
    {"i x", "T y", GPUARR_ERR_SYNTAX, {"a placeholder is a letter other than i and n"}},
    {"n x", "T y", GPUARR_ERR_SYNTAX, {"a placeholder is a letter other than i and n"}},
    {"_ x", "T y", GPUARR_ERR_SYNTAX, {"a placeholder is a letter"}},
    {"volatile T x", "T y", GPUARR_ERR_SYNTAX, {"\"volatile\"", "only raw and const"}},
    {"T x y", "T z", GPUARR_ERR_SYNTAX, {"\"T x y\"", "is not understood"}},
    {"unsigned int x", "T y", GPUARR_ERR_SYNTAX, {"\"unsigned\" is not understood"}},
    {"T x", "const T y", GPUARR_ERR_SYNTAX, {"\"const T y\"", "an output cannot be const"}},
    {"T x", "raw const T y", GPUARR_ERR_SYNTAX, {"an output cannot be const"}},
    {"T x", "float32 x", GPUARR_ERR_SYNTAX, {"\"x\" is in both lists, as T and as float32"}},
    {"float64 x", "float32 x", GPUARR_ERR_SYNTAX, {"as float64 and as float32"}},
    {"raw T x", "raw T x", GPUARR_ERR_SYNTAX, {"\"x\" is in both lists, so neither can be raw"}},
    {"T x", "raw T x", GPUARR_ERR_SYNTAX, {"so neither can be raw"}},
    {"float128 x",
     "T y",
     GPUARR_ERR_TYPE,
     {"\"float128\" is not a type", "bfloat16", "complex128"}},
    {"Float32 x", "T y", GPUARR_ERR_TYPE, {"\"Float32\" is not a type"}},
    {"TT x", "T y", GPUARR_ERR_TYPE, {"\"TT\" is not a type", "one letter for a placeholder"}},
    {"float x",
     "T y",
     GPUARR_ERR_TYPE,
     {"\"float\" is not the same everywhere", "float32 or float64"}},
    {"int x", "T y", GPUARR_ERR_TYPE, {"\"int\" is not the same", "int32 or int64"}},
    {"long x", "T y", GPUARR_ERR_TYPE, {"\"long\" is not the same", "int32 or int64"}},
    {"T x", "complex y", GPUARR_ERR_TYPE, {"out_params", "complex64 or complex128"}},
    {"double x", "T y", GPUARR_ERR_TYPE, {"\"double\"", "float64"}},
};

static void lists_outside_the_grammar(void** state) {
  (void)state;
  for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
    gpuarr_elementwise* kernel = (gpuarr_elementwise*)(void*)&device; /* to be cleared */
    gpuarr_status status = gpuarr_elementwise_create(&kernel, lists[k].in, lists[k].out, "", NULL);
    if (status != lists[k].status) print_error("\"%s\", \"%s\"\n", lists[k].in, lists[k].out);
    assert_status(status, lists[k].status);
    assert_null(kernel);
    assert_message_has("gpuarr_elementwise_create: ");
    for (int part = 0; part < 3 && lists[k].says[part] != NULL; ++part)
      assert_message_has(lists[k].says[part]);
  }
}

static void blanks_are_free(void** state) {
  (void)state;
  gpuarr_elementwise_release(
      make_elementwise("  T\tx ,\nconst   float32 a", "\r\nraw T y\n", "y[i] = x * a"));
}

static void at_most_32_parameters(void** state) {
  (void)state;
  char many[800] = "";
  for (int k = 0; k < 31; ++k)
    (void)snprintf(many + strlen(many), sizeof many - strlen(many), "%sT x%d", k ? ", " : "", k);
  gpuarr_elementwise_release(make_elementwise(many, "T y", "y = x0 + x30"));
  gpuarr_elementwise* kernel = NULL;
  assert_status(gpuarr_elementwise_create(&kernel, many, "T y, T z", "", NULL), GPUARR_ERR_SYNTAX);
  assert_message_has("33 parameters; at most 32");
}

static void null_where_text_is_needed(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = NULL;
  assert_status(gpuarr_elementwise_create(NULL, "T x", "T y", "", NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  assert_status(gpuarr_elementwise_create(&kernel, NULL, "T y", "", NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("in_params is NULL");
  assert_status(gpuarr_elementwise_create(&kernel, "T x", NULL, "", NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out_params is NULL");
  assert_status(gpuarr_elementwise_create(&kernel, "T x", "T y", NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("body is NULL");
  assert_null(kernel);
  assert_null(gpuarr_elementwise_retain(NULL));
  gpuarr_elementwise_release(NULL);
}

/* What gpuarr_elementwise_call, _prepare and _source refuse alike. */
static void assert_refused(gpuarr_elementwise* kernel, gpuarr_array** outputs, int32_t output_count,
                           const gpuarr_arg* inputs, int32_t input_count, int64_t size,
                           gpuarr_status status, const char* says) {
  gpuarr_call* call = NULL;
  const char* source = "";
  assert_status(
      gpuarr_elementwise_call(kernel, outputs, output_count, inputs, input_count, size, NULL),
      status);
  assert_message_has("gpuarr_elementwise_call: ");
  assert_message_has(says);
  assert_status(
      gpuarr_elementwise_source(&source, kernel, outputs, output_count, inputs, input_count, size),
      status);
  assert_message_has("gpuarr_elementwise_source: ");
  assert_message_has(says);
  assert_null(source);
  for (int32_t k = 0; k < output_count; ++k)
    if (outputs == NULL || outputs[k] == NULL) return; /* a prepared call needs its outputs */
  assert_status(
      gpuarr_elementwise_prepare(&call, kernel, outputs, output_count, inputs, input_count, size),
      status);
  assert_message_has("gpuarr_elementwise_prepare: ");
  assert_message_has(says);
  assert_null(call);
}

static void counts_that_do_not_match(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = make_elementwise("T x, T y", "T z", "z = x + y");
  gpuarr_array* x = line(GPUARR_F32, 3);
  gpuarr_array* outputs[] = {x, NULL};
  gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(x), gpuarr_arg_array(x)};
  const struct {
    int32_t outputs, inputs;
    const char* says;
  } wrong[] = {
      {1, 1, "input_count is 1, but the kernel has 2 input parameters"},
      {1, 3, "input_count is 3, but the kernel has 2 input parameters"},
      {1, 0, "input_count is 0, but"},
      {1, -1, "input_count is -1, but"},
      {1, INT32_MIN, "input_count is -2147483648, but"},
      {0, 2, "output_count is 0, but the kernel has 1 output parameter"},
      {2, 2, "output_count is 2, but the kernel has 1 output parameter"},
      {-1, 2, "output_count is -1, but"},
      {INT32_MAX, 2, "output_count is 2147483647, but"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    gpuarr_call* call = NULL;
    const char* source = NULL;
    assert_status(gpuarr_elementwise_call(kernel, outputs, wrong[k].outputs, inputs,
                                          wrong[k].inputs, GPUARR_NO_SIZE, NULL),
                  GPUARR_ERR_ARGUMENT);
    assert_message_has(wrong[k].says);
    assert_status(gpuarr_elementwise_prepare(&call, kernel, outputs, wrong[k].outputs, inputs,
                                             wrong[k].inputs, GPUARR_NO_SIZE),
                  GPUARR_ERR_ARGUMENT);
    assert_message_has(wrong[k].says);
    assert_status(gpuarr_elementwise_source(&source, kernel, outputs, wrong[k].outputs, inputs,
                                            wrong[k].inputs, GPUARR_NO_SIZE),
                  GPUARR_ERR_ARGUMENT);
    assert_message_has(wrong[k].says);
  }
  gpuarr_array_release(x);
  gpuarr_elementwise_release(kernel);
}

static void null_arguments(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = make_elementwise("T x", "T y", "y = x");
  gpuarr_array* x = line(GPUARR_F32, 3);
  gpuarr_array* out = x;
  gpuarr_arg input = gpuarr_arg_array(x), none = gpuarr_arg_array(NULL), odd = gpuarr_arg_f32(1);
  assert_refused(NULL, &out, 1, &input, 1, GPUARR_NO_SIZE, GPUARR_ERR_ARGUMENT, "kernel is NULL");
  assert_refused(kernel, &out, 1, NULL, 1, GPUARR_NO_SIZE, GPUARR_ERR_ARGUMENT, "inputs is NULL");
  assert_refused(kernel, NULL, 1, &input, 1, GPUARR_NO_SIZE, GPUARR_ERR_ARGUMENT,
                 "outputs is NULL");
  assert_refused(kernel, &out, 1, &none, 1, GPUARR_NO_SIZE, GPUARR_ERR_ARGUMENT,
                 "inputs[0] is neither an array nor a scalar");
  odd.flags = 7;
  assert_refused(kernel, &out, 1, &odd, 1, GPUARR_NO_SIZE, GPUARR_ERR_ARGUMENT,
                 "inputs[0].flags is 7; it must be 0");
  odd.flags = 0;
  odd.dtype = 99;
  assert_refused(kernel, &out, 1, &odd, 1, GPUARR_NO_SIZE, GPUARR_ERR_DTYPE,
                 "inputs[0].dtype is 99");
  assert_status(gpuarr_elementwise_prepare(NULL, kernel, &out, 1, &input, 1, GPUARR_NO_SIZE),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  assert_status(gpuarr_elementwise_source(NULL, kernel, &out, 1, &input, 1, GPUARR_NO_SIZE),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  gpuarr_call* call = NULL;
  out = NULL;
  assert_status(gpuarr_elementwise_prepare(&call, kernel, &out, 1, &input, 1, GPUARR_NO_SIZE),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("outputs[0] is NULL");
  gpuarr_array_release(x);
  gpuarr_elementwise_release(kernel);
}

static void types_that_do_not_match(void** state) {
  (void)state;
  gpuarr_elementwise* same = make_elementwise("T x, T y", "T z", "z = x + y");
  gpuarr_elementwise* fixed = make_elementwise("float64 x, raw int32 k", "U z", "z = x");
  gpuarr_array *f32 = line(GPUARR_F32, 3), *i16 = line(GPUARR_I16, 3), *f64 = line(GPUARR_F64, 3);
  gpuarr_array* out = NULL;
  gpuarr_arg mixed[] = {gpuarr_arg_array(f32), gpuarr_arg_array(i16)};
  assert_refused(same, &out, 1, mixed, 2, GPUARR_NO_SIZE, GPUARR_ERR_DTYPE,
                 "input 1 (\"y\") is int16, but its type is the placeholder T, which "
                 "input 0 (\"x\") says is float32");
  /* A given output decides before the inputs. */
  assert_refused(same, &f64, 1, mixed, 2, GPUARR_NO_SIZE, GPUARR_ERR_DTYPE,
                 "input 0 (\"x\") is float32, but its type is the placeholder T, which "
                 "output 0 (\"z\") says is float64");
  gpuarr_arg wrong[] = {gpuarr_arg_array(f32), gpuarr_arg_array(i16)};
  assert_refused(fixed, &f32, 1, wrong, 2, GPUARR_NO_SIZE, GPUARR_ERR_DTYPE,
                 "input 0 (\"x\") is float32, but its type in the parameter list is float64");
  wrong[0] = gpuarr_arg_array(f64);
  assert_refused(fixed, &f32, 1, wrong, 2, GPUARR_NO_SIZE, GPUARR_ERR_DTYPE,
                 "input 1 (\"k\") is int16, but its type in the parameter list is int32");
  gpuarr_arg loose[] = {gpuarr_arg_array(f64), gpuarr_arg_array(f64)};
  gpuarr_elementwise* unbound = make_elementwise("float64 x, float64 k", "U z, T w", "z = x");
  gpuarr_array* outputs[] = {f32, NULL};
  assert_refused(unbound, outputs, 2, loose, 2, GPUARR_NO_SIZE, GPUARR_ERR_TYPE,
                 "the placeholder T of \"w\"");
  assert_null(out);
  gpuarr_array_release(f32);
  gpuarr_array_release(i16);
  gpuarr_array_release(f64);
  gpuarr_elementwise_release(same);
  gpuarr_elementwise_release(fixed);
  gpuarr_elementwise_release(unbound);
}

static void scalars_out_of_range(void** state) {
  (void)state;
  const struct {
    const char* in;
    gpuarr_arg value;
    const char* says;
  } wrong[] = {
      {"T x, int8 a", gpuarr_arg_i32(128), "a is 128, which int8 cannot hold: it is out of range"},
      {"T x, uint16 a", gpuarr_arg_i8(-1), "a is -1, which uint16 cannot hold: it is out of range"},
      {"T x, int32 a", gpuarr_arg_f32(0.5f), "a is 0.5, which int32 cannot hold"},
      {"T x, float16 a", gpuarr_arg_f64(1e6), "float16 cannot hold: it is out of range"},
      {"T x, T a", gpuarr_arg_f64(1e300), "a is 1e+300, which float32 cannot hold"},
      {"T x, bool a", gpuarr_arg_i32(2), "a is 2, which bool cannot hold: a bool is 0 or 1"},
      {"T x, float64 a", gpuarr_arg_c64(1, -2), "a is 1-2i, which float64 cannot hold"},
      {"T x, complex64 a", gpuarr_arg_c128(1, 1e99), "which complex64 cannot hold"},
  };
  gpuarr_array* x = line(GPUARR_F32, 3);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    gpuarr_elementwise* kernel = make_elementwise(wrong[k].in, "T y", "y = x");
    gpuarr_array* out = NULL;
    gpuarr_arg inputs[] = {gpuarr_arg_array(x), wrong[k].value};
    assert_refused(kernel, &out, 1, inputs, 2, GPUARR_NO_SIZE, GPUARR_ERR_DTYPE, wrong[k].says);
    gpuarr_elementwise_release(kernel);
  }
  gpuarr_array_release(x);
}

static void shapes_that_do_not_match(void** state) {
  (void)state;
  const int64_t s23[] = {2, 3}, s22[] = {2, 2}, s13[] = {1, 3}, s123[] = {1, 2, 3};
  gpuarr_elementwise* kernel = make_elementwise("T x, T y", "T z", "z = x + y");
  gpuarr_array *a23 = zeros(GPUARR_F32, 2, s23), *a22 = zeros(GPUARR_F32, 2, s22);
  gpuarr_array *a13 = zeros(GPUARR_F32, 2, s13), *a123 = zeros(GPUARR_F32, 3, s123), *none = NULL;
  gpuarr_array *empty = line(GPUARR_F32, 0), *three = line(GPUARR_F32, 3);
  gpuarr_arg off[] = {gpuarr_arg_array(a23), gpuarr_arg_array(a22)};
  assert_refused(kernel, &none, 1, off, 2, GPUARR_NO_SIZE, GPUARR_ERR_BROADCAST,
                 "input 1 (\"y\") has shape (2, 2), which does not broadcast with (2, 3)");
  gpuarr_arg vanish[] = {gpuarr_arg_array(three), gpuarr_arg_array(empty)};
  assert_refused(kernel, &none, 1, vanish, 2, GPUARR_NO_SIZE, GPUARR_ERR_BROADCAST,
                 "input 1 (\"y\") has shape (0,)");
  gpuarr_arg fits[] = {gpuarr_arg_array(a23), gpuarr_arg_array(a23)};
  assert_refused(kernel, &a13, 1, fits, 2, GPUARR_NO_SIZE, GPUARR_ERR_SHAPE,
                 "output 0 (\"z\") has shape (1, 3), but the loop's shape is (2, 3)");
  assert_refused(kernel, &a22, 1, fits, 2, GPUARR_NO_SIZE, GPUARR_ERR_BROADCAST,
                 "output 0 (\"z\") has shape (2, 2)");
  /* A larger output makes the loop larger. */
  assert_ok(gpuarr_elementwise_call(kernel, &a123, 1, fits, 2, GPUARR_NO_SIZE, NULL));
  gpuarr_array* all[] = {a23, a22, a13, a123, empty, three};
  for (int k = 0; k < 6; ++k) gpuarr_array_release(all[k]);
  gpuarr_elementwise_release(kernel);
}

static void sizes_that_cannot_be(void** state) {
  (void)state;
  gpuarr_elementwise* loop = make_elementwise("T x", "T y", "y = x");
  gpuarr_elementwise* raw = make_elementwise("raw T x", "raw T y", "y[i] = x[i]");
  gpuarr_elementwise* made = make_elementwise("raw T x", "T y", "y = x[i]");
  gpuarr_array *x = line(GPUARR_F32, 3), *y = line(GPUARR_F32, 3), *none = NULL;
  gpuarr_arg input = gpuarr_arg_array(x), scalar = gpuarr_arg_f32(1);
  assert_refused(loop, &y, 1, &input, 1, 3, GPUARR_ERR_ARGUMENT, "size is 3, but");
  assert_refused(loop, &y, 1, &input, 1, 0, GPUARR_ERR_ARGUMENT, "give GPUARR_NO_SIZE");
  assert_refused(loop, &y, 1, &input, 1, -2, GPUARR_ERR_ARGUMENT, "size is -2, but");
  assert_refused(raw, &y, 1, &input, 1, GPUARR_NO_SIZE, GPUARR_ERR_ARGUMENT,
                 "size is GPUARR_NO_SIZE; it must be given if all arrays are raw");
  assert_refused(raw, &y, 1, &input, 1, -7, GPUARR_ERR_ARGUMENT, "size is -7;");
  assert_refused(loop, &none, 1, &scalar, 1, GPUARR_NO_SIZE, GPUARR_ERR_ARGUMENT,
                 "size is GPUARR_NO_SIZE");
  assert_refused(made, &none, 1, &input, 1, INT64_MAX, GPUARR_ERR_SHAPE, "9223372036854775807");
  assert_refused(raw, &y, 1, &input, 1, INT64_MAX, GPUARR_ERR_SHAPE, "9223372036854775807");
  assert_ok(gpuarr_elementwise_call(raw, &y, 1, &input, 1, 0, NULL));
  assert_null(none);
  gpuarr_array_release(x);
  gpuarr_array_release(y);
  gpuarr_elementwise_release(loop);
  gpuarr_elementwise_release(raw);
  gpuarr_elementwise_release(made);
}

/* Repeated by strides of 0, few elements can ask for more than can be counted. */
static void loops_that_overflow(void** state) {
  (void)state;
  const int64_t tall[] = {INT64_C(1) << 40, 1}, wide[] = {1, INT64_C(1) << 40};
  gpuarr_elementwise* kernel = make_elementwise("T x, T y", "raw T z", "z[0] = x + y");
  gpuarr_array *x = line(GPUARR_F32, 1), *z = line(GPUARR_F32, 1), *xs = NULL, *ys = NULL;
  assert_ok(gpuarr_array_broadcast(&xs, x, 2, tall));
  assert_ok(gpuarr_array_broadcast(&ys, x, 2, wide));
  gpuarr_arg inputs[] = {gpuarr_arg_array(xs), gpuarr_arg_array(ys)};
  assert_refused(kernel, &z, 1, inputs, 2, GPUARR_NO_SIZE, GPUARR_ERR_SHAPE,
                 "(1099511627776, 1099511627776)");
  gpuarr_array_release(x);
  gpuarr_array_release(xs);
  gpuarr_array_release(ys);
  gpuarr_array_release(z);
  gpuarr_elementwise_release(kernel);
}

static void devices_that_do_not_match(void** state) {
  (void)state;
  gpuarr_device* other = NULL;
  if (gpuarr_device_open(&other, test_device_is_host() ? "cuda:0" : "host") != GPUARR_OK) skip();
  const int64_t three = 3;
  gpuarr_elementwise* kernel = make_elementwise("T x", "T y", "y = x");
  gpuarr_array *here = line(GPUARR_F32, 3), *there = NULL;
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_array_zeros(&there, other, GPUARR_F32, 1, &three, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_stream_create(&stream, other, 0, 0));
  gpuarr_arg input = gpuarr_arg_array(here);
  assert_refused(kernel, &there, 1, &input, 1, GPUARR_NO_SIZE, GPUARR_ERR_DEVICE,
                 "output 0 (\"y\") is on ");
  assert_message_has("but input 0 (\"x\") is on ");
  gpuarr_array* none = NULL;
  assert_status(gpuarr_elementwise_call(kernel, &none, 1, &input, 1, GPUARR_NO_SIZE, stream),
                GPUARR_ERR_DEVICE);
  assert_message_has("stream is of ");
  assert_null(none);
  gpuarr_stream_release(stream);
  gpuarr_array_release(here);
  gpuarr_array_release(there);
  gpuarr_elementwise_release(kernel);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_outside_the_grammar), cmocka_unit_test(blanks_are_free),
      cmocka_unit_test(at_most_32_parameters),     cmocka_unit_test(null_where_text_is_needed),
      cmocka_unit_test(counts_that_do_not_match),  cmocka_unit_test(null_arguments),
      cmocka_unit_test(types_that_do_not_match),   cmocka_unit_test(scalars_out_of_range),
      cmocka_unit_test(shapes_that_do_not_match),  cmocka_unit_test(sizes_that_cannot_be),
      cmocka_unit_test(loops_that_overflow),       cmocka_unit_test(devices_that_do_not_match),
  };
  return run_suite(tests);
}
