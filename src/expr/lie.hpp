// How the values of nodes lie in memory, as far as it is known before they are there.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/number.hpp"

namespace gpuarr::expr {

/// Axes count from the last one, so that they are those of a node that broadcasts too.
struct Lie {
  int nearest = -1;     // axis along which elements lie together; -1 if nothing is known
  uint32_t varies = 0;  // a bit for each axis with several elements
};

/// Of each node: an array's own, and of what a loop computes that of the first of its operands that
/// tells axes apart, as loops make new arrays.
std::vector<Lie> lies_of(const Numbered& numbered);

/// Whether no order of axes reads both along what lies together.
inline bool disagree(const Lie& a, const Lie& b) {
  return a.nearest >= 0 && b.nearest >= 0 && a.nearest != b.nearest &&
         (a.varies >> b.nearest & 1) != 0 && (b.varies >> a.nearest & 1) != 0;
}

}  // namespace gpuarr::expr
