// Messages between processes of one machine that `gpuarr run` started, through sockets.
#pragma once

#include <memory>

#include "team/transport/transport.hpp"

namespace gpuarr::team {

/// Null if the process was not started so. Every process calls it equally often; the transports
/// share the sockets, and none gets what was sent to another.
std::unique_ptr<Transport> run_transport();

}  // namespace gpuarr::team
