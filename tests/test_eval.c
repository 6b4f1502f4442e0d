/* Expressions as text: what they compute. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

enum { most_results = 24 };

static void gives_once(const struct scene* s, const char* text, int32_t results, gpuarr_dtype dtype,
                       int64_t count, const double* expected) {
  gpuarr_array* out[most_results] = {NULL};
  assert_ok(gpuarr_eval_all(out, results, text, names, s->args, name_count, NULL));
  int64_t seen = 0;
  for (int32_t r = 0; r < results; ++r) {
    if (dtype != 0) assert_int_equal(gpuarr_array_dtype(out[r]), dtype);
    double* values = doubles_of(out[r]);
    for (int64_t e = 0; e < gpuarr_array_size(out[r]); ++e, ++seen) {
      if (seen >= count) fail_msg("%s gives more than %d elements", text, (int)count);
      if (!(fabs(values[e] - expected[seen]) <= 1e-6 * fmax(1, fabs(expected[seen]))))
        fail_msg("%s: element %d is %g, not %g", text, (int)seen, values[e], expected[seen]);
    }
    free(values);
  }
  assert_int_equal(seen, count);
  release_arrays(out, results);
}

/* What a text gives: the dtype of all its results, and their elements one after another. Each time
 * something else is known of it. */
static void gives(const struct scene* s, const char* text, int32_t results, gpuarr_dtype dtype,
                  int64_t count, const double* expected) {
  for (int round = 0; round < 4; ++round) gives_once(s, text, results, dtype, count, expected);
}
#define GIVES(s, text, results, dtype, ...) \
  gives((s), (text), (results), (dtype),    \
        (int64_t)(sizeof(double[]){__VA_ARGS__} / sizeof(double)), (double[]){__VA_ARGS__})

/* Numbers alone are computed by the parser: one kernel is enough for all of these. */
static void binds_operators_as_python_does(void** state) {
  (void)state;
  static const struct {
    const char* text;
    double value;
  } rows[] = {
      {"1 + 2*3", 7},
      {"(1 + 2)*3", 9},
      {"10 - 4 - 3", 3},
      {"100/10/5", 2},
      {"2*7 % 4", 2},
      {"2**3**2", 512},
      {"-2**2", -4},
      {"2**-1", .5},
      {"-2**-2", -.25},
      {"2**-2**2", 1.0 / 16},
      {"2**+3*2", 16},
      {"- -3", 3},
      {"1 - -1", 2},
      {"-~5", 6},
      {"~~5", 5},
      {"~2**2", -5},
      {"7//2", 3},
      {"-7//2", -4},
      {"-7 % 3", 2},
      {"7 % -3", -2},
      {"-7.5//2", -4},
      {"5.5 % -2", -.5},
      {"7/2", 3.5},
      {"1 << 4 | 3", 19},
      {"6 & 3 << 1", 6},
      {"1 << 2 + 1", 8},
      {"8 >> 1 << 2", 16},
      {"-9 >> 1", -5},
      {"4 | 2 & 3", 6},
      {"1 | 2 == 3", 1},
      {"(1 < 2) + (2 <= 2) + (3 > 4) + (4 >= 4) + (5 != 5)", 3},
      {"1 == 1.0", 1},
      {"9007199254740993 == 9007199254740992.0", 0},
      {"True + True", 2},
      {"(True & False) + (True | False)*10", 10},
      {"0x1F + 0b101 + 0o17 + 1_000", 1051},
      {"1e3 + .5 + 5. + 1E-2", 1005.51},
      {"pi", 3.141592653589793},
      {"2*e", 5.43656365691809},
      {"-inf", -INFINITY},
      {"abs(-3) + sqrt(16) + hypot(3, 4) + maximum(2, 3)", 15},
      {"9223372036854775807 - 9223372036854775806", 1},
      {"-9223372036854775808 + 9223372036854775807", -1},
      {"2**63 - 18446744073709551615 + 2**63", 1},
      {"(-8)**2 * 2.0**0.5", 90.50966799187809},
      {"abs(3 + 4j) + abs(1j*1j)", 6},
  };
  gpuarr_array* zero = zeros(GPUARR_F64, 0, NULL);
  const gpuarr_arg arg = gpuarr_arg_array(zero);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    char text[200];
    snprintf(text, sizeof text, "zero + (%s)", rows[k].text);
    gpuarr_array* out = NULL;
    assert_ok(gpuarr_eval(&out, text, (const char*[]){"zero"}, &arg, 1, NULL));
    const double value = value_of(out);
    if (!(fabs(value - rows[k].value) <= 1e-14 * fabs(rows[k].value)) && value != rows[k].value)
      fail_msg("%s is %.17g, not %.17g", rows[k].text, value, rows[k].value);
    gpuarr_array_release(out);
  }
  gpuarr_array_release(zero);
}

