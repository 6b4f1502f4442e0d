#include "c/function_call.hpp"

#include <cstddef>
#include <new>

#include "core/error.hpp"

namespace gpuarr {
namespace {

// A bound of clip may be left out; then neither is set.
Argument argument_of(Op function, size_t k, const gpuarr_arg& arg, std::byte* scalar) {
  const FunctionRow& row = row_of(function);
  if (arg.array != nullptr && arg.flags == 0) {
    const std::string label = tracking() ? input_name(row, k) : std::string();
    return {&deref(arg.array, label.c_str()), nullptr};
  }
  if (arg.dtype == 0 && arg.flags == 0) {
    if (function == Op::clip && k > 0) return {nullptr, nullptr};
    fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give an array, or a scalar where that is taken",
         input_name(row, k));
  }
  const std::string label = is_dtype(arg.dtype) && arg.flags == 0 ? "" : input_name(row, k);
  return {nullptr, new (scalar) Scalar(Scalar::from(arg, label.c_str()))};
}

}  // namespace

void call_function(Op function, const Operands& operands, const Array* where,
                   gpuarr_stream* stream) {
  const FunctionRow& row = row_of(function);
  // A call has no time to clear what it does not use.
  alignas(Scalar) std::array<std::byte, most_function_inputs * sizeof(Scalar)> scalars;
  std::array<Argument, most_function_inputs> inputs;
  std::array<const Array*, 2> outputs;
  for (size_t k = 0; k < operands.outputs.size(); ++k) {
    if (operands.outputs[k] == nullptr)
      fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give the address of a variable", output_name(row, k));
    outputs[k] = deref_or_null(*operands.outputs[k], "*out");
  }
  for (size_t k = 0; k < operands.inputs.size(); ++k)
    inputs[k] = argument_of(function, k, operands.inputs[k], &scalars[k * sizeof(Scalar)]);
  auto made = apply(function, {inputs.data(), operands.inputs.size()},
                    {outputs.data(), operands.outputs.size()}, where, stream_or_null(stream));
  if (made.empty()) return;
  std::array<MadeResult, 2> results;
  for (size_t n = 0; auto& [k, array] : made)
    results[n++] = {operands.outputs[static_cast<size_t>(k)], std::move(array)};
  hand_out({results.data(), made.size()});
}

}  // namespace gpuarr
