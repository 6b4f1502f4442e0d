// Arithmetic of numbers alone, as Python does it.
#pragma once

#include <optional>
#include <span>

#include "array/scalar.hpp"
#include "ops/functions/op.hpp"

namespace gpuarr::expr {

/// Whole numbers are exact, of up to 64 bits; fails where a result has more, and for divisions by
/// zero. Nothing if the function is not computed so.
std::optional<Scalar> fold(Op function, std::span<const Scalar> operands);

}  // namespace gpuarr::expr
