// gpuarr/apply.h: check, convert, call.
#include "gpuarr/apply.h"

#include "c/function_call.hpp"
#include "c/guard.hpp"
#include "c/kernel_handles.hpp"

using namespace gpuarr;

namespace {

Op named(const char* name) {
  const auto function = find_function(checked_text(name, "name"));
  if (!function)
    fail(GPUARR_ERR_ARGUMENT, "there is no function \"{}\"; gpuarr_apply_describe lists them",
         name);
  return *function;
}

void check_counts(Op function, const gpuarr_arg* inputs, int32_t input_count,
                  gpuarr_array* const* outputs, int32_t output_count) {
  const FunctionRow& row = row_of(function);
  if (input_count < 0 || static_cast<size_t>(input_count) != gpuarr::input_count(row))
    fail(GPUARR_ERR_ARGUMENT, "input_count is {}, but {} takes {}: {}", input_count, row.name,
         gpuarr::input_count(row), row.inputs);
  if (output_count < 0 || static_cast<size_t>(output_count) != gpuarr::output_count(row))
    fail(GPUARR_ERR_ARGUMENT, "output_count is {}, but {} gives {}: {}", output_count, row.name,
         gpuarr::output_count(row), row.outputs);
  if (inputs == nullptr || outputs == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give an array of them",
         inputs == nullptr ? "inputs" : "outputs");
}

struct Description {
  const char*& name;
  const char*& about;
  int32_t& inputs;
  int32_t& outputs;
};

void describe(const FunctionRow& row, const Description& to) {
  to.name = row.name;
  to.about = row.about;
  to.inputs = static_cast<int32_t>(input_count(row));
  to.outputs = static_cast<int32_t>(output_count(row));
}

DType joined_dtype(const gpuarr_arg* args, int32_t count) {
  if (args == nullptr || count < 1)
    fail(GPUARR_ERR_ARGUMENT, "args is {} and count is {}; give at least one argument",
         args == nullptr ? "NULL" : "given", count);
  Joining joining;
  for (int32_t k = 0; k < count; ++k) {
    const std::string label = formatted("args[{}]", k);
    if (args[k].array != nullptr && args[k].flags == 0)
      joining.add_array(deref(args[k].array, label.c_str()).dtype);
    else
      joining.add_scalar(Scalar::from(args[k], label.c_str()).dtype);
  }
  return joining.dtype(Promotes::same);
}

}  // namespace

gpuarr_status gpuarr_apply(gpuarr_array** outputs, int32_t output_count, const char* name,
                           const gpuarr_arg* inputs, int32_t input_count, const gpuarr_array* where,
                           gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const Op function = named(name);
    check_counts(function, inputs, input_count, outputs, output_count);
    gpuarr_array** const places[] = {outputs, outputs + 1};
    call_function(
        function,
        {{places, static_cast<size_t>(output_count)}, {inputs, static_cast<size_t>(input_count)}},
        deref_or_null(where, "where"), stream);
  });
}

int32_t gpuarr_apply_count(void) { return function_count; }

gpuarr_status gpuarr_apply_describe(const char** out_name, const char** out_about,
                                    int32_t* out_inputs, int32_t* out_outputs, int32_t index) {
  return guard(__func__, [&] {
    const Description to{output(out_name, "out_name"), output(out_about, "out_about"),
                         output(out_inputs, "out_inputs"), output(out_outputs, "out_outputs")};
    describe(function_at(index), to);
  });
}

gpuarr_status gpuarr_result_type(gpuarr_dtype* out, const gpuarr_arg* args, int32_t count) {
  return guard_output(__func__, out,
                      [&] { return static_cast<gpuarr_dtype>(joined_dtype(args, count)); });
}
