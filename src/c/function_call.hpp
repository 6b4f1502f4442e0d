// Elementwise functions from the C ABI.
#pragma once

#include <initializer_list>
#include <span>

#include "c/guard.hpp"
#include "c/handles.hpp"
#include "ops/functions/functions.hpp"

namespace gpuarr {

struct Operands {
  std::span<gpuarr_array** const> outputs;  // where an array is, or is to go
  std::span<const gpuarr_arg> inputs;
};

/// Checks the arguments, runs the function, and hands out what it made.
void call_function(Op function, const Operands& operands, const Array* where,
                   gpuarr_stream* stream);

inline void call_function(Op function, std::initializer_list<gpuarr_array**> outputs,
                          std::initializer_list<gpuarr_arg> inputs, gpuarr_stream* stream) {
  call_function(function, {{outputs.begin(), outputs.size()}, {inputs.begin(), inputs.size()}},
                nullptr, stream);
}

/// All of a C function; inline as guard() is, for the address of the call.
[[gnu::always_inline]] inline gpuarr_status run_function(
    const char* called, Op function, std::initializer_list<gpuarr_array**> outputs,
    std::initializer_list<gpuarr_arg> inputs, gpuarr_stream* stream) noexcept {
  return guard(called, [&] { call_function(function, outputs, inputs, stream); });
}

/// The C functions of an array and of two operands, of which many differ in their names alone: no
/// template can have a name of C.
#define GPUARR_FUNCTION_OF_ARRAY(name)                                                            \
  gpuarr_status gpuarr_##name(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) { \
    return run_function(__func__, Op::name, {out}, {gpuarr_arg_array(x)}, stream);                \
  }
#define GPUARR_FUNCTION_OF_OPERANDS(name)                                     \
  gpuarr_status gpuarr_##name(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, \
                              gpuarr_stream* stream) {                        \
    return run_function(__func__, Op::name, {out}, {x, y}, stream);           \
  }

}  // namespace gpuarr
