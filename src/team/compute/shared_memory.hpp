// Whether blocked arrays have memory in common, as views of each other do.
#pragma once

#include <algorithm>

#include "kernel/overlap.hpp"
#include "team/blocked/blocked.hpp"

namespace gpuarr::team {

/// Whether elements of any block here lie where those of any block of the other do.
inline bool share_memory(Blocked& one, Blocked& other) {
  return std::ranges::any_of(one.blocks(), [&](const Block& a) {
    return std::ranges::any_of(other.blocks(),
                               [&](const Block& b) { return may_overlap(a.inner, b.inner); });
  });
}

/// Whether all blocks here are the same elements.
inline bool are_same(Blocked& one, Blocked& other) {
  return std::ranges::equal(one.blocks(), other.blocks(), [](const Block& a, const Block& b) {
    return a.number == b.number && a.place == b.place && a.inner.dtype == b.inner.dtype &&
           a.inner.layout == b.inner.layout && a.inner.data == b.inner.data;
  });
}

}  // namespace gpuarr::team
