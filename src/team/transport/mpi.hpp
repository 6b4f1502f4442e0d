// Messages through the MPI that the process has loaded, whichever that is. Nothing of MPI is
// linked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "team/transport/transport.hpp"

namespace gpuarr::team {

/// Bytes that go in one message of MPI, which counts them with an int.
inline constexpr int64_t mpi_part = int64_t{1} << 30;

/// On a communicator of the user's, of which `comm` is the address and `bytes` the size of an
/// MPI_Comm. All of its processes call this at the same time, in the same order as others of its
/// functions. Messages go through a duplicate, which the communicator keeps for the next one; it
/// stays until MPI_Finalize where the communicator is freed while a transport is in use.
std::unique_ptr<Transport> mpi_transport(const void* comm, size_t bytes, int64_t part = mpi_part);
std::unique_ptr<Transport> mpi_transport_of_fortran(int32_t comm);

/// On all processes. Null where MPI is not initialised, or finalised.
std::unique_ptr<Transport> mpi_transport_of_world();

}  // namespace gpuarr::team
