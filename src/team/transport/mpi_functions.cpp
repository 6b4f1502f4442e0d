// Constants and Fortran's handles of each interface, by which they differ.
#include "team/transport/mpi_functions.hpp"

#include <memory>

#include "core/once.hpp"

namespace gpuarr::team {
namespace {

void* pointer_of(uintptr_t value) { return reinterpret_cast<void*>(value); }

}  // namespace

// MPICH's mpi.h, which it and those of its family have kept since 2014 (mpich.org/abi).
template <>
MpiConstants<int> mpi_constants(const MpiLibrary& /*library*/) {
  return {.comm_null = 0x04000000,
          .comm_world = 0x44000000,
          .byte = 0x4c00010d,
          .errors_return = 0x54000001,
          .any_source = -2,
          .source = 2,
          .serialized = 2,
          .multiple = 3};
}

// Open MPI's are addresses. Those of the standard are of MPI 5.0, as the MPI Forum's mpi-abi-stubs
// has them in mpi.h.
template <>
MpiConstants<void*> mpi_constants(const MpiLibrary& library) {
  if (library.abi == MpiAbi::standard)
    return {.comm_null = pointer_of(0x100),
            .comm_world = pointer_of(0x101),
            .byte = pointer_of(0x247),
            .errors_return = pointer_of(0x142),
            .any_source = -1,
            .source = 0,
            .serialized = 2048,
            .multiple = 4096};
  return {.comm_null = library.find("ompi_mpi_comm_null"),
          .comm_world = library.find("ompi_mpi_comm_world"),
          .byte = library.find("ompi_mpi_byte"),
          .errors_return = library.find("ompi_mpi_errors_return"),
          .any_source = -1,
          .source = 0,
          .serialized = 2,
          .multiple = 3};
}

// In MPICH they are the same, for which older ones have macros only.
template <>
int MpiFunctions<int>::of_fortran(int32_t comm) const {
  return comm;
}

template <>
int32_t MpiFunctions<int>::to_fortran(int comm) const {
  return comm;
}

template <>
void* MpiFunctions<void*>::of_fortran(int32_t comm) const {
  const char* name = library.abi == MpiAbi::standard ? "MPI_Comm_fromint" : "MPI_Comm_f2c";
  return reinterpret_cast<void* (*)(int)>(library.find(name))(comm);
}

template <>
int32_t MpiFunctions<void*>::to_fortran(void* comm) const {
  const char* name = library.abi == MpiAbi::standard ? "MPI_Comm_toint" : "MPI_Comm_c2f";
  return reinterpret_cast<int (*)(void*)>(library.find(name))(comm);
}

template <class Handle>
const MpiFunctions<Handle>& mpi_functions() {
  static constinit std::atomic<MpiFunctions<Handle>*> once{nullptr};
  return made_once(once, [] { return std::make_unique<MpiFunctions<Handle>>(mpi_library()); });
}

template const MpiFunctions<int>& mpi_functions();
template const MpiFunctions<void*>& mpi_functions();

}  // namespace gpuarr::team
