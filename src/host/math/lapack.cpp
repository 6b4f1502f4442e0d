#include "host/math/lapack.hpp"

#include <memory>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/once.hpp"
#include "core/settings.hpp"
#include "host/math/blas_library.hpp"

namespace gpuarr::host {
namespace {

constexpr const char* lapack_names[] = {"liblapack.so.3", "libopenblas.so.0", "libmkl_rt.so.2",
                                        "libmkl_rt.so.1", "libmkl_rt.so"};

// Names of functions have one of two endings; the second is that of libraries of 64-bit integers.
void* find_function(const Library& library, const std::string& name) {
  void* found = library.symbol((name + "_").c_str());
  return found != nullptr ? found : library.symbol((name + "_64_").c_str());
}

// Most libraries of matrix products have it; a missing one is told of by those who multiply.
Library of_blas(std::string& tried) {
  try {
    const Library& library = blas_library().library;
    if (find_function(library, "dgesdd") != nullptr) return library;
    tried = library.path + " (has no dgesdd_)";
  } catch (const Error& error) {
    if (error.status() != GPUARR_ERR_NO_LIBRARY) throw;
    tried = error.message();
  }
  return {};
}

Library find_lapack() {
  std::string tried;
  if (auto wanted = setting("GPUARR_LAPACK")) {
    if (Library library = open_matrix_library(*wanted, tried)) return library;
    fail(GPUARR_ERR_NO_LIBRARY,
         "$GPUARR_LAPACK cannot be opened: {}; it should be the file of a LAPACK, such as "
         "liblapack.so.3 (apt install libopenblas0 or liblapack3)",
         tried);
  }
  if (Library library = of_blas(tried)) return library;
  for (const char* name : lapack_names)
    if (Library library = open_matrix_library(name, tried)) return library;
  fail(GPUARR_ERR_NO_LIBRARY,
       "no LAPACK was found, which factorises matrices on the CPU; install OpenBLAS (apt install "
       "libopenblas0) or the reference LAPACK (apt install liblapack3), or set $GPUARR_LAPACK to "
       "the file of another; tried {}",
       tried);
}

bool counts_with_64_bits(const Library& library) {
  for (const char* name : {"openblas_get_config", "openblas_get_config64_"})
    if (auto ask = reinterpret_cast<const char* (*)()>(library.symbol(name)))
      return std::string(ask()).find("USE64BITINT") != std::string::npos;
  return library.symbol("dgesdd_") == nullptr;
}

}  // namespace

Lapack::Lapack() : library(find_lapack()), wide(counts_with_64_bits(library)) {
  log(Topic::library, "the CPU's factorisations: {}, integers of {} bits", library.path,
      wide ? 64 : 32);
}

void* Lapack::address(const std::string& name) const {
  if (void* found = find_function(library, name)) return found;
  gpuarr::fail(GPUARR_ERR_NO_LIBRARY,
               "{} has no {}_, so it is not a current LAPACK; set $GPUARR_LAPACK to one that is, "
               "such as liblapack.so.3 (apt install libopenblas0 or liblapack3)",
               library.path, name);
}

void Lapack::fail_extent(int64_t extent) const {
  gpuarr::fail(GPUARR_ERR_UNSUPPORTED,
               "a matrix or its workspace has an extent of {}, but {} uses 32-bit integers; set "
               "$GPUARR_LAPACK to one with 64 bits, such as libopenblas64.so.0 (apt install "
               "libopenblas64-0)",
               extent, library.path);
}

const Lapack& lapack() {
  static auto* once = new Once<Lapack>;  // never destroyed: its threads go on living
  return once->get([] { return std::make_unique<Lapack>(); });
}

}  // namespace gpuarr::host
