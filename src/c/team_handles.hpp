// The opaque types that have to do with teams.
#pragma once

#include "c/handles.hpp"
#include "team/transport/table.hpp"

struct gpuarr_transport
    : gpuarr::Handle<gpuarr_transport, std::shared_ptr<gpuarr::team::TransportTable>> {};
