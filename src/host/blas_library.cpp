#include "host/blas_library.hpp"

#include <bit>
#include <memory>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/once.hpp"
#include "core/settings.hpp"

namespace gpuarr::host {
namespace {

static_assert(std::endian::native == std::endian::little);  // see check_extent

constexpr const char* usual_names[] = {
    "libopenblas.so.0", "libopenblas64.so.0", "libmkl_rt.so.2", "libmkl_rt.so.1",
    "libmkl_rt.so",     "libblis.so.4",       "libblis.so.3",   "libblas.so.3",
};

Library find_library() {
  std::string tried;
  if (auto wanted = setting("GPUARR_BLAS")) {
    if (Library library = open_library(*wanted, tried)) return library;
    fail(GPUARR_ERR_NO_LIBRARY,
         "$GPUARR_BLAS does not open: {}; it should be the file of a BLAS, such as "
         "libopenblas.so.0 (apt install libopenblas0)",
         tried);
  }
  for (const char* name : usual_names)
    if (Library library = open_library(name, tried)) return library;
  fail(GPUARR_ERR_NO_LIBRARY,
       "no BLAS was found, which multiplies matrices on the CPU; install OpenBLAS (apt install "
       "libopenblas0), or set $GPUARR_BLAS to the file of another; tried {}",
       tried);
}

// Libraries that are fast have a function of their own; others may be the reference, which is not.
std::string describe(const Library& library, const std::string& openblas) {
  if (!openblas.empty()) return text("{} ({})", openblas, library.path);
  if (library.symbol("mkl_get_version") != nullptr) return text("MKL ({})", library.path);
  if (library.symbol("bli_info_get_version_str") != nullptr) return text("BLIS ({})", library.path);
  return text("BLAS of an unknown make, maybe the slow reference ({})", library.path);
}

std::string ask_openblas(const Library& library) {
  for (const char* name : {"openblas_get_config", "openblas_get_config64_"})
    if (auto ask = reinterpret_cast<const char* (*)()>(library.symbol(name))) return ask();
  return "";
}

std::unique_ptr<BlasLibrary> open_blas() {
  auto blas = std::make_unique<BlasLibrary>();
  blas->library = find_library();
  const std::string openblas = ask_openblas(blas->library);
  blas->description = describe(blas->library, openblas);
  blas->wide = openblas.find("USE64BITINT") != std::string::npos;
  if (blas->find("sgemm") == nullptr) {
    blas->suffix = "_64_";
    blas->wide = true;
  }
  if (blas->find("sgemm") == nullptr)
    fail(GPUARR_ERR_NO_LIBRARY,
         "{} has neither sgemm_ nor sgemm_64_, so it is no BLAS; set $GPUARR_BLAS to another, such "
         "as libopenblas.so.0 (apt install libopenblas0)",
         blas->library.path);
  log(Topic::library, "the CPU's matrices: {}, integers of {} bits", blas->description,
      blas->wide ? 64 : 32);
  return blas;
}

}  // namespace

void BlasLibrary::fail_extent(int64_t extent) const {
  fail(GPUARR_ERR_UNSUPPORTED,
       "a matrix has an extent or a stride of {}, but {} counts with 32 bits; set $GPUARR_BLAS to "
       "one with 64 bits, such as libopenblas64.so.0 (apt install libopenblas64-0)",
       extent, description);
}

const BlasLibrary& blas_library() {
  static auto* once = new Once<BlasLibrary>;  // never destroyed: its threads go on living
  return once->get(open_blas);
}

}  // namespace gpuarr::host
