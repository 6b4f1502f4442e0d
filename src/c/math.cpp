// gpuarr/math.h: check, convert, call.
#include "gpuarr/math.h"

#include "c/function_call.hpp"
#include "c/guard.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_exp(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::exp, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_exp2(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::exp2, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_expm1(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::expm1, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_log(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::log, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_log2(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::log2, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_log10(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::log10, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_log1p(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::log1p, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_logaddexp(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                               gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::logaddexp, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_logaddexp2(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::logaddexp2, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_sin(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::sin, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_cos(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::cos, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_tan(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::tan, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_arcsin(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::arcsin, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_arccos(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::arccos, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_arctan(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::arctan, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_sinh(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::sinh, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_cosh(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::cosh, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_tanh(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::tanh, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_arcsinh(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::arcsinh, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_arccosh(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::arccosh, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_arctanh(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::arctanh, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_hypot(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::hypot, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_arctan2(gpuarr_array** out, gpuarr_arg y, gpuarr_arg x,
                             gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::arctan2, {out}, {y, x}, stream); });
}

gpuarr_status gpuarr_deg2rad(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::deg2rad, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_rad2deg(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::rad2deg, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_sqrt(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::sqrt, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_cbrt(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::cbrt, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_rsqrt(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::rsqrt, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_erf(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::erf, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_erfc(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::erfc, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_gamma(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::gamma, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_lgamma(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::lgamma, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_sinc(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::sinc, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_copysign(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                              gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::copysign, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_nextafter(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                               gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::nextafter, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_heaviside(gpuarr_array** out, gpuarr_arg x, gpuarr_arg h,
                               gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::heaviside, {out}, {x, h}, stream); });
}

gpuarr_status gpuarr_ldexp(gpuarr_array** out, gpuarr_arg x, gpuarr_arg exponent,
                           gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::ldexp, {out}, {x, exponent}, stream); });
}

gpuarr_status gpuarr_frexp(gpuarr_array** mantissa, gpuarr_array** exponent, const gpuarr_array* x,
                           gpuarr_stream* stream) {
  return guard(__func__, [&] {
    call_function(Op::frexp, {mantissa, exponent}, {gpuarr_arg_array(x)}, stream);
  });
}

gpuarr_status gpuarr_modf(gpuarr_array** fraction, gpuarr_array** whole, const gpuarr_array* x,
                          gpuarr_stream* stream) {
  return guard(__func__, [&] {
    call_function(Op::modf, {fraction, whole}, {gpuarr_arg_array(x)}, stream);
  });
}
