// A program that does not link MPI and opens it for itself alone, as Python does.
// usage: hidden LIBRARY NAME: the name as it begins, or "unknown"
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "checks.h"

namespace {

void* opened;

template <class F>
F* function(const char* name) {
  return reinterpret_cast<F*>(dlsym(opened, name));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int number = 0x44000000;  // MPICH's world
  check_refused(&number, sizeof number, GPUARR_ERR_NO_LIBRARY,
                "no MPI is loaded in this process; link the program with a shared MPI library");
  setenv("GPUARR_MPI_LIB", "libnonesuch.so.7", 1);
  check_refused(&number, sizeof number, GPUARR_ERR_NO_LIBRARY,
                "$GPUARR_MPI_LIB is no MPI that can be opened: libnonesuch.so.7");
  setenv("GPUARR_MPI_LIB", "libm.so.6", 1);
  check_refused(&number, sizeof number, GPUARR_ERR_NO_LIBRARY,
                "libm.so.6 (it has no MPI_Get_library_version)");
  unsetenv("GPUARR_MPI_LIB");
  opened = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    std::printf("skipped: no %s\n", argv[1]);
    return 77;
  }
  if (dlsym(RTLD_DEFAULT, "MPI_Init") != nullptr) return 3;  // it is not hidden
  if (std::strcmp(argv[2], "unknown") == 0) {
    check_refused(&number, sizeof number, GPUARR_ERR_UNSUPPORTED,
                  "the loaded MPI is Moon MPI 3.1 (");
    check_refused(&number, sizeof number, GPUARR_ERR_UNSUPPORTED,
                  "whose binary interface is not known here; make a transport with gpuarr_mpi.h");
    setenv("GPUARR_MPI_ABI", "mpich", 1);
    check_refused(&number, sizeof number, GPUARR_ERR_NO_LIBRARY,
                  "has no MPI_Isend; MPI 3 or newer is needed");
    return checks_result();
  }
  // Open MPI's world is an address, that of the standard interface a pointer that is none.
  void* world = dlsym(opened, "ompi_mpi_comm_world");
  if (std::strstr(argv[1], "libmpi_abi") != nullptr) world = reinterpret_cast<void*>(0x101);
  const void* comm = world != nullptr ? static_cast<void*>(&world) : &number;
  const size_t bytes = world != nullptr ? sizeof world : sizeof number;
  check_refused(comm, bytes, GPUARR_ERR_PEER, "is not initialised; call MPI_Init_thread first");
  int level = 0;
  const int multiple = world == reinterpret_cast<void*>(0x101) ? 4096 : 3;
  function<int(int*, char***, int, int*)>("MPI_Init_thread")(nullptr, nullptr, multiple, &level);
  check_comm(comm, bytes, 0);
  keep_transport(0, comm, bytes);
  function<int()>("MPI_Finalize")();
  kept_is_over(0, argv[2]);
  release_kept(0);
  return checks_result();
}
