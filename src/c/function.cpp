// gpuarr/function.h: check, convert, call.
#include "gpuarr/function.h"

#include "c/expr_handles.hpp"
#include "c/guard.hpp"
#include "c/kernel_handles.hpp"
#include "c/operation_arguments.hpp"
#include "expr/open.hpp"

using namespace gpuarr;
using expr::Formula;

namespace {

constexpr int32_t most_inputs = 1024;

void check_number(const char* what, size_t expected, int32_t given) {
  if (given < 0 || static_cast<size_t>(given) != expected)
    fail(GPUARR_ERR_ARGUMENT, "{}_count is {}, but the function has {} {}{}", what, given, expected,
         what, expected == 1 ? "" : "s");
}

// The inputs of a call; arguments point to the scalars.
struct Inputs {
  Inputs(const Formula& formula, const gpuarr_arg* inputs, int32_t count) {
    check_number("input", formula.input_count(), count);
    if (count > 0 && inputs == nullptr)
      fail(GPUARR_ERR_ARGUMENT, "inputs is NULL; give {} of them", count);
    arguments.reserve(static_cast<size_t>(count));
    scalars.reserve(static_cast<size_t>(count));
    for (int32_t k = 0; k < count; ++k) add(inputs[k], k);
  }

  void add(const gpuarr_arg& input, int32_t k) {
    const bool is_array = input.array != nullptr && input.flags == 0;
    const std::string label = is_array && !tracking() ? std::string() : formatted("inputs[{}]", k);
    if (is_array) {
      arguments.push_back({&deref(input.array, label.c_str()), nullptr});
      return;
    }
    if (input.dtype == 0 && input.flags == 0)
      fail(GPUARR_ERR_ARGUMENT,
           "{} is neither an array nor a scalar; an array must not be NULL, and a scalar has a "
           "dtype",
           label);
    scalars.push_back(Scalar::from(input, label.c_str()));
    arguments.push_back({nullptr, &scalars.back()});
  }

  std::vector<Argument> arguments;
  std::vector<Scalar> scalars;
};

std::vector<const Array*> outputs_of(const Formula& formula, gpuarr_array* const* outputs,
                                     int32_t count) {
  check_number("output", formula.output_count(), count);
  return given_outputs(outputs, formula.output_count());
}

}  // namespace

gpuarr_status gpuarr_expr_input(gpuarr_expr** out, int32_t number) {
  return guard_output(__func__, out, [&] {
    if (number < 0 || number >= most_inputs)
      fail(GPUARR_ERR_ARGUMENT, "number is {}; give 0 to {}", number, most_inputs - 1);
    return gpuarr_expr::make(expr::input_node(number));
  });
}

gpuarr_status gpuarr_function_create(gpuarr_function** out, const gpuarr_expr* const* exprs,
                                     int32_t count) {
  return guard_output(__func__, out, [&] {
    const auto list = exprs_of(exprs, count, "exprs");
    return gpuarr_function::make(std::make_shared<const Formula>(
        std::vector<expr::Expr>(list.all().begin(), list.all().end())));
  });
}

gpuarr_function* gpuarr_function_retain(gpuarr_function* function) { return retain(function); }
void gpuarr_function_release(gpuarr_function* function) { release(function); }

int32_t gpuarr_function_input_count(const gpuarr_function* function) {
  return is_live(function) ? static_cast<int32_t>(function->impl->input_count()) : 0;
}

int32_t gpuarr_function_output_count(const gpuarr_function* function) {
  return is_live(function) ? static_cast<int32_t>(function->impl->output_count()) : 0;
}

gpuarr_status gpuarr_function_call(const gpuarr_function* function, gpuarr_array** outputs,
                                   int32_t output_count, const gpuarr_arg* inputs,
                                   int32_t input_count, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const Formula& formula = *deref(function, "function");
    const auto given = outputs_of(formula, outputs, output_count);
    const Inputs in(formula, inputs, input_count);
    hand_out_made(outputs, formula.call(in.arguments, given, stream_or_null(stream)));
  });
}

gpuarr_status gpuarr_function_prepare(gpuarr_call** out, const gpuarr_function* function,
                                      gpuarr_array* const* outputs, int32_t output_count,
                                      const gpuarr_arg* inputs, int32_t input_count) {
  return guard_output(__func__, out, [&] {
    const Formula& formula = *deref(function, "function");
    const auto given = outputs_of(formula, outputs, output_count);
    for (size_t k = 0; k < given.size(); ++k)
      if (given[k] == nullptr)
        fail(GPUARR_ERR_ARGUMENT, "outputs[{}] is NULL; a prepared call needs all outputs", k);
    const Inputs in(formula, inputs, input_count);
    return gpuarr_call::make(formula.prepare(in.arguments, given));
  });
}

gpuarr_status gpuarr_function_explain(const char** out, const gpuarr_function* function,
                                      const gpuarr_arg* inputs, int32_t input_count) {
  return guard_output(__func__, out, [&] {
    const Formula& formula = *deref(function, "function");
    const Inputs in(formula, inputs, input_count);
    return keep_text<struct FunctionExplanation>(formula.explain(in.arguments));
  });
}
