// The source of a reduction kernel for one variant.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "codegen/elementwise/elementwise.hpp"
#include "codegen/reduction/plan.hpp"

namespace gpuarr {

/// The user's pieces, of a reduction or a scan.
struct ReductionText {
  std::string name;  // of the kernel; its symbol is this and _kernel; of a scan's, see suffix()
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

/// The whole source. `letters` are the placeholders.
std::string reduction_source(const ReductionText& text, const Target& target,
                             const ReductionVariant& variant, std::span<const OperandName> names,
                             std::span<const Letter> letters);

}  // namespace gpuarr
