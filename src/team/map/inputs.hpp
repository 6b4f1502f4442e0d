// Arguments of kernels that are called for each block: what each call gets in their place.
#pragma once

#include <span>
#include <vector>

#include "kernel/binding.hpp"
#include "kernel/raw/raw.hpp"
#include "team/map/align.hpp"

namespace gpuarr::team {

/// Where a call is made.
struct BlockCall {
  Blocked* over;
  const Block* block;  // null: of none, and its arrays have no elements
  Dims location;
  Box box;  // the block's indices in the global array
  Stream* stream;
};

struct MapInput {
  enum class Kind { same, blocked, start, extent, size };
  Kind kind = Kind::same;
  size_t aligned = 0;      // blocked: which of the alignment's arrays
  bool with_halo = false;  // it has its ghost cells
  bool as_view = false;    // a raw kernel gets it as a view
  int axis = 0;            // start, extent
  Argument same = {};      // what all calls get
  RawArgument raw = {};    // the same for a raw kernel
};

/// The number that stands for an input in a block's call; not for blocked ones and the same.
Scalar number_for(const MapInput& input, const BlockCall& call);

/// The arguments of one call after the other.
class BlockArguments {
 public:
  BlockArguments(const Alignment& alignment, std::span<const MapInput> inputs);

  std::span<const Argument> of(const BlockCall& call);
  std::span<const RawArgument> raw_of(const BlockCall& call);

 private:
  const Alignment& alignment_;
  std::span<const MapInput> inputs_;
  std::vector<Array> arrays_;
  std::vector<Scalar> scalars_;
  std::vector<Argument> arguments_;
  std::vector<RawArgument> raw_;
};

}  // namespace gpuarr::team
