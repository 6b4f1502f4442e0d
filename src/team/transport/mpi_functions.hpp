// The functions of MPI that are used, for handles of one kind: the one list of them.
#pragma once

#include <cstdint>

#include "core/library.hpp"
#include "team/transport/mpi_library.hpp"

namespace gpuarr::team {

/// Constants of mpi.h, of which no two interfaces have the same.
template <class Handle>
struct MpiConstants {
  Handle comm_null, comm_world, byte, errors_return;
  int any_source;
  int source;  // where a status has it, in ints
  int serialized, multiple;
};

template <class Handle>
MpiConstants<Handle> mpi_constants(const MpiLibrary& library);

/// Room for the largest status; nobody may ignore one, since that is another constant.
struct MpiStatus {
  alignas(8) int words[32];
};

/// `Handle` is void* or int. Each fails with GPUARR_ERR_PEER, and needs an error handler that
/// returns, where it is of a communicator.
template <class Handle>
struct MpiFunctions {
  explicit MpiFunctions(const MpiLibrary& its_library)
      : library(its_library), constants(mpi_constants<Handle>(its_library)) {}
  MpiFunctions(const MpiFunctions&) = delete;
  MpiFunctions& operator=(const MpiFunctions&) = delete;

  const MpiLibrary& library;
  const MpiConstants<Handle> constants;

  using CopyAttribute = int(Handle, int, void*, void*, void*, int*);
  using DeleteAttribute = int(Handle, int, void*, void*);

  template <class F>
  using Fn = Call<MpiLibrary, F>;
  // buffer, count, type, process, tag, communicator, request
  Fn<int (*)(const void*, int, Handle, int, int, Handle, Handle*)> isend{library, "MPI_Isend"};
  Fn<int (*)(void*, int, Handle, int, int, Handle, Handle*)> irecv{library, "MPI_Irecv"};
  Fn<int (*)(Handle*, int*, MpiStatus*)> test{library, "MPI_Test"};
  Fn<int (*)(Handle*)> cancel{library, "MPI_Cancel"};
  Fn<int (*)(int, int, Handle, int*, MpiStatus*)> iprobe{library, "MPI_Iprobe"};
  Fn<int (*)(const MpiStatus*, Handle, int*)> get_count{library, "MPI_Get_count"};
  Fn<int (*)(Handle, int*)> size{library, "MPI_Comm_size"};
  Fn<int (*)(Handle, int*)> rank{library, "MPI_Comm_rank"};
  Fn<int (*)(Handle, Handle*)> duplicate{library, "MPI_Comm_dup"};
  Fn<int (*)(Handle*)> free{library, "MPI_Comm_free"};
  Fn<int (*)(Handle, Handle)> set_errhandler{library, "MPI_Comm_set_errhandler"};
  Fn<int (*)(Handle, int*)> test_inter{library, "MPI_Comm_test_inter"};
  Fn<int (*)(CopyAttribute*, DeleteAttribute*, int*, void*)> create_keyval{
      library, "MPI_Comm_create_keyval"};
  Fn<int (*)(Handle, int, void*)> set_attribute{library, "MPI_Comm_set_attr"};
  Fn<int (*)(Handle, int, void*, int*)> get_attribute{library, "MPI_Comm_get_attr"};
  Fn<int (*)(Handle, int)> abort{library, "MPI_Abort"};
  Fn<int (*)(int*)> initialized{library, "MPI_Initialized"};
  Fn<int (*)(int*)> finalized{library, "MPI_Finalized"};
  Fn<int (*)(int*)> query_thread{library, "MPI_Query_thread"};
  Fn<int (*)(int*)> is_thread_main{library, "MPI_Is_thread_main"};

  Handle of_fortran(int32_t comm) const;
  int32_t to_fortran(Handle comm) const;
};

/// Of the loaded library.
template <class Handle>
const MpiFunctions<Handle>& mpi_functions();

}  // namespace gpuarr::team
