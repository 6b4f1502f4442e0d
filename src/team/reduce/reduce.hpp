// Reductions of blocked arrays: partial results of each block, brought together, combined in the
// order of the blocks.
#pragma once

#include <optional>
#include <vector>

#include "kernel/reduction.hpp"
#include "team/map/inputs.hpp"
#include "team/reduce/sets.hpp"

namespace gpuarr::team {

/// A kernel and its arguments, of which the blocked ones are in the alignment.
struct ReductionCall {
  Reduction& kernel;
  Alignment& alignment;
  std::span<const MapInput> inputs;
  AxisRequest axes;
};

/// What is known of the results before anything is sent. Fails alike on all places.
struct ResultFacts {
  Grid grid;  // of the kept blocks, in the results' axes
  std::vector<DType> dtypes;
  std::vector<bool> reduced;  // by axis of the inputs
};
ResultFacts facts_of(const ReductionCall& call);

/// An array for results that is replicated, in one block.
std::shared_ptr<Blocked> make_result(Team& team, const ResultFacts& facts, size_t output);

/// How partial results, which are numbers of a dtype, may be combined by the devices.
struct FastCombine {
  Combine how;
  DType partial;
};

/// Collective.
void reduce(const ReductionCall& call, const ResultFacts& facts,
            std::span<const std::shared_ptr<Blocked>> outputs,
            std::optional<FastCombine> fast = std::nullopt);

}  // namespace gpuarr::team
