// The opaque types that have to do with teams.
#pragma once

#include "c/handles.hpp"
#include "team/blocked/options.hpp"
#include "team/map/inputs.hpp"
#include "team/transport/table.hpp"

struct gpuarr_transport
    : gpuarr::Handle<gpuarr_transport, std::shared_ptr<gpuarr::team::TransportTable>> {};
struct gpuarr_team : gpuarr::Handle<gpuarr_team, std::shared_ptr<gpuarr::team::Team>> {};
struct gpuarr_blocked : gpuarr::Handle<gpuarr_blocked, std::shared_ptr<gpuarr::team::Blocked>> {};
struct gpuarr_blocked_options
    : gpuarr::Handle<gpuarr_blocked_options, gpuarr::team::BlockedOptions> {};

/// Valid while a function of the user's is called for it.
struct gpuarr_block {
  const gpuarr::team::BlockCall& call;
  gpuarr_stream* stream;
};

namespace gpuarr {

/// The team's calls, by their C functions' names. `arguments`: a digest of what must be the same on
/// all places.
template <class Body>
void collective(team::Team& team, const char* function, uint64_t arguments, Body&& body,
                bool alike = false) {
  team.collective({function, arguments, alike}, std::forward<Body>(body));
}

}  // namespace gpuarr
