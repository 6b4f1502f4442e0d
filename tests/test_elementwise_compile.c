/* Bodies that do not compile, and where the message says so; bodies that are odd and do compile. */
#include <stdio.h>
#include <string.h>

#include "arrays.h"

static gpuarr_device* device;

struct pieces {
  const char *preamble, *loop_prep, *body, *after_loop, *option;
};

static gpuarr_elementwise* make(const char* in, const char* out, struct pieces pieces) {
  gpuarr_kernel_options* options = NULL;
  gpuarr_elementwise* kernel = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  if (pieces.preamble != NULL)
    assert_ok(gpuarr_kernel_options_set_preamble(options, pieces.preamble));
  if (pieces.loop_prep != NULL)
    assert_ok(gpuarr_kernel_options_set_loop_prep(options, pieces.loop_prep));
  if (pieces.after_loop != NULL)
    assert_ok(gpuarr_kernel_options_set_after_loop(options, pieces.after_loop));
  if (pieces.option != NULL) assert_ok(gpuarr_kernel_options_add(options, pieces.option));
  assert_ok(gpuarr_elementwise_create(&kernel, in, out, pieces.body, options));
  gpuarr_kernel_options_release(options);
  return kernel;
}

/* Compiles "float32 x" -> "float32 y" and expects the message to have all parts. */
static void assert_explained(struct pieces pieces, const char* const* says) {
  gpuarr_elementwise* kernel = make("T x", "T y", pieces);
  gpuarr_array *x = ramp(GPUARR_F32, 3), *out = NULL;
  gpuarr_arg input = gpuarr_arg_array(x);
  assert_status(gpuarr_elementwise_call(kernel, &out, 1, &input, 1, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_COMPILE);
  assert_null(out);
  assert_message_has("kernel \"elementwise\" (float32 x -> float32 y) does not compile on ");
  for (; *says != NULL; ++says) assert_message_has(*says);
  gpuarr_array_release(x);
  gpuarr_elementwise_release(kernel);
}

#define EXPLAINED(pieces, ...) assert_explained(pieces, (const char* const[]){__VA_ARGS__, NULL})
#define PIECES(...) \
  (struct pieces) { __VA_ARGS__ }

static void each_piece_has_its_own_lines(void** state) {
  (void)state;
  EXPLAINED(PIECES(.body = "y = x + q1;"), "\nbody, line 1, column 9: ", "q1",
            "\n    1 | y = x + q1;\n      |         ^");
  EXPLAINED(PIECES(.body = "y = x;", .preamble = "\n__device__ float f() { return q2; }"),
            "\npreamble, line 2, column 31: ", "q2");
  EXPLAINED(PIECES(.body = "y = x;", .loop_prep = "int k = q3;"),
            "\nloop_prep, line 1, column 9: ", "q3");
  EXPLAINED(PIECES(.body = "y = x;", .after_loop = "\n\n(void)q4;"),
            "\nafter_loop, line 3, column 7: ", "    3 | (void)q4;");
}

static void the_line_among_several(void** state) {
  (void)state;
  EXPLAINED(PIECES(.body = "float a = x;\nfloat b = a;\nfloat c = b + q;\na = c;\ny = a;"),
            "\nbody, line 3, column 15: ", "    3 | float c = b + q;\n      |               ^");
  EXPLAINED(PIECES(.body = "y = p1;\ny = x;\ny = p2;"),
            "\nbody, line 1, column 5: ", "\nbody, line 3, column 5: ");
  EXPLAINED(PIECES(.body = "y = p1;", .preamble = "float f() { return p2; }"),
            "\nbody, line 1, column 5: ", "\npreamble, line 1, column 20: ");
}

/* A tab counts as one column, and stays one in the line below. */
static void tabs_keep_their_place(void** state) {
  (void)state;
  EXPLAINED(PIECES(.body = "\ty =\tq;"),
            "\nbody, line 1, column 6: ", "    1 | \ty =\tq;\n      | \t   \t^");
}

static void what_is_missing_at_the_end(void** state) {
  (void)state;
  EXPLAINED(PIECES(.body = "if (x > 0) {\n  y = x;"),
            "\nbody, line 1, column 12: this { is not closed\n    1 | if (x > 0) {\n");
  EXPLAINED(PIECES(.body = "y = x;\nif (x > 0) y = (x"), "\nbody, line 2, column ");
  EXPLAINED(PIECES(.body = "y = x; /* no end"), "\nbody, line 1");
  EXPLAINED(PIECES(.body = "y = x;\n}"), "\nbody, line 2, column 1: this } closes nothing");
  EXPLAINED(PIECES(.body = "y = x;", .preamble = "\nstruct point {"),
            "\npreamble, line 2, column 14: this { is not closed");
  EXPLAINED(PIECES(.body = "y = x;", .loop_prep = "{ // }\n\"}\"; '}'; 1'0; R\"(}\")\"; /* } */"),
            "\nloop_prep, line 1, column 1: this { is not closed");
  EXPLAINED(PIECES(.body = "y = x;", .after_loop = "if (n > 0) { f(1]; }"), "\nafter_loop, line 1");
}

/* Lines that the user numbers are shown as the compiler has them. */
static void line_directives_do_no_harm(void** state) {
  (void)state;
  EXPLAINED(PIECES(.body = "#line 70 \"mine.cu\"\ny = q;"), "mine.cu", "70", "q");
  EXPLAINED(PIECES(.body = "#line 7000\ny = q;"), "q");
  EXPLAINED(PIECES(.body = "#line 0\ny = q;"), "q");
  EXPLAINED(PIECES(.body = "#error \"stop here\"\ny = x;"), "\nbody, line 1", "stop here");
}

static void a_body_returns_nothing(void** state) {
  (void)state;
  EXPLAINED(PIECES(.body = "y = x;\nreturn 7;"), "\nbody, line 2, column ");
}

/* Neither by an atomic operation, of a raw input or of one element, nor by storing. */
static void inputs_cannot_be_changed(void** state) {
  (void)state;
  EXPLAINED(PIECES(.body = "atomicAdd(&x, T(1));"),
            "atomicAdd through a pointer to const: an input cannot be changed; make it an output");
  EXPLAINED(PIECES(.body = "x = 1;"), "\nbody, line 1, column ");
  const char* const bodies[] = {"atomicAdd(&h[i % 2], 1)", "atomicExch(h.data(), y)", "h[i] = 1"};
  for (int k = 0; k < 3; ++k) {
    gpuarr_elementwise* kernel = make("raw T h", "float64 y", PIECES(.body = bodies[k]));
    gpuarr_array *h = ramp(GPUARR_F64, 3), *out = NULL;
    gpuarr_arg input = gpuarr_arg_array(h);
    assert_status(gpuarr_elementwise_call(kernel, &out, 1, &input, 1, 3, NULL), GPUARR_ERR_COMPILE);
    if (k < 2) assert_message_has(" through a pointer to const: an input cannot be changed");
    gpuarr_array_release(h);
    gpuarr_elementwise_release(kernel);
  }
}

static void options_that_are_none(void** state) {
  (void)state;
  EXPLAINED(PIECES(.body = "y = x;", .option = "-fno-such-thing-at-all"), "no-such-thing-at-all");
}

static void assert_computes(const char* in, struct pieces pieces, const float* expected) {
  gpuarr_elementwise* kernel = make(in, "T y", pieces);
  gpuarr_array *x = ramp(GPUARR_F32, 3), *out = NULL;
  gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_f32(2)};
  assert_ok(gpuarr_elementwise_call(kernel, &out, 1, inputs, strchr(in, ',') != NULL ? 2 : 1,
                                    strncmp(in, "raw", 3) == 0 ? 3 : GPUARR_NO_SIZE, NULL));
  float y[3];
  assert_ok(gpuarr_array_read(y, sizeof y, NULL, out, NULL));
  for (int k = 0; k < 3; ++k) assert_close(y[k], expected[k], 1e-6);
  gpuarr_array_release(x);
  gpuarr_array_release(out);
  gpuarr_elementwise_release(kernel);
}