static void binds_operators_of_arrays_likewise(void** state) {
  (void)state;
  struct scene s = scene();
  GIVES(&s, "k + 2*k, k - 1 - k, -k**2, 2**k**2, k//2 + k % 2, k & 1 | 2, ~k << 1, -k*2, (k + 1)*2",
        9, 0, 0, 3, 6, -1, -1, -1, 0, -1, -4, 1, 2, 16, 0, 1, 1, 2, 3, 2, -2, -4, -6, 0, -2, -4, 2,
        4, 6);
  GIVES(&s, "k < 1, k <= 1, k > 1, k >= 1, k == 1, k != 1, (k > 0) & ~(k > 1), k + 1 > k*2 | 0", 8,
        GPUARR_BOOL, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0);
  GIVES(&s, "(k + 1)/2, k**0.5, +k*h, k/n", 4, GPUARR_F64, .5, 1, 1.5, 0, 1, sqrt(2), 0, .5, 1, 0,
        .5, 1);
  end(&s);
}

static void has_weak_numbers(void** state) {
  (void)state;
  struct scene s = scene();
  GIVES(&s, "x*2, x*2.5, x*h, x*pi/pi, x + n*n", 5, GPUARR_F32, 0, 2, 4, 6, 8, 10, 0, 2.5, 5, 7.5,
        10, 12.5, 0, .5, 1, 1.5, 2, 2.5, 0, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9);
  gpuarr_array* out = NULL;
  const gpuarr_arg args[] = {gpuarr_arg_array(s.x), gpuarr_arg_f64(10)};
  assert_ok(gpuarr_eval(&out, "x + pi", (const char*[]){"x", "pi"}, args, 2, NULL));
  assert_values(out, 6, (const double[]){10, 11, 12, 13, 14, 15}); /* the argument hides it */
  gpuarr_array_release(out);
  end(&s);
}

static void calls_functions(void** state) {
  (void)state;
  struct scene s = scene();
  GIVES(&s,
        "where(x > 2, x, 0), clip(x, 1, 4), clip(x, high=3), clip(x, None, 3), minimum(x, n),"
        "round(x/4, decimals=1), round(x/4), absolute(-x), pow(x, 1), asin(x*0) + hypot(y=0, x=x)",
        10, 0, 0, 0, 0, 3, 4, 5, 1, 1, 2, 3, 4, 4, 0, 1, 2, 3, 3, 3, 0, 1, 2, 3, 3, 3, 0, 1, 2, 2,
        2, 2, 0, .2, .5, .8, 1, 1.2, 0, 0, 0, 1, 1, 1, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2,
        3, 4, 5);
  GIVES(&s, "astype(x, int16), astype(x > 1, dtype=int16)", 2, GPUARR_I16, 0, 1, 2, 3, 4, 5, 0, 0,
        1, 1, 1, 1);
  GIVES(&s, "isclose(x, x*1.5), isclose(x, x + 0.1, atol=h)", 2, GPUARR_BOOL, 1, 0, 0, 0, 0, 0, 1,
        1, 1, 1, 1, 1);
  end(&s);
}

static void reduces(void** state) {
  (void)state;
  struct scene s = scene();
  GIVES(&s, "sum(x), max(x, None), norm(x, 1), norm(x, ord=inf), mean(x, axis=(0, -1)), amin(x)", 6,
        GPUARR_F32, 15, 5, 15, 5, 2.5, 0);
  GIVES(&s, "sum(x, axis=1), sum(x, -1, keepdims=True), var(x, ddof=1, axis=1), std(x, 1)*0", 4,
        GPUARR_F32, 3, 12, 3, 12, 1, 1, 0, 0);
  GIVES(&s, "argmax(x, axis=0), argmin(x, axis=0)", 2, GPUARR_I64, 1, 1, 1, 0, 0, 0);
  GIVES(&s, "sum(x, axis=()), x/max(x), (x - mean(x, 1, keepdims=True))[0]", 3, GPUARR_F32, 0, 1, 2,
        3, 4, 5, 0, .2, .4, .6, .8, 1, -1, 0, 1);
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_eval(&out, "mean(x, 0, keepdims=True)", names, s.args, name_count, NULL));
  assert_shape(out, 2, (const int64_t[]){1, 3});
  gpuarr_array_release(out);
  end(&s);
}

