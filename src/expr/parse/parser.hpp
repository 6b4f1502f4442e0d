// The text of an expression as a postfix program: by precedence of operators, with a stack of what
// is open, so that nothing is too deep.
#pragma once

#include "expr/parse/parsed.hpp"

namespace gpuarr::expr {

/// Fails with GPUARR_ERR_SYNTAX, and with GPUARR_ERR_ARGUMENT where a function is unknown or is
/// called with other arguments than it has; the message shows where.
Parsed parse(std::string_view text);

}  // namespace gpuarr::expr
