// Expressions of inputs that are not known yet. Each node keeps how it is made, and is made, with
// its dtype, shape and errors, when the inputs are known.
#pragma once

#include <span>
#include <vector>

#include "expr/node.hpp"

namespace gpuarr::expr {

Expr input_node(int32_t number);

bool is_any_open(std::span<const Expr> operands);

Expr open_node(std::span<const Expr> operands, OpenNode part);

/// How many inputs the expressions have: one more than the largest number.
size_t count_inputs(std::span<const Expr> roots);

/// Which inputs decide by what they are worth, as the exponent in x**2 does.
std::vector<char> inputs_read(std::span<const Expr> roots, size_t count);

/// The expressions with `inputs` in place of their inputs. Fails as the functions that make nodes.
std::vector<Expr> closed(std::span<const Expr> roots, std::span<const Expr> inputs);

}  // namespace gpuarr::expr
