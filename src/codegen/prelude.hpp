// The text that goes before a generated kernel: types, functions, views (see prelude/README.md).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/dtype.hpp"

namespace gpuarr {

enum class Target { cuda, host };

/// The parts that a kernel wants beside the base. Parsing is most of what compiling costs.
struct PreludeNeeds {
  bool half = false;
  bool bfloat16 = false;
  bool complex = false;
  bool complex_math = false;     // exp, sqrt, sin ... of complex numbers
  bool complex_inverse = false;  // asin, acosh ... of complex numbers
  bool views = false;            // raw parameters, _ind
  bool intrinsics = false;       // __popc, __float_as_int ...; CUDA has them without
  bool atomics = false;
  bool reports = false;  // _report
};

/// What a kernel of these element types and pieces of user text wants. Words in comments and string
/// literals count too: they cost a little time, not correctness. Raw parameters are for the caller
/// to add (views).
PreludeNeeds needs_of(std::span<const DType> dtypes, std::span<const std::string_view> user_texts);

std::string prelude_text(Target target, const PreludeNeeds& needs);

}  // namespace gpuarr
