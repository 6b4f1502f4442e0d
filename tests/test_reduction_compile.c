/* Reductions whose texts cannot be, or do not compile, and where the message says so; texts that
 * are odd and do compile. */
#include <stdio.h>
#include <string.h>

#include "arrays.h"
#include "kernels.h"

static gpuarr_device* device;

/* What gpuarr_reduction_create refuses. */

static void texts_that_are_none(void** state) {
  (void)state;
  const struct {
    const char *in, *out, *map, *reduce, *post, *identity;
    gpuarr_status status;
    const char* says;
  } wrong[] = {
      {"T x,", "T y", "x", "a", "y = a", NULL, GPUARR_ERR_SYNTAX, "in_params has an empty item"},
      {"T i", "T y", "i", "a", "y = a", NULL, GPUARR_ERR_SYNTAX, "\"i\" is reserved"},
      {"T _J", "T y", "_J", "a", "y = a", NULL, GPUARR_ERR_SYNTAX, "\"_J\" is reserved"},
      {"float x", "T y", "x", "a", "y = a", NULL, GPUARR_ERR_TYPE,
       "\"float\" is not the same everywhere"},
      {"", "int8 y", "1", "a", "y = a", NULL, GPUARR_ERR_SYNTAX,
       "in_params has no parameter that is not raw; a reduction takes its shape from one"},
      {"raw T x, raw T z", "T y", "1", "a", "y = a", NULL, GPUARR_ERR_SYNTAX,
       "in_params has no parameter that is not raw"},
      {"T x", "", "x", "a", "", NULL, GPUARR_ERR_SYNTAX,
       "out_params is empty; name at least one output"},
      {"T x", "T y, raw T z", "x", "a", "y = a", NULL, GPUARR_ERR_SYNTAX,
       "out_params has \"z\", which is raw; a reduction's outputs cannot be"},
      {"T y, T x", "T x", "x", "a", "x = a", NULL, GPUARR_ERR_SYNTAX,
       "\"x\" is in both lists; give the output a name of its own"},
      {"T x", "T a", "x", "a", "a = a", NULL, GPUARR_ERR_SYNTAX,
       "out_params has \"a\", which is the reduced value in post; give the output another name"},
      {"T x", "T y", "", "a", "y = a", NULL, GPUARR_ERR_ARGUMENT,
       "map is \"\"; give an expression"},
      {"T x", "T y", " \n;", "a", "y = a", NULL, GPUARR_ERR_ARGUMENT,
       "map is \" \n;\"; give an expression"},
      {"T x", "T y", "x", "", "y = a", NULL, GPUARR_ERR_ARGUMENT,
       "reduce is \"\"; give an expression"},
      {"T x", "T y, T z", "x", "a", ";", NULL, GPUARR_ERR_ARGUMENT,
       "post is \";\", which sets a single output, and there are 2"},
      {"T x", "T y", "x", "a", "y = a", "\t", GPUARR_ERR_ARGUMENT,
       "identity is \"\t\"; give an expression"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    gpuarr_reduction* kernel = (gpuarr_reduction*)(void*)&device; /* to be cleared */
    assert_status(gpuarr_reduction_create(&kernel, wrong[k].in, wrong[k].out, wrong[k].map,
                                          wrong[k].reduce, wrong[k].post, wrong[k].identity, NULL),
                  wrong[k].status);
    assert_null(kernel);
    assert_message_has("gpuarr_reduction_create: ");
    assert_message_has(wrong[k].says);
  }
}

static void null_where_text_is_needed(void** state) {
  (void)state;
  gpuarr_reduction* kernel = NULL;
  assert_status(gpuarr_reduction_create(NULL, "T x", "T y", "x", "a + b", "y = a", NULL, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  const char* const names[] = {"in_params", "out_params", "map", "reduce", "post"};
  for (int k = 0; k < 5; ++k) {
    const char* texts[] = {"T x", "T y", "x", "a + b", "y = a"};
    texts[k] = NULL;
    assert_status(gpuarr_reduction_create(&kernel, texts[0], texts[1], texts[2], texts[3], texts[4],
                                          "0", NULL),
                  GPUARR_ERR_ARGUMENT);
    assert_message_has(names[k]);
    assert_message_has(" is NULL");
    assert_null(kernel);
  }
  assert_null(gpuarr_reduction_retain(NULL));
  gpuarr_reduction_release(NULL);
}

static void options_of_loops(void** state) {
  (void)state;
  for (int after = 0; after < 2; ++after) {
    gpuarr_kernel_options* options = NULL;
    gpuarr_reduction* kernel = NULL;
    assert_ok(gpuarr_kernel_options_create(&options));
    if (after)
      assert_ok(gpuarr_kernel_options_set_after_loop(options, "int k;"));
    else
      assert_ok(gpuarr_kernel_options_set_loop_prep(options, "int k;"));
    assert_status(
        gpuarr_reduction_create(&kernel, "T x", "T y", "x", "a + b", "y = a", NULL, options),
        GPUARR_ERR_ARGUMENT);
    assert_message_has("options has a loop_prep or an after_loop; a reduction has no place for");
    assert_null(kernel);
    gpuarr_kernel_options_release(options);
  }
}

static void options_that_are_none(void** state) {
  (void)state;
  gpuarr_kernel_options* options = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_status(gpuarr_kernel_options_set_commutative(options, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("commutative is 2; give 1 or 0");
  assert_status(gpuarr_kernel_options_set_commutative(options, -1), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_kernel_options_set_commutative(NULL, 1), GPUARR_ERR_ARGUMENT);
  assert_message_has("options is NULL");
  assert_status(gpuarr_kernel_options_set_reduce_type(options, " "), GPUARR_ERR_ARGUMENT);
  assert_message_has("type is \" \"; give the name of a type");
  assert_status(gpuarr_kernel_options_set_reduce_type(options, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("type is NULL");
  assert_status(gpuarr_kernel_options_set_reduce_type(NULL, "float32"), GPUARR_ERR_ARGUMENT);
  gpuarr_kernel_options_release(options);
}

/* Texts that do not compile. Where a text is not set, it is that of a sum. */

static gpuarr_reduction* make(struct reduction_texts t) {
  t.in = "T x";
  t.out = "T y";
  if (t.map == NULL) t.map = "x";
  if (t.reduce == NULL) t.reduce = "a + b";
  if (t.post == NULL) t.post = "y = a";
  return make_reduction(&t);
}

static void assert_explained(struct reduction_texts texts, const char* says) {
  gpuarr_reduction* kernel = make(texts);
  gpuarr_array *x = ramp(GPUARR_F32, 5), *out = NULL;
  gpuarr_arg input = gpuarr_arg_array(x);
  assert_status(gpuarr_reduction_call(kernel, &out, 1, &input, 1, NULL, GPUARR_ALL_AXES, 0, NULL),
                GPUARR_ERR_COMPILE);
  assert_null(out);
  assert_message_has("gpuarr_reduction_call: ");
  assert_message_has("kernel \"reduction\" (float32 x -> float32 y) does not compile on ");
  assert_message_has(says);
  assert_null(strstr(gpuarr_last_error(), "The compiler said")); /* nothing but the user's lines */
  gpuarr_array_release(x);
  gpuarr_reduction_release(kernel);
}

static void each_text_has_its_own_lines(void** state) {
  (void)state;
  assert_explained((struct reduction_texts){.map = "x * q1"}, "\nmap, line 1, column 5: ");
  assert_message_has("q1");
  assert_message_has("\n    1 | x * q1\n      |     ^");
  assert_explained((struct reduction_texts){.reduce = "a +\n b * q2"},
                   "\nreduce, line 2, column 6: ");
  assert_message_has("\n    2 |  b * q2\n      |      ^");
  assert_explained((struct reduction_texts){.post = "float z = a;\ny = z + q3;"},
                   "\npost, line 2, column 9: ");
  assert_message_has("\n    2 | y = z + q3;\n");
  assert_explained((struct reduction_texts){.identity = "q4"}, "\nidentity, line 1, column 1: ");
  assert_message_has("\n    1 | q4\n      | ^");
  assert_explained((struct reduction_texts){.preamble = "\n__device__ float f() { return q5; }"},
                   "\npreamble, line 2, column 31: ");
}

static void what_is_missing_at_the_end(void** state) {
  (void)state;
  assert_explained((struct reduction_texts){.map = "x +"}, "\nmap, line 1, column 4: expected ");
  assert_explained((struct reduction_texts){.map = "x * (1"}, "\nmap, line 1, column 7: expected ");
  assert_explained((struct reduction_texts){.reduce = "a + (b\n"}, "\nreduce, line ");
  assert_explained((struct reduction_texts){.identity = "0 -"},
                   "\nidentity, line 1, column 4: expected ");
  assert_explained((struct reduction_texts){.post = "y = a;\ny = (a"},
                   "\npost, line 2, column 7: expected ");
  assert_explained((struct reduction_texts){.post = "if (a > 0) { y = a;"},
                   "\npost, line 1, column 12: this { is not closed");
  assert_explained((struct reduction_texts){.reduce = "a + b)"}, "\nreduce, line 1, column 6: ");
}

/* What one of them gives must suit the others. */
static void texts_that_do_not_suit(void** state) {
  (void)state;
  assert_explained((struct reduction_texts){.map = "\"x\""}, "\nmap, line 1, column 1: ");
  assert_explained((struct reduction_texts){.reduce = "\"a\""}, "\nreduce, line 1, column 1: ");
  assert_explained((struct reduction_texts){.identity = "\"0\""}, "\nidentity, line 1, column 1: ");
  assert_explained((struct reduction_texts){.reduce = "a + x"}, "\nreduce, line 1, column 5: ");
  assert_explained((struct reduction_texts){.map = "x + y"}, "\nmap, line 1, column 5: ");
  assert_explained((struct reduction_texts){.post = "y = a + b"}, "\npost, line 1, column 9: ");
  assert_explained((struct reduction_texts){.post = "y = x"}, "\npost, line 1, column 5: ");
}

static void reduce_types_that_cannot_be(void** state) {
  (void)state;
  assert_explained((struct reduction_texts){.reduce_type = "nothing"},
                   "\nreduce_type, line 1, column 1: ");
  assert_explained((struct reduction_texts){.reduce_type = "U"},
                   "\nreduce_type, line 1, column 1: ");
  assert_explained((struct reduction_texts){.reduce_type = "float32 +"}, "\nreduce_type, line 1");
  const struct {
    const char *members, *says;
  } wrong[] = {
      {"float v[17]; S() = default; __device__ S(float x) {}",
       "a reduce_type has at most 64 bytes"},
      {"float v; S() = default; __device__ S(float x) : v(x) {}\n"
       "__device__ S(const S& from) : v(from.v) {}",
       "a reduce_type must be trivially copyable"},
      {"float v; __device__ S(float x) : v(x) {}", "a reduce_type must have a default constructor"},
      {"const float v; __device__ S(float x = 0) : v(x) {}", "a reduce_type must be assignable"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    char preamble[200];
    (void)snprintf(preamble, sizeof preamble, "struct S { %s };", wrong[k].members);
    assert_explained(
        (struct reduction_texts){
            .preamble = preamble, .reduce_type = "S", .reduce = "a", .post = "y = 0"},
        wrong[k].says);
    assert_message_has("\nreduce_type, line 1");
    assert_message_has("\n    1 | S");
  }
  assert_explained((struct reduction_texts){.reduce_type = "const float"}, "must be assignable");
  assert_explained((struct reduction_texts){.reduce_type = "float&"}, "must be trivially copyable");
  assert_explained((struct reduction_texts){.reduce_type = "void"}, "must be trivially copyable");
  assert_explained((struct reduction_texts){.preamble = "struct S { float v; };",
                                            .reduce_type = "S",
                                            .reduce = "a",
                                            .post = "y = a.v"},
                   "\nmap, line 1, column 1: ");
}

/* Texts that compile: of 0 ... 4 they make 10. */

static void assert_computes(struct reduction_texts texts) {
  gpuarr_reduction* kernel = make(texts);
  gpuarr_array* x = ramp(GPUARR_F32, 5);
  gpuarr_arg input = gpuarr_arg_array(x);
  gpuarr_array* out = reduce_all(kernel, &input, 1);
  assert_close(value_of(out), 10, 0);
  gpuarr_array_release(x);
  gpuarr_array_release(out);
  gpuarr_reduction_release(kernel);
}

static void texts_may_end_in_anything(void** state) {
  (void)state;
  assert_computes((struct reduction_texts){.map = "x // all",
                                           .reduce = "a + b // both",
                                           .post = "y = a // done",
                                           .identity = "0 // none"});
  assert_computes((struct reduction_texts){
      .map = "x /* all */;", .reduce = "a + b;\n", .post = "y = a;\r\n", .identity = "0;"});
  assert_computes((struct reduction_texts){.map = "x \\",
                                           .reduce = "a \\\n + b \\",
                                           .post = "y = a; // done \\",
                                           .identity = "0 \\",
                                           .reduce_type = "float32 // wide",
                                           .preamble = "// nothing \\"});
  assert_computes((struct reduction_texts){.map = "\n x", .post = "if (true) { y = a; }"});
}

static void texts_may_hold_anything(void** state) {
  (void)state;
  assert_computes((struct reduction_texts){.map = "x > 3 ? x : x", .reduce = "(a, b), a + b"});
  assert_computes((struct reduction_texts){.map = "[&] { float s = 0; for (int k = 0; k < 2; ++k) "
                                                  "s += x; return s / 2; }()"});
  assert_computes((struct reduction_texts){
      .post = "float s = 0;\nfor (int k = 0; k < 10; ++k) s += a / 10;\ny = rint(s);"});
  assert_computes((struct reduction_texts){.post = "y = 0; if (a < 0) return; y = a;"});
  assert_computes((struct reduction_texts){.map = "TIMES_K(x)",
                                           .post = "y = a / K",
                                           .preamble = "#define TIMES_K(v) ((v) * K)",
                                           .option = "-DK=3"});
  assert_computes((struct reduction_texts){.map = "x + (WHERE - WHERE)",
                                           .post = "y = a + PLACE",
                                           .preamble = "#define WHERE _in_ind.get()[0]\n"
                                                       "#define PLACE (_out_ind.size() - 1)"});
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_that_are_none),
      cmocka_unit_test(null_where_text_is_needed),
      cmocka_unit_test(options_of_loops),
      cmocka_unit_test(options_that_are_none),
      cmocka_unit_test(each_text_has_its_own_lines),
      cmocka_unit_test(what_is_missing_at_the_end),
      cmocka_unit_test(texts_that_do_not_suit),
      cmocka_unit_test(reduce_types_that_cannot_be),
      cmocka_unit_test(texts_may_end_in_anything),
      cmocka_unit_test(texts_may_hold_anything),
  };
  return run_suite(tests);
}
