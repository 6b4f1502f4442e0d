// How a function is run: its dtypes, its scalars, and what special arguments make of it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <new>

#include "core/error.hpp"
#include "ops/functions/functions.hpp"

namespace gpuarr {
namespace {

DType dtype_of_argument(const Argument& a) {
  return a.array != nullptr ? a.array->dtype : a.scalar->dtype;
}

bool holds(DType dtype, const Scalar& scalar) {
  const bool is_signed = facts_of(dtype).kind == DTypeKind::integer;
  const long double limit = std::ldexp(1.0L, size_of(dtype) * 8 - (is_signed ? 1 : 0));
  return scalar.real() < limit && scalar.real() >= (is_signed ? -limit : 0);
}

// Integers that no integer type has in common, or a scalar that the arrays' does not hold.
bool is_mixed(std::span<const Argument> inputs, DType joined) {
  if (joined == DType::f64)
    return std::ranges::none_of(inputs,
                                [](const Argument& a) { return is_inexact(dtype_of_argument(a)); });
  return is_integer(joined) && std::ranges::any_of(inputs, [&](const Argument& a) {
           return a.scalar != nullptr && !holds(joined, *a.scalar);
         });
}

MadeOutputs run(Op function, DType dtype, std::span<const Argument> inputs,
                std::span<const Array* const> outputs, const Array* where, Stream* stream) {
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

// Common exponents, most of which NumPy's operator ** takes so too.
Op power_by(const Scalar& exponent, DType dtype) {
  const long double y = exponent.real();
  if (is_integer(dtype) && y < 0)
    fail(GPUARR_ERR_ARGUMENT,
         "y is {}, but negative powers of integers are not integers; make x a float",
         exponent.to_text());
  if (exponent.imaginary() != 0) return Op::power;
  if (y == 2) return Op::square;
  if (y == 1) return Op::positive;
  if (y == 3 && !is_complex(dtype)) return Op::cube;
  if (is_inexact(dtype) && y == 0.5L) return Op::sqrt;
  return is_inexact(dtype) && y == -1 ? Op::reciprocal : Op::power;
}

struct Rounding {
  Op function = Op::round;
  Scalar scale = {};
};

Rounding rounding_to(const Argument& decimals, DType dtype) {
  if (decimals.scalar == nullptr || !is_integer(decimals.scalar->dtype))
    fail(GPUARR_ERR_ARGUMENT, "decimals is {}; give an integer",
         decimals.scalar != nullptr ? decimals.scalar->to_text() : "an array");
  const auto places = static_cast<int>(std::clamp(decimals.scalar->real(), -999.0L, 999.0L));
  if (dtype == DType::boolean || (is_integer(dtype) && places >= 0))
    return {Op::round, *decimals.scalar};
  if (places == 0) return {Op::rint};
  if (!is_integer(dtype))
    return {places > 0 ? Op::round_after : Op::round_before,
            Scalar::of(std::pow(10.0, std::abs(places)))};
  uint64_t divisor = places < -19 ? 0 : 1;  // 0: larger than any integer
  for (int k = places; divisor != 0 && k < 0; ++k) divisor *= 10;
  return {Op::round_before, Scalar::of(divisor)};
}

bool is_none(const Argument& a) { return a.array == nullptr && a.scalar == nullptr; }

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

void check_exponent(const Argument& exponent) {
  if (is_inexact(dtype_of_argument(exponent)))
    fail(GPUARR_ERR_DTYPE, "exponent is {}; give integers", name(dtype_of_argument(exponent)));
}

void check_tolerances(std::span<const Argument> tolerances) {
  for (const Argument& a : tolerances)
    if (a.scalar == nullptr || is_complex(a.scalar->dtype))
      fail(GPUARR_ERR_ARGUMENT, "rtol, atol and equal_nan are real scalars, not arrays");
}

}  // namespace

DType computed_dtype(const FunctionRow& row, std::span<const Argument> inputs) {
  const auto joined =
      inputs.subspan(row.first_promoted, std::min(row.promoted_count, inputs.size()));
  Joining joining;
  for (const Argument& a : joined)
    if (a.array != nullptr)
      joining.add_array(a.array->dtype);
    else
      joining.add_scalar(a.scalar->dtype);
  const DType dtype = joining.dtype(row.promotes);
  return row.compares && is_mixed(joined, dtype) ? mixed_integers : dtype;
}

MadeOutputs apply(Op function, std::span<const Argument> inputs,
                  std::span<const Array* const> outputs, const Array* where, Stream* stream) {
  const FunctionRow& r = row_of(function);
  check_arguments(r, inputs, outputs, where);
  if (function == Op::clip && (is_none(inputs[1]) || is_none(inputs[2]))) {
    const bool has_low = !is_none(inputs[1]);
    const Argument bounded[] = {inputs[0], inputs[has_low ? 1 : 2]};
    if (is_none(bounded[1])) fail(GPUARR_ERR_ARGUMENT, "low and high are both left out; give one");
    return apply(has_low ? Op::maximum : Op::minimum, bounded, outputs, where, stream);
  }
  const DType dtype = computed_dtype(r, inputs);
  if (function == Op::power && inputs[1].scalar != nullptr) {
    const Op by = power_by(*inputs[1].scalar, dtype);
    return run(by, dtype, inputs.first(by == Op::power ? 2 : 1), outputs, where, stream);
  }
  if (function == Op::round) {
    const Rounding to = rounding_to(inputs[1], dtype);
    const Argument rounded[] = {inputs[0], {nullptr, &to.scale}};
    const size_t count = to.function == Op::rint ? 1 : 2;
    return run(to.function, dtype, {rounded, count}, outputs, where, stream);
  }
  if (function == Op::ldexp) check_exponent(inputs[1]);
  if (function == Op::isclose) check_tolerances(inputs.subspan(2));
  return run(function, dtype, inputs, outputs, where, stream);
}

}  // namespace gpuarr
