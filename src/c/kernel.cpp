#include "gpuarr/kernel.h"

#include "array/scalar.hpp"
#include "c/guard.hpp"
#include "c/kernel_handles.hpp"
#include "core/watch.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_kernel_options_create(gpuarr_kernel_options** out) {
  return guard_output(__func__, out, [&] { return gpuarr_kernel_options::make(KernelOptions{}); });
}

void gpuarr_kernel_options_release(gpuarr_kernel_options* options) { release(options); }

gpuarr_status gpuarr_kernel_options_set_name(gpuarr_kernel_options* options, const char* name) {
  return guard(__func__, [&] { deref(options, "options").set_name(checked_text(name, "name")); });
}

gpuarr_status gpuarr_kernel_options_set_preamble(gpuarr_kernel_options* options,
                                                 const char* preamble) {
  return guard(__func__,
               [&] { deref(options, "options").preamble = checked_piece(preamble, "preamble"); });
}

gpuarr_status gpuarr_kernel_options_set_loop_prep(gpuarr_kernel_options* options,
                                                  const char* statements) {
  return guard(__func__, [&] {
    deref(options, "options").loop_prep = checked_piece(statements, "statements");
  });
}

gpuarr_status gpuarr_kernel_options_set_after_loop(gpuarr_kernel_options* options,
                                                   const char* statements) {
  return guard(__func__, [&] {
    deref(options, "options").after_loop = checked_piece(statements, "statements");
  });
}

gpuarr_status gpuarr_kernel_options_set_reduce_type(gpuarr_kernel_options* options,
                                                    const char* type) {
  return guard(__func__,
               [&] { deref(options, "options").set_reduce_type(checked_source(type, "type")); });
}

gpuarr_status gpuarr_kernel_options_set_commutative(gpuarr_kernel_options* options,
                                                    int32_t commutative) {
  return guard(__func__, [&] { deref(options, "options").set_commutative(commutative); });
}

gpuarr_status gpuarr_kernel_options_add(gpuarr_kernel_options* options, const char* option) {
  return guard(__func__, [&] { deref(options, "options").add(checked_source(option, "option")); });
}

gpuarr_status gpuarr_kernel_options_add_kernel(gpuarr_kernel_options* options,
                                               const char* expression) {
  return guard(__func__, [&] {
    deref(options, "options").add_instance(checked_source(expression, "expression"));
  });
}

gpuarr_status gpuarr_kernel_options_set_check(gpuarr_kernel_options* options, int32_t checks) {
  return guard(__func__, [&] { deref(options, "options").set_checks(checks); });
}

gpuarr_status gpuarr_kernel_options_set_timeout(gpuarr_kernel_options* options, double seconds) {
  return guard(__func__, [&] { deref(options, "options").set_time_limit(seconds); });
}

void gpuarr_compile_cancel(void) { Watch::end_all(); }

gpuarr_call* gpuarr_call_retain(gpuarr_call* call) { return retain(call); }

void gpuarr_call_release(gpuarr_call* call) { release(call); }

gpuarr_status gpuarr_call_launch(gpuarr_call* call, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    PreparedCall& prepared = deref(call, "call");
    prepared.launch(stream_of(stream, prepared.device()));
  });
}

gpuarr_status gpuarr_call_set_scalar(gpuarr_call* call, int32_t input, gpuarr_arg value) {
  return guard(__func__,
               [&] { deref(call, "call").set_scalar(input, Scalar::from(value, "value")); });
}
