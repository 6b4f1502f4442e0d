// What a caller wishes of a new blocked array.
#pragma once

#include <optional>
#include <vector>

#include "gpuarr/blocked.h"
#include "team/blocked/blocked.hpp"

namespace gpuarr::team {

struct BlockedOptions {
  int32_t placement = GPUARR_PLACEMENT_BALANCED;
  std::vector<int32_t> owners;  // empty: by the placement
  Halo halo;
  gpuarr_arg fill = {};  // of ghost cells; dtype 0: zero
  Order order = Order::c;
};

/// Checks them against what is created. `chunk` is null where the first axis is divided by the
/// places.
BlockedLayout layout_of(const BlockedOptions& options, Team& team, DType dtype, const Dims& shape,
                        const int64_t* chunk);

/// The layout of arrays that the places have already, by what all tell of theirs. Collective.
BlockedLayout layout_of_arrays(const BlockedOptions& options, Team& team,
                               std::span<const Array* const> arrays, const int64_t* counts);

}  // namespace gpuarr::team
