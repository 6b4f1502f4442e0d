// Expressions as text, and the names in them, from the C ABI's form.
#pragma once

#include <span>
#include <string_view>

#include "expr/eval.hpp"

namespace gpuarr {

std::string_view checked_expression(const char* text);

/// names[k], which none of those before it may be.
std::string_view checked_name(const char* name, int32_t k, std::span<const expr::Variable> before);

}  // namespace gpuarr
