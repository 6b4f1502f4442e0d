/* arithmetic.h, logic.h, math.h, apply.h. Most functions are called on an array without elements,
 * for which the driver is asked for nothing: they differ by a row in a table, and each more kernel
 * would be many more processes. */
#include "sweep.h"

typedef gpuarr_status unary_fn(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream);
typedef gpuarr_status binary_fn(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                gpuarr_stream* stream);

static unary_fn* const unary[] = {
    gpuarr_negative,   gpuarr_positive, gpuarr_abs,     gpuarr_sign,     gpuarr_square,
    gpuarr_reciprocal, gpuarr_rint,     gpuarr_floor,   gpuarr_ceil,     gpuarr_trunc,
    gpuarr_real,       gpuarr_imag,     gpuarr_conj,    gpuarr_angle,    gpuarr_logical_not,
    gpuarr_invert,     gpuarr_isnan,    gpuarr_isinf,   gpuarr_isfinite, gpuarr_signbit,
    gpuarr_exp,        gpuarr_exp2,     gpuarr_expm1,   gpuarr_log,      gpuarr_log2,
    gpuarr_log10,      gpuarr_log1p,    gpuarr_sin,     gpuarr_cos,      gpuarr_tan,
    gpuarr_arcsin,     gpuarr_arccos,   gpuarr_arctan,  gpuarr_sinh,     gpuarr_cosh,
    gpuarr_tanh,       gpuarr_arcsinh,  gpuarr_arccosh, gpuarr_arctanh,  gpuarr_deg2rad,
    gpuarr_rad2deg,    gpuarr_sqrt,     gpuarr_cbrt,    gpuarr_rsqrt,    gpuarr_erf,
    gpuarr_erfc,       gpuarr_gamma,    gpuarr_lgamma,  gpuarr_sinc};
static binary_fn* const binary[] = {
    gpuarr_add,          gpuarr_subtract,      gpuarr_multiply,    gpuarr_divide,
    gpuarr_floor_divide, gpuarr_remainder,     gpuarr_fmod,        gpuarr_power,
    gpuarr_float_power,  gpuarr_maximum,       gpuarr_minimum,     gpuarr_fmax,
    gpuarr_fmin,         gpuarr_gcd,           gpuarr_lcm,         gpuarr_complex,
    gpuarr_equal,        gpuarr_not_equal,     gpuarr_less,        gpuarr_less_equal,
    gpuarr_greater,      gpuarr_greater_equal, gpuarr_logical_and, gpuarr_logical_or,
    gpuarr_logical_xor,  gpuarr_bitwise_and,   gpuarr_bitwise_or,  gpuarr_bitwise_xor,
    gpuarr_left_shift,   gpuarr_right_shift,   gpuarr_logaddexp,   gpuarr_logaddexp2,
    gpuarr_hypot,        gpuarr_arctan2,       gpuarr_copysign,    gpuarr_nextafter,
    gpuarr_heaviside,    gpuarr_ldexp};

static void exercise_without_elements(const gpuarr_array* x, const gpuarr_array* whole) {
  const gpuarr_arg arg = gpuarr_arg_array(x), integers = gpuarr_arg_array(whole);
  for (size_t k = 0; k < sizeof unary / sizeof *unary; ++k) {
    gpuarr_array* out = NULL;
    made(unary[k](&out, unary[k] == gpuarr_invert ? whole : x, NULL), &out);
    gpuarr_array_release(out);
  }
  for (size_t k = 0; k < sizeof binary / sizeof *binary; ++k) {
    const int takes_integers = binary[k] == gpuarr_gcd || binary[k] == gpuarr_lcm ||
                               binary[k] == gpuarr_bitwise_and || binary[k] == gpuarr_bitwise_or ||
                               binary[k] == gpuarr_bitwise_xor || binary[k] == gpuarr_left_shift ||
                               binary[k] == gpuarr_right_shift;
    gpuarr_array* out = NULL;
    made(binary[k](&out, takes_integers ? integers : arg, integers, NULL), &out);
    gpuarr_array_release(out);
  }
  gpuarr_array* out[6] = {NULL};
  made(gpuarr_clip(&out[0], x, arg, gpuarr_arg_array(NULL), NULL), &out[0]);
  made(gpuarr_round(&out[1], x, 2, NULL), &out[1]);
  made(gpuarr_isclose(&out[2], arg, arg, 1e-5, 1e-8, 0, NULL), &out[2]);
  made(gpuarr_frexp(&out[3], &out[4], x, NULL), &out[3]);
  gpuarr_array* parts[2] = {NULL};
  made(gpuarr_modf(&parts[0], &parts[1], x, NULL), &parts[0]);
  for (int k = 0; k < 6; ++k) gpuarr_array_release(out[k]);
  for (int k = 0; k < 2; ++k) gpuarr_array_release(parts[k]);
}

void exercise_functions(const struct stage* s) {
  gpuarr_array *x = POISON, *whole = POISON, *out[4] = {NULL};
  const int64_t none = 0;
  made(gpuarr_array_empty(&x, s->device, GPUARR_F32, 1, &none, 0, NULL), &x);
  made(gpuarr_array_empty(&whole, s->device, GPUARR_I32, 1, &none, 0, NULL), &whole);
  if (x != NULL && whole != NULL) exercise_without_elements(x, whole);
  gpuarr_array_release(x);
  gpuarr_array_release(whole);

  const gpuarr_arg inputs[] = {gpuarr_arg_array(s->x), gpuarr_arg_f64(2)};
  gpuarr_dtype dtype = -1;
  got(gpuarr_result_type(&dtype, inputs, 2), &dtype, sizeof dtype);
  made(gpuarr_divmod(&out[0], &out[1], inputs[0], inputs[1], s->stream), &out[0]);
  made(gpuarr_where(&out[2], inputs[0], inputs[0], inputs[1], NULL), &out[2]);
  made(gpuarr_apply(&out[3], 1, "add", inputs, 2, NULL, s->stream), &out[3]);
  int32_t answer = -1;
  got(gpuarr_array_equal(&answer, s->x, s->x, NULL), &answer, sizeof answer);
  answer = -1;
  got(gpuarr_allclose(&answer, s->x, s->x, 1e-5, 1e-8, 0, s->stream), &answer, sizeof answer);
  for (int k = 0; k < 4; ++k) gpuarr_array_release(out[k]);

  const char *name = POISON, *about = POISON;
  int32_t count[2] = {-1, -1};
  check(gpuarr_apply_count() > 80, "the number of functions");
  made(gpuarr_apply_describe(&name, &about, &count[0], &count[1], 0), &name);
}
