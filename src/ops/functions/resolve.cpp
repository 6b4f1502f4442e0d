// What computes a function of inputs of some dtypes: what special scalars make of it.
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "ops/functions/functions.hpp"

namespace gpuarr {
namespace {

bool holds(DType dtype, const Scalar& scalar) {
  const bool is_signed = facts_of(dtype).kind == DTypeKind::integer;
  const long double limit = std::ldexp(1.0L, size_of(dtype) * 8 - (is_signed ? 1 : 0));
  return scalar.real() < limit && scalar.real() >= (is_signed ? -limit : 0);
}

// Integers that no integer type has in common, or a scalar that the arrays' does not hold.
bool is_mixed(std::span<const Typed> inputs, DType joined) {
  if (joined == DType::f64)
    return std::ranges::none_of(inputs, [](const Typed& t) { return is_inexact(t.dtype); });
  return is_integer(joined) && std::ranges::any_of(inputs, [&](const Typed& t) {
           return t.scalar != nullptr && !holds(joined, *t.scalar);
         });
}

DType computed_dtype(const FunctionRow& row, std::span<const Typed> inputs) {
  const auto joined =
      inputs.subspan(row.first_promoted, std::min(row.promoted_count, inputs.size()));
  Joining joining;
  for (const Typed& t : joined)
    if (t.scalar == nullptr)
      joining.add_array(t.dtype);
    else
      joining.add_scalar(t.dtype);
  const DType dtype = joining.dtype(row.promotes);
  return row.compares && is_mixed(joined, dtype) ? mixed_integers : dtype;
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

Rounding rounding_to(const Typed& decimals, DType dtype) {
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

void check_exponent(const Typed& exponent) {
  if (is_inexact(exponent.dtype))
    fail(GPUARR_ERR_DTYPE, "exponent is {}; give integers", name(exponent.dtype));
}

void check_tolerances(std::span<const Typed> tolerances) {
  for (const Typed& t : tolerances)
    if (t.scalar == nullptr || is_complex(t.dtype))
      fail(GPUARR_ERR_ARGUMENT, "rtol, atol and equal_nan are real scalars, not arrays");
}

// One variable is returned, so that it is made in place: what is copied waits for its bytes.
Resolved resolve_all(Op function, std::span<const Typed> inputs) {
  const DType dtype = computed_dtype(row_of(function), inputs);
  Resolved found{function, dtype, inputs.size(), {0, 1, 2, 3, 4}, {}};
  if (function == Op::power && inputs[1].scalar != nullptr) {
    found.function = power_by(*inputs[1].scalar, dtype);
    if (found.function != Op::power) found.count = 1;
  }
  if (function == Op::round) {
    const Rounding to = rounding_to(inputs[1], dtype);
    found.function = to.function;
    found.count = to.function == Op::rint ? 1 : 2;
    found.inputs[1] = Resolved::made;
    found.scalar = to.scale;
  }
  if (function == Op::ldexp) check_exponent(inputs[1]);
  if (function == Op::isclose) check_tolerances(inputs.subspan(2));
  return found;
}

Resolved with_one_bound(std::span<const Typed> inputs) {
  const bool has_low = !inputs[1].is_none();
  const Typed bounded[] = {inputs[0], inputs[has_low ? 1 : 2]};
  if (bounded[1].is_none()) fail(GPUARR_ERR_ARGUMENT, "low and high are both left out; give one");
  Resolved found = resolve_all(has_low ? Op::maximum : Op::minimum, bounded);
  if (!has_low) found.inputs[1] = 2;
  return found;
}

}  // namespace

Resolved resolve(Op function, std::span<const Typed> inputs) {
  if (function == Op::clip && (inputs[1].is_none() || inputs[2].is_none()))
    return with_one_bound(inputs);
  return resolve_all(function, inputs);
}

}  // namespace gpuarr
