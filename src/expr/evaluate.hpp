// Expressions computed: planned once for all of their kind, then launched.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "expr/node.hpp"

namespace gpuarr::expr {

/// `outputs` has null where an array is to be made; those are returned. A null stream is the
/// current one of the arrays' device.
std::vector<std::optional<Array>> evaluate(std::span<const Expr> roots,
                                           std::span<const Array* const> outputs, Stream* stream);

/// The kernels that it becomes, a line each, and the bytes that they move.
std::string explain(std::span<const Expr> roots);

}  // namespace gpuarr::expr
