// What a caller wishes of a new blocked array.
#pragma once

#include <array>
#include <optional>
#include <span>
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

/// What a place tells of an array that it has; sent as it lies in memory.
struct Told {
  int32_t dtype = 0;
  int32_t ndim = 0;
  int64_t is_f_order = 0;                   // and not C order as well
  std::array<int64_t, max_ndim> extents{};  // halo included
};

/// Of the arrays of all places. Collective.
std::vector<Told> tell_arrays(Team& team, std::span<const Array* const> arrays);

/// The layout of arrays that the places have already.
BlockedLayout layout_of_arrays(const BlockedOptions& options, const Team& team,
                               const std::vector<Told>& all, const int64_t* counts);

}  // namespace gpuarr::team
