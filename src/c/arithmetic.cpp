// gpuarr/arithmetic.h: check, convert, call.
#include "gpuarr/arithmetic.h"

#include "c/function_call.hpp"
#include "c/guard.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_add(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::add, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_subtract(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                              gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::subtract, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_multiply(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                              gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::multiply, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_divide(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::divide, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_floor_divide(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                  gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::floor_divide, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_remainder(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                               gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::remainder, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_fmod(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::fmod, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_divmod(gpuarr_array** quotient, gpuarr_array** remainder, gpuarr_arg x,
                            gpuarr_arg y, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::divmod, {quotient, remainder}, {x, y}, stream); });
}

gpuarr_status gpuarr_power(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::power, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_float_power(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                 gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::float_power, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_negative(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__,
               [&] { call_function(Op::negative, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_positive(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__,
               [&] { call_function(Op::positive, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_abs(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::abs, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_sign(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::sign, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_square(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::square, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_reciprocal(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__,
               [&] { call_function(Op::reciprocal, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_maximum(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                             gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::maximum, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_minimum(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                             gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::minimum, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_fmax(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::fmax, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_fmin(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::fmin, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_clip(gpuarr_array** out, const gpuarr_array* x, gpuarr_arg low,
                          gpuarr_arg high, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    call_function(Op::clip, {out}, {gpuarr_arg_array(x), low, high}, stream);
  });
}

gpuarr_status gpuarr_rint(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::rint, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_round(gpuarr_array** out, const gpuarr_array* x, int32_t decimals,
                           gpuarr_stream* stream) {
  return guard(__func__, [&] {
    call_function(Op::round, {out}, {gpuarr_arg_array(x), gpuarr_arg_i32(decimals)}, stream);
  });
}

gpuarr_status gpuarr_floor(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::floor, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_ceil(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::ceil, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_trunc(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::trunc, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_gcd(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::gcd, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_lcm(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::lcm, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_real(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::real, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_imag(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::imag, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_conj(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::conj, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_angle(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::angle, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_complex(gpuarr_array** out, gpuarr_arg re, gpuarr_arg im,
                             gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::complex, {out}, {re, im}, stream); });
}
