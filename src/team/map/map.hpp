// Calls that are made for each block of an output: of functions, kernels, expressions.
#pragma once

#include <functional>
#include <variant>

#include "expr/formula.hpp"
#include "kernel/elementwise.hpp"
#include "kernel/raw/raw.hpp"
#include "kernel/reduction.hpp"
#include "team/map/align.hpp"

namespace gpuarr::team {

/// Where a call is made.
struct BlockCall {
  Blocked* over;
  const Block* block;
  Dims location;
  Box box;  // the block's indices in the global array
  Stream* stream;
};

/// Ends what is said of an error with where it happened, and passes it on.
[[noreturn]] void fail_in_block(const BlockCall& call);

/// Calls `work(call)` for each block that this process has and that has elements, in the order of
/// places and blocks.
template <class Work>
void each_block(Blocked& over, Work&& work) {
  for (const Block& block : over.blocks()) {
    if (block.inner.size() == 0) continue;
    const Dims location = over.grid().location(block.number);
    const BlockCall call{&over, &block, location, over.grid().box(location),
                         over.team().local(block.place).stream.get()};
    try {
      work(call);
    } catch (...) {
      fail_in_block(call);
    }
  }
}

/// An input of a kernel: a blocked array, by its place in the alignment; or what every block gets
/// alike.
struct MapInput {
  int aligned = -1;
  bool with_halo = false;
  Argument other = {};
};

void map_elementwise(Elementwise& kernel, Alignment& alignment, size_t outputs,
                     std::span<const MapInput> inputs);

}  // namespace gpuarr::team
