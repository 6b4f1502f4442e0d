// Ghost cells filled from the neighbours' elements, corners too.
#pragma once

#include "team/move/exchange.hpp"

namespace gpuarr::team {

/// Whether begin_halo() was called, and end_halo() not yet.
bool has_begun_halo(const Blocked& blocked);

/// Collective, all of them. Work on the ghost cells in the places' streams is ordered.
void exchange_halo(Blocked& blocked);
void begin_halo(Blocked& blocked);
void end_halo(Blocked& blocked);

}  // namespace gpuarr::team
