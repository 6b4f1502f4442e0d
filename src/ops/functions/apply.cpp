// How a function is run.
#include <algorithm>
#include <cstddef>
#include <new>

#include "core/error.hpp"
#include "ops/functions/functions.hpp"

namespace gpuarr {
namespace {

void check_arguments(const FunctionRow& r, std::span<const Argument> inputs,
                     std::span<const Array* const> outputs, const Array* where) {
  const auto is_array = [](const Argument& a) { return a.array != nullptr; };
  const auto is_given = [](const Array* a) { return a != nullptr; };
  if (std::ranges::none_of(inputs, is_array) && std::ranges::none_of(outputs, is_given))
    fail(GPUARR_ERR_ARGUMENT, "no argument is an array; give one, or an output");
  if (where == nullptr) return;
  if (where->dtype != DType::boolean)
    fail(GPUARR_ERR_DTYPE, "where is {}; give an array of bools", name(where->dtype));
  for (size_t k = 0; k < outputs.size(); ++k)
    if (outputs[k] == nullptr)
      fail(GPUARR_ERR_ARGUMENT,
           "{} is NULL, but where keeps elements of the output; give the output",
           output_name(r, k));
}

}  // namespace

MadeOutputs run_function(Op function, DType dtype, std::span<const Argument> inputs,
                         std::span<const Array* const> outputs, const Array* where,
                         Stream* stream) {
  const FunctionRow& r = row_of(function);
  FunctionVariant variant{dtype};
  variant.masked = where != nullptr;
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (outputs[k] == nullptr) continue;
    const DType result = result_dtype(k == 0 ? r.gives : r.gives_second, dtype);
    const DType given = outputs[k]->dtype;
    variant.converts[k] = given != result;
    if (given != result && !may_become(result, given))
      fail(GPUARR_ERR_DTYPE, "{} is {}, to which the result's {} is not converted; give {}",
           output_name(r, k), name(given), name(result), name(result));
  }
  Elementwise& kernel = function_kernel(function, variant);
  alignas(Scalar) std::array<std::byte, most_function_inputs * sizeof(Scalar)> scalars;
  std::array<Argument, most_function_inputs + 1> arguments;
  for (size_t k = 0; k < inputs.size(); ++k) {
    arguments[k] = inputs[k];
    if (inputs[k].scalar == nullptr || dtype == mixed_integers || !is_promoted(r, k)) continue;
    auto* scalar = new (&scalars[k * sizeof(Scalar)]) Scalar{dtype};
    const bool to_infinity = r.gives == Gives::truth;  // any number may be compared with
    inputs[k].scalar->convert_to(dtype, scalar->bytes, input_name(r, k).c_str(), to_infinity);
    arguments[k].scalar = scalar;
  }
  if (where != nullptr) arguments[inputs.size()] = {where, nullptr};
  const size_t count = inputs.size() + (where != nullptr ? 1 : 0);
  return kernel.call({arguments.data(), count}, outputs, no_size, stream);
}

MadeOutputs apply(Op function, std::span<const Argument> inputs,
                  std::span<const Array* const> outputs, const Array* where, Stream* stream) {
  check_arguments(row_of(function), inputs, outputs, where);
  std::array<Typed, most_function_inputs> types;
  for (size_t k = 0; k < inputs.size(); ++k) types[k] = typed_of(inputs[k]);
  const Resolved by = resolve(function, {types.data(), inputs.size()});
  std::array<Argument, most_function_inputs> taken;
  for (size_t k = 0; k < by.count; ++k)
    taken[k] =
        by.inputs[k] == Resolved::made ? Argument{nullptr, &by.scalar} : inputs[by.inputs[k]];
  return run_function(by.function, by.dtype, {taken.data(), by.count}, outputs, where, stream);
}

}  // namespace gpuarr
