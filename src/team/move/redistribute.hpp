// Elements into other blocks, on other places, and between blocks and the program's memory.
#pragma once

#include "team/move/exchange.hpp"

namespace gpuarr::team {

/// target[...] = source, of equal shape and dtype, whatever the blocks are. Collective.
void redistribute(Blocked& target, Blocked& source);

/// Adds what a box of a place gets out of the blocks, as far as this process has an end of it;
/// `target` has the box's shape, and is null where the place is elsewhere.
void add_box(std::vector<Move>& moves, Blocked& source, const Box& box, int place,
             const Array* target);

/// A view of the same blocks with permuted axes: axis i is the array's axes[i].
std::shared_ptr<Blocked> transposed(Blocked& blocked, const std::vector<int>& axes);

/// Where the elements of a box go to, or come from: an array of their shape in the host's memory.
struct Slab {
  Box box;
  int place;     // whose process has the memory; -1: each place's process has its own
  Array memory;  // where it is not this process that has it: none
};
/// Complete on return, on all places. Collective.
void read_slab(const Slab& slab, Blocked& blocked);
void write_slab(Blocked& blocked, const Slab& slab);

}  // namespace gpuarr::team
