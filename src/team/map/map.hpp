// Calls that are made for each block of an output: of functions, kernels, expressions.
#pragma once

#include <exception>
#include <functional>

#include "expr/formula.hpp"
#include "kernel/elementwise.hpp"
#include "kernel/raw/raw.hpp"
#include "kernel/reduction.hpp"
#include "team/map/inputs.hpp"

namespace gpuarr::team {

/// Says of an error in which block it happened, and passes it on.
[[noreturn]] void fail_in_block(const std::exception_ptr& error, const BlockCall& call);

/// Calls `work(call)` for each block that this process has and that has elements, in the order of
/// places and blocks.
template <class Work>
void each_block(Blocked& over, Work&& work) {
  Team& team = over.team();
  int64_t done = 0;
  for (const Block& block : over.blocks()) {
    team.tell_progress(done++, static_cast<int64_t>(over.blocks().size()));
    if (block.inner.size() == 0) continue;
    const Dims location = over.grid().location(block.number);
    const BlockCall call{&over, &block, location, over.grid().box(location),
                         team.local(block.place).stream.get()};
    try {
      work(call);
    } catch (...) {
      fail_in_block(std::current_exception(), call);
    }
  }
  team.tell_progress(done, done);
}

/// What is called for each block: `outputs` are the first arrays of the alignment.
using BlockWork = std::function<void(const BlockCall& call, std::span<const Argument> inputs,
                                     std::span<const Array* const> outputs)>;
void map(const Alignment& alignment, size_t outputs, std::span<const MapInput> inputs,
         const BlockWork& work);

/// Threads of a block of a raw kernel, null for one thread for each element.
void map_raw(RawKernel& kernel, const Alignment& alignment, const int64_t* threads,
             std::span<const MapInput> inputs);

/// Each element is start + step * its index in C order of the whole.
void arange(Blocked& target, const Scalar& start, const Scalar& step);

}  // namespace gpuarr::team