static void multiplies_matrices(void** state) {
  (void)state;
  struct scene s = scene();
  GIVES(&s, "y @ k, k @ k, y @ y.T, matmul(y.T, y=y)[0], y[:, :2] @ y", 5, GPUARR_I32, 5, 14, 5, 5,
        14, 14, 50, 9, 12, 15, 3, 4, 5, 12, 19, 26);
  /* As tightly as *, from the left; ** and signs before it. */
  GIVES(&s, "y*2 @ k, 2*y @ k - 1, -y @ k, y @ k**2, k @ y.T @ y, (y @ y.T)[0] @ y, 1 + k @ k*2", 7,
        GPUARR_I32, 10, 28, 9, 27, -5, -14, 9, 24, 42, 61, 80, 42, 61, 80, 11);
  GIVES(&s, "maximum(y @ y.T + k[1:] - 20, 0), sum(y @ y.T)", 2, 0, 0, 0, 0, 32, 83);
  end(&s);
}

static void knows_indices(void** state) {
  (void)state;
  struct scene s = scene();
  GIVES(&s,
        "indices(x, 0), indices(x, axis=-1), indices(k), indices(k + x, 1)[0], sum(k*indices(k))",
        5, GPUARR_I64, 0, 0, 0, 1, 1, 1, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 5);
  end(&s);
}

static void takes_views(void** state) {
  (void)state;
  struct scene s = scene();
  GIVES(&s, "x[1], x[:, 1], x[..., -1], x[::-1, ::2], x[0, 1:3], x[None, 1, :2], x[1:, newaxis, 0]",
        7, GPUARR_F32, 3, 4, 5, 1, 4, 2, 5, 3, 5, 0, 2, 1, 2, 3, 4, 3);
  GIVES(&s, "x.T, transpose(x), transpose(x, (1, 0)), reshape(x, (3, -1)).T, reshape(x, 6)", 5,
        GPUARR_F32, 0, 3, 1, 4, 2, 5, 0, 3, 1, 4, 2, 5, 0, 3, 1, 4, 2, 5, 0, 2, 4, 1, 3, 5, 0, 1, 2,
        3, 4, 5);
  GIVES(&s, "flip(x), flip(x, axis=1), flip(x, (0,)), flip(x, ())", 4, GPUARR_F32, 5, 4, 3, 2, 1, 0,
        2, 1, 0, 5, 4, 3, 3, 4, 5, 0, 1, 2, 0, 1, 2, 3, 4, 5);
  GIVES(&s, "k[n:], k[:-n], k[10:], k[-2:9], k[n], k[::-n]", 6, GPUARR_I32, 2, 0, 1, 2, 2, 2, 0);
  GIVES(&s, "(x*2)[1:, ::2], x[:, 1:] - x[:, :-1], (x.T + 1)[0], sum(x, axis=1)[-1]", 4, GPUARR_F32,
        6, 10, 1, 1, 1, 1, 1, 4, 12);
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_eval(&out, "x[:, None, 1:][..., None]", names, s.args, name_count, NULL));
  assert_shape(out, 4, (const int64_t[]){2, 1, 2, 1});
  gpuarr_array_release(out);
  end(&s);
}

static void has_statements(void** state) {
  (void)state;
  struct scene s = scene();
  GIVES(&s, "d = x - 1; sum(d*d)", 1, GPUARR_F32, 31);
  GIVES(&s,
        "# two results\n"
        "d = (x -    # over\n"
        "     1)     # two lines\n"
        "\n"
        "d, m = d*d, max(d);\n"
        "sum(d), m,  # and a comma",
        2, GPUARR_F32, 31, 4);
  GIVES(&s, "x = x + 1; x = x*x; (x[0], x[1])", 2, GPUARR_F32, 1, 4, 9, 16, 25, 36);
  GIVES(&s, "q, r = divmod(k, n); q*n + r, q", 2, GPUARR_I32, 0, 1, 2, 0, 0, 1);
  GIVES(&s, "cumsum(k + 1), cumsum(k, exclusive=True)", 2, GPUARR_I64, 1, 3, 6, 0, 0, 1);
  GIVES(&s, "divmod(k, 2)", 2, GPUARR_I32, 0, 0, 1, 0, 1, 0);
  GIVES(&s, "p = divmod(k, 2); p[0] + p[-1], divmod(k, 2)[1]", 2, GPUARR_I32, 0, 1, 1, 0, 1, 0);
  const char* counted[] = {
      "x", "x,", "x, y", "(x, y)", "divmod(x, y)", "modf(x)[0]", "a = x\na, 1, 2"};
  const int32_t counts[] = {1, 1, 2, 2, 2, 1, 3};
  for (int k = 0; k < 7; ++k) {
    int32_t count = 0;
    assert_ok(gpuarr_eval_count(&count, counted[k]));
    assert_int_equal(count, counts[k]);
  }
  end(&s);
}