#define COMPUTES(in, pieces) assert_computes(in, pieces, (const float[]){1, 3, 5})

static void bodies_may_end_in_anything(void** state) {
  (void)state;
  COMPUTES("T x", PIECES(.body = "y = 2 * x + 1"));
  COMPUTES("T x", PIECES(.body = "y = 2 * x + 1 // done"));
  COMPUTES("T x", PIECES(.body = "y = 2 * x + 1; /* done */"));
  COMPUTES("T x", PIECES(.body = "y = 2 * x + 1 \\"));
  COMPUTES("T x", PIECES(.body = "y = 2 * x + 1; // done \\"));
  COMPUTES("T x", PIECES(.body = "y = 2 * x \\\n + 1;\n\n\n"));
  COMPUTES("T x", PIECES(.body = "y = 2 * x + 1;\r\n"));
  COMPUTES("T x", PIECES(.body = "if (true) { y = 2 * x + 1; }"));
  COMPUTES("T x", PIECES(.body = "y = 2 * x + 1;", .preamble = "// nothing \\"));
}

static void bodies_may_hold_anything(void** state) {
  (void)state;
  COMPUTES("T x",
           PIECES(.body = "const char* s = R\"(\n#line 9\n}\n)\"; y = 2 * x + (s[0] == 10);"));
  COMPUTES("T x", PIECES(.body = "#define ADD(v) ((v) + 1)\ny = ADD(2 * x);\n#undef ADD"));
  COMPUTES("T x", PIECES(.body = "struct { T v; } s = {2 * x};\ny = s.v + 1;"));
  COMPUTES("T x", PIECES(.body = "auto f = [&](T v) { return 2 * v; }; y = f(x) + 1;"));
  COMPUTES("T x",
           PIECES(.body = "switch ((int)x) { case 0: y = 1; break; default: y = 2 * x + 1; }"));
  COMPUTES("T x",
           PIECES(.body = "y = 1; for (int k = 0; k < 2; ++k) { if (k > 5) break; y += x; }"));
  COMPUTES("T x", PIECES(.body = "T y2 = x; { T x = y2; y = x + x; } y += 1;"));
  COMPUTES("T x", PIECES(.body = "#if 1\ny = 2 * x + 1;\n#else\nnonsense\n#endif"));
  COMPUTES("T x", PIECES(.body = "y = AT + AT + 1;", .preamble = "#define AT (T)i"));
  COMPUTES("T x", PIECES(.body = "y = AT + AT + 1;", .option = "-DAT=(T)i"));
  COMPUTES("T x", PIECES(.body = ";;y = 2 * x + 1;;"));
  /* A return ends one element, as continue does, however many a thread has. */
  COMPUTES("T x", PIECES(.body = "y = 1;\nif (x == 0) return;\ny = 2 * x + 1;\nreturn"));
  COMPUTES("T x", PIECES(.body = "y = 2 * x + 1; if (x > 1) return; if (i < 1) continue;"));
  COMPUTES("raw T x", PIECES(.body = "y = 2 * x[i] + 1; if (i == 0 && n > 1) return;"));
}

