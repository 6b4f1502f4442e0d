// What is stored though it could be computed where it is used: the planner tries, cuts, and tries
// again.
#pragma once

#include <vector>

#include "expr/plan.hpp"

namespace gpuarr::expr {

/// Decided for all tries that follow.
struct Cuts {
  explicit Cuts(size_t nodes) : stored(nodes, Reason::none), away(nodes) {}

  std::vector<Reason> stored;
  std::vector<char> away;  // nodes that no reduction computes of its results
};

/// Adds cuts that the groups of a plan ask for; false if it is fine as it is.
bool cut(const Numbered& numbered, const Plan& plan, const Limits& limits, Cuts& cuts);

}  // namespace gpuarr::expr
