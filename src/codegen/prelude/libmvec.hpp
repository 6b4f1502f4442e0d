// Functions of libm that the CPU computes by libmvec: host/libmvec.cuh says why a kernel names
// those that it calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/user_text.hpp"

namespace gpuarr {

/// A set of them, a bit for each.
using VectorMath = uint32_t;
constexpr VectorMath all_vector_math = ~VectorMath{0};

/// Those that a text calls: by exp, expf, __expf, or by functions of the prelude that call some.
VectorMath vector_math_of(const UserText& text, bool complex);

/// Lines that stand behind host/libmvec.cuh.
std::string vector_math_text(VectorMath set);

}  // namespace gpuarr
