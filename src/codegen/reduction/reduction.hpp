// The source of a reduction kernel for one plan.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "codegen/elementwise/elementwise.hpp"
#include "codegen/reduction/plan.hpp"

namespace gpuarr {

/// The user's pieces.
struct ReductionText {
  std::string name;  // of the kernel; its symbol is this and _kernel
  std::string preamble;
  std::string reduce_type;  // as C++ spells it
  std::string map;
  std::string reduce;
  std::string post;
  std::optional<std::string> identity;
  std::string defines = {};  // macros that were given as options
};

/// Reads the texts' tokens. Whether the operator is commutative they do not say.
ReductionTraits traits_of(const ReductionText& text);

/// The whole source. `letters` are the placeholders and what they stand for.
std::string reduction_source(const ReductionText& text, const ReductionPlan& plan,
                             std::span<const Operand> operands, std::span<const OperandName> names,
                             std::span<const std::pair<char, DType>> letters);

}  // namespace gpuarr