static void takes_names_of_other_alphabets(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F64, 2), *out = NULL;
  const gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_f64(3)};
  assert_ok(gpuarr_eval(&out, "σ_2*größe", (const char*[]){"größe", "σ_2"}, args, 2, NULL));
  assert_values(out, 2, (const double[]){0, 3});
  release_arrays((gpuarr_array*[]){x, out}, 2);
}

static void writes_into_given_arrays(void** state) {
  (void)state;
  struct scene s = scene();
  gpuarr_array *wide = zeros(GPUARR_F64, 2, (const int64_t[]){2, 3}), *same = s.x;
  assert_ok(gpuarr_eval(&wide, "x + 1", names, s.args, name_count, NULL));
  assert_values(wide, 6, (const double[]){1, 2, 3, 4, 5, 6});
  assert_ok(gpuarr_eval(&same, "x/max(x)", names, s.args, name_count, NULL));
  assert_floats(s.x, 6, (const float[]){0, .2f, .4f, .6f, .8f, 1});
  gpuarr_array* out[] = {wide, NULL};
  assert_ok(gpuarr_eval_all(out, 2, "k[0] + y, k", names, s.args, name_count, NULL));
  assert_values(wide, 6, (const double[]){0, 1, 2, 3, 4, 5});
  assert_values(out[1], 3, (const double[]){0, 1, 2});
  assert_status(gpuarr_eval(&wide, "k + 1", names, s.args, name_count, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("gpuarr_eval: out has shape ");
  assert_status(gpuarr_eval(&s.k, "k*0.5", names, s.args, name_count, NULL), GPUARR_ERR_DTYPE);
  gpuarr_array_release(out[1]);
  gpuarr_array_release(wide);
  end(&s);
}

static void makes_expressions(void** state) {
  (void)state;
  struct scene s = scene();
  gpuarr_expr* made[2] = {NULL};
  assert_ok(
      gpuarr_expr_parse(made, 1, "sqrt(mean((x - y)**2, axis=1))", names, s.args, name_count));
  assert_int_equal(kernels_of((gpuarr_expr_list)made, 1), 1);
  gpuarr_expr_release(made[0]);
  made[0] = NULL;
  assert_status(gpuarr_expr_parse(made, 2, "x + 1", names, s.args, name_count),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("output_count is 2, but text has 1 result");
  assert_null(made[0]);
  assert_status(gpuarr_expr_parse(NULL, 1, "x + 1", names, s.args, name_count),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("outputs is NULL; give the address of 1 variables");
  end(&s);
}

static gpuarr_status eval_repeated(gpuarr_array** out, const char* before, const char* middle,
                                   const char* behind, size_t count, const gpuarr_array* x) {
  const size_t lengths[] = {strlen(before), strlen(middle), strlen(behind)};
  char* text = malloc(count * (lengths[0] + lengths[2]) + lengths[1] + 1);
  assert_non_null(text);
  char* at = text;
  for (size_t k = 0; k < count; ++k) at = memcpy(at, before, lengths[0]), at += lengths[0];
  at = memcpy(at, middle, lengths[1]);
  at += lengths[1];
  for (size_t k = 0; k < count; ++k) at = memcpy(at, behind, lengths[2]), at += lengths[2];
  *at = '\0';
  const gpuarr_arg arg = gpuarr_arg_array(x);
  const gpuarr_status status = gpuarr_eval(out, text, (const char*[]){"x"}, &arg, 1, NULL);
  free(text);
  return status;
}

static void is_deep_without_recursion(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 3), *out = NULL;
  assert_ok(eval_repeated(&out, "(", "x + 1", ")", 10000, x));
  assert_values(out, 3, (const double[]){1, 2, 3});
  gpuarr_array_release(out);
  out = NULL;
  assert_ok(eval_repeated(&out, "", "x", "[::1]", 10000, x));
  gpuarr_array_release(out);
  out = NULL;
  assert_ok(eval_repeated(&out, "x[", "x*0 + 1", "", 0, x));
  gpuarr_array_release(out);
  out = NULL;
  assert_status(eval_repeated(&out, "(", "", "", 65000, x), GPUARR_ERR_SYNTAX);
  assert_message_has("( is not closed");
  assert_status(eval_repeated(&out, "x[", "x", "]", 20000, x), GPUARR_ERR_ARGUMENT);
  assert_status(eval_repeated(&out, "1**", "1", "", 20000, x), GPUARR_ERR_ARGUMENT);
  assert_status(eval_repeated(&out, "sin(", "x", "", 10000, x), GPUARR_ERR_SYNTAX);
  assert_status(eval_repeated(&out, "(", "x", ")", 500000, x), GPUARR_ERR_ARGUMENT);
  assert_message_has("text has more than 65536 bytes");
  assert_null(out);
  gpuarr_array_release(x);
}

static void forgets_what_is_used_least(void** state) {
  (void)state;
  char text[64];
  for (int turn = 0; turn < 2; ++turn)
    for (int k = 0; k < 3000; ++k) {
      int32_t count = 0;
      snprintf(text, sizeof text, "x + %d, y%s", k, k % 2 ? ", x" : "");
      assert_ok(gpuarr_eval_count(&count, text));
      assert_int_equal(count, k % 2 ? 3 : 2);
    }
}

static void checks_its_arguments(void** state) {
  (void)state;
  struct scene s = scene();
  gpuarr_array* out = NULL;
  const char* twice[] = {"x", "y", "x"};
  const char* odd[] = {"x", "2y", NULL};
  assert_status(gpuarr_eval(NULL, "x", names, s.args, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  assert_status(gpuarr_eval(&out, NULL, names, s.args, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("text is NULL");
  assert_status(gpuarr_eval(&out, "x", NULL, s.args, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("names is NULL, but count is 1");
  assert_status(gpuarr_eval(&out, "x", names, NULL, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("args is NULL, but count is 1");
  assert_status(gpuarr_eval(&out, "x", names, s.args, -1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("count is -1; give 0 to 1024");
  assert_status(gpuarr_eval(&out, "x", names, s.args, INT32_MAX, NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_eval(&out, "x", twice, s.args, 3, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("names[0] and names[2] are both \"x\"");
  assert_status(gpuarr_eval(&out, "x", odd, s.args, 2, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("names[1] is \"2y\"; a name has letters, digits and _");
  assert_status(gpuarr_eval(&out, "x", &odd[2], s.args, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("names[0] is NULL");
  const gpuarr_arg nothing = gpuarr_arg_array(NULL), view = gpuarr_arg_view(s.x);
  assert_status(gpuarr_eval(&out, "x", names, &nothing, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("args[0], x, is neither an array nor a scalar");
  assert_status(gpuarr_eval(&out, "x", names, &view, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("args[0].flags is 1");
  assert_status(gpuarr_eval_all(&out, 1, "x, y", names, s.args, 2, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("output_count is 1, but text has 2 results");
  assert_status(gpuarr_eval_all(NULL, 1, "x", names, s.args, 2, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("outputs is NULL");
  int32_t count = 5;
  assert_status(gpuarr_eval_count(&count, "x +"), GPUARR_ERR_SYNTAX);
  assert_int_equal(count, 0);
  assert_null(out);
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(binds_operators_as_python_does),
      cmocka_unit_test(binds_operators_of_arrays_likewise),
      cmocka_unit_test(has_weak_numbers),
      cmocka_unit_test(calls_functions),
      cmocka_unit_test(reduces),
      cmocka_unit_test(multiplies_matrices),
      cmocka_unit_test(knows_indices),
      cmocka_unit_test(takes_views),
      cmocka_unit_test(has_statements),
      cmocka_unit_test(takes_names_of_other_alphabets),
      cmocka_unit_test(writes_into_given_arrays),
      cmocka_unit_test(makes_expressions),
      cmocka_unit_test(is_deep_without_recursion),
      cmocka_unit_test(forgets_what_is_used_least),
      cmocka_unit_test(checks_its_arguments),
  };
  return run_suite(tests);
}
