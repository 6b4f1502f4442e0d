// gpuarr/logic.h: check, convert, call.
#include "gpuarr/logic.h"

#include "c/function_call.hpp"
#include "c/guard.hpp"
#include "ops/compare.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_equal(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::equal, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_not_equal(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                               gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::not_equal, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_less(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::less, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_less_equal(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::less_equal, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_greater(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                             gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::greater, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_greater_equal(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                   gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::greater_equal, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_isclose(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, double rtol,
                             double atol, int32_t equal_nan, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    call_function(Op::isclose, {out},
                  {x, y, gpuarr_arg_f64(rtol), gpuarr_arg_f64(atol),
                   gpuarr_arg_bool(checked_flag(equal_nan, "equal_nan"))},
                  stream);
  });
}

gpuarr_status gpuarr_allclose(int32_t* out, const gpuarr_array* x, const gpuarr_array* y,
                              double rtol, double atol, int32_t equal_nan, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    auto& answer = output(out);
    const Tolerance within{rtol, atol, checked_flag(equal_nan, "equal_nan")};
    answer = all_close(deref(x, "x"), deref(y, "y"), within, stream_or_null(stream)) ? 1 : 0;
  });
}

gpuarr_status gpuarr_array_equal(int32_t* out, const gpuarr_array* x, const gpuarr_array* y,
                                 gpuarr_stream* stream) {
  return guard(__func__, [&] {
    auto& answer = output(out);
    answer = array_equal(deref(x, "x"), deref(y, "y"), stream_or_null(stream)) ? 1 : 0;
  });
}

gpuarr_status gpuarr_logical_and(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                 gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::logical_and, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_logical_or(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::logical_or, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_logical_xor(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                 gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::logical_xor, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_logical_not(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__,
               [&] { call_function(Op::logical_not, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_bitwise_and(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                 gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::bitwise_and, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_bitwise_or(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::bitwise_or, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_bitwise_xor(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                 gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::bitwise_xor, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_invert(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::invert, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_left_shift(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::left_shift, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_right_shift(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                 gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::right_shift, {out}, {x, y}, stream); });
}

gpuarr_status gpuarr_isnan(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::isnan, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_isinf(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::isinf, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_isfinite(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__,
               [&] { call_function(Op::isfinite, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_signbit(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::signbit, {out}, {gpuarr_arg_array(x)}, stream); });
}

gpuarr_status gpuarr_where(gpuarr_array** out, gpuarr_arg condition, gpuarr_arg x, gpuarr_arg y,
                           gpuarr_stream* stream) {
  return guard(__func__, [&] { call_function(Op::where, {out}, {condition, x, y}, stream); });
}
