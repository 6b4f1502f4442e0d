// Rows of all processes, brought together by the host's memory.
#pragma once

#include "array/array.hpp"
#include "team/places/team.hpp"

namespace gpuarr::team {

/// `rows` has a row for each process, side by side, of which this one's is filled: now all are.
/// Collective, also where some places have GPUs and others have none.
void gather_rows(Team& team, Place& place, const Array& rows);

}  // namespace gpuarr::team
