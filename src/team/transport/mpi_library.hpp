// The MPI that this process has loaded: where it is, and which binary interface it has.
#pragma once

#include <string>

namespace gpuarr::team {

/// Handles are pointers, numbers, and pointers again; constants differ in all three.
enum class MpiAbi { openmpi, mpich, standard };

struct MpiLibrary {
  MpiAbi abi = MpiAbi::openmpi;
  std::string name;  // "Open MPI 4.1.4"
  std::string path;
  void* handle = nullptr;  // as dlsym() takes it; null for what all of the process sees

  int handle_bytes() const { return abi == MpiAbi::mpich ? 4 : 8; }
  void* find(const char* symbol) const;
  void* find_optional(const char* symbol) const;
  /// GPUARR_ERR_PEER with MPI's own text.
  [[noreturn]] void fail(const char* function, int code) const;
};

/// Fails if there is none. What was found stays; another call looks again only where nothing was.
const MpiLibrary& mpi_library();

/// Null if there is none, and none is named by $GPUARR_MPI_LIB.
const MpiLibrary* loaded_mpi();

/// Opens one by its name, where the process has none; false if there is none of the name.
bool open_mpi(const std::string& name, std::string& tried);

/// "Open MPI 4.1.4" of what MPI_Get_library_version says.
std::string mpi_name(const std::string& version);

}  // namespace gpuarr::team
