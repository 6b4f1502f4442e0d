#include "team/transport/world.hpp"

#include <cstdlib>
#include <optional>
#include <span>
#include <string>

#include "core/env.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "team/transport/mpi.hpp"
#include "team/transport/mpi_library.hpp"
#include "team/transport/run.hpp"

namespace gpuarr::team {
namespace {

// The standard's interface comes last: programs that want it link it. Its number was 0 in
// MPICH 5.0.
constexpr const char* of_openmpi[] = {"libmpi.so.40", "libmpi_abi.so.1", "libmpi_abi.so.0"};
constexpr const char* of_mpich[] = {"libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1",
                                    "libmpi_abi.so.0"};

/// A launcher of MPI that started this process.
struct Launcher {
  const char* mark;                        // a variable that it sets
  std::optional<std::string> size;         // what it says of how many processes there are
  std::span<const char* const> libraries;  // of the MPI that it is likely to be of
};

// Open MPI's; MPICH's, Intel's and srun's; MVAPICH's; srun's.
std::optional<Launcher> launcher_of_this() {
  if (auto size = env("OMPI_COMM_WORLD_SIZE")) return {{"OMPI_COMM_WORLD_SIZE", size, of_openmpi}};
  if (env("PMI_RANK")) return {{"PMI_RANK", env("PMI_SIZE"), of_mpich}};
  if (auto size = env("MV2_COMM_WORLD_SIZE")) return {{"MV2_COMM_WORLD_SIZE", size, of_mpich}};
  if (env("PMIX_RANK")) return {{"PMIX_RANK", env("SLURM_STEP_NUM_TASKS"), of_openmpi}};
  return std::nullopt;
}

template <class F>
F* function_of(const MpiLibrary& library, const char* name) {
  return reinterpret_cast<F*>(library.find(name));
}

bool says(const MpiLibrary& library, const char* name) {
  int answer = 0;
  return function_of<int(int*)>(library, name)(&answer) == 0 && answer != 0;
}

const MpiLibrary& library_of(const Launcher& launcher) {
  if (const MpiLibrary* library = loaded_mpi()) return *library;
  std::string tried;
  for (const char* name : launcher.libraries)
    if (open_mpi(name, tried)) return mpi_library();
  fail(GPUARR_ERR_NO_LIBRARY,
       "${} says that a launcher of MPI started this process, but there is no MPI for it: {}; set "
       "$GPUARR_MPI_LIB to its library, or link the program with it",
       launcher.mark, tried);
}

// Not where the program fails: others may never come to this, and the launcher ends them.
void finalize(int status, void* library) {
  const auto& mpi = *static_cast<const MpiLibrary*>(library);
  if (status == 0 && !says(mpi, "MPI_Finalized") && says(mpi, "MPI_Is_thread_main"))
    function_of<int()>(mpi, "MPI_Finalize")();
}

void initialize(const MpiLibrary& library) {
  const int serialized = library.abi == MpiAbi::standard ? 2048 : 2;
  int level = 0;
  const int code = function_of<int(int*, char***, int, int*)>(library, "MPI_Init_thread")(
      nullptr, nullptr, serialized, &level);
  if (code != 0) library.fail("MPI_Init_thread", code);
  on_exit(finalize, const_cast<MpiLibrary*>(&library));
  log(Topic::library, "MPI was initialised here, since the program did not");
}

}  // namespace

std::unique_ptr<Transport> world_transport() {
  if (auto transport = run_transport()) return transport;
  const MpiLibrary* library = loaded_mpi();
  if (library == nullptr || !says(*library, "MPI_Initialized")) {
    const auto launcher = launcher_of_this();
    if (!launcher || launcher->size == "1") return nullptr;
    initialize(library_of(*launcher));
  }
  return mpi_transport_of_world();
}

}  // namespace gpuarr::team