/* Names that mean something elsewhere. */
static void parameters_may_hide_functions(void** state) {
  (void)state;
  COMPUTES("T exp, T min", PIECES(.body = "y = exp * min + 1;"));
  COMPUTES("T sin, T complex", PIECES(.body = "y = sin * complex + 1;"));
  COMPUTES("T v, T p0", PIECES(.body = "y = v * p0 + 1;"));
  COMPUTES("T rows, T extent0", PIECES(.body = "y = rows * extent0 + 1;"));
  COMPUTES("T elementwise, T chunk", PIECES(.body = "y = elementwise * chunk + 1;"));
  COMPUTES("T x, T unused", PIECES(.body = "y = 2 * x + 1;"));
  COMPUTES("T x, T raw", PIECES(.body = "y = raw * x + 1;"));
}

/* Options and macros of the user's own leave our text alone. */
static void macros_reach_the_body_alone(void** state) {
  (void)state;
  const char* const options[] = {"-DN=2", "-DT1=2", "-DA=2",       "-DR=2",    "-DB=2",
                                 "-Dv=2", "-Dp0=2", "-Dextent0=2", "-Drows=2", "-Dchunk=2",
                                 "-Dw=2", "-Dat=2", "-Dcount=2",   "-Dr0=2",   "-Dvalue=2"};
  for (size_t k = 0; k < sizeof options / sizeof *options; ++k) {
    char name[20] = "", body[80], define[80];
    (void)sscanf(options[k], "-D%19[^=]", name);
    (void)snprintf(body, sizeof body, "y = %s * exp(log(x[i] + 1)) - 1;", name);
    COMPUTES("raw T x", PIECES(.body = body, .option = options[k]));
    (void)snprintf(define, sizeof define, "#define %s 2", name);
    COMPUTES("raw T x", PIECES(.body = body, .preamble = define));
  }
}

static void headers_of_the_system_on_the_cpu(void** state) {
  (void)state;
  if (!test_device_is_host()) skip();
  COMPUTES("T x", PIECES(.body = "y = std::fma(x, T(2), T(1));", .preamble = "#include <cmath>"));
  COMPUTES("T x", PIECES(.body = "int64_t k = 2; uint8_t j = 1; y = k * x + j + 0 * sin(x);",
                         .preamble = "#include <cstdint>\n#include <cmath>\n#include <algorithm>"));
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_piece_has_its_own_lines),
      cmocka_unit_test(the_line_among_several),
      cmocka_unit_test(tabs_keep_their_place),
      cmocka_unit_test(what_is_missing_at_the_end),
      cmocka_unit_test(line_directives_do_no_harm),
      cmocka_unit_test(a_body_returns_nothing),
      cmocka_unit_test(inputs_cannot_be_changed),
      cmocka_unit_test(options_that_are_none),
      cmocka_unit_test(bodies_may_end_in_anything),
      cmocka_unit_test(bodies_may_hold_anything),
      cmocka_unit_test(parameters_may_hide_functions),
      cmocka_unit_test(macros_reach_the_body_alone),
      cmocka_unit_test(headers_of_the_system_on_the_cpu),
  };
  return run_suite(tests);
}
