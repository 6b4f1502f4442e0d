// All processes that this one was started with, however that was.
#pragma once

#include <memory>

#include "team/transport/transport.hpp"

namespace gpuarr::team {

/// Of `gpuarr run`; else MPI's world, for which MPI is started if a launcher of MPI started the
/// process and nobody has done it. Null for one process. All processes call it at the same time.
std::unique_ptr<Transport> world_transport();

}  // namespace gpuarr::team
