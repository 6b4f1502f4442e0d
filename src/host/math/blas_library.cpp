#include "host/math/blas_library.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "core/env.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/once.hpp"
#include "core/settings.hpp"
#include "host/threads/threads.hpp"

namespace gpuarr::host {
namespace {

static_assert(std::endian::native == std::endian::little);  // see check_extent

constexpr const char* usual_names[] = {
    "libopenblas.so.0", "libopenblas64.so.0", "libmkl_rt.so.2", "libmkl_rt.so.1",
    "libmkl_rt.so",     "libblis.so.4",       "libblis.so.3",   "libblas.so.3",
};

// The threads that OpenBLAS starts while it loads, and MKL later, the caller's included.
int threads_of_blas() {
  int threads = cpu_count();
  for (const char* name : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"})
    if (auto set = env(name))
      if (auto number = parse_threads(*set)) threads = std::min(threads, *number);
  return threads;
}

// OpenBLAS ends the process by a signal if one of its threads does not start, and looks for ever
// for a place for the 128 MiB that each takes in the address space. So it is tried before.
void check_room() {
  const int threads = threads_of_blas();
  if (const int more = startable_threads(threads - 1); more < threads - 1)
    fail(GPUARR_ERR_OUT_OF_MEMORY,
         "a BLAS starts {} threads while it is loaded, and only {} can be started; raise the limit "
         "(ulimit -u), or set OPENBLAS_NUM_THREADS to {} before the program starts",
         threads - 1, more, more + 1);
  constexpr size_t code = size_t{64} << 20, of_thread = size_t{136} << 20;
  const size_t bytes = code + static_cast<size_t>(threads) * of_thread;
  void* room = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED)
    fail(GPUARR_ERR_OUT_OF_MEMORY,
         "a BLAS of {} threads takes {} MiB of address space, which are not available; raise the "
         "limit (ulimit -v), or set OPENBLAS_NUM_THREADS to fewer before the program starts",
         threads, bytes >> 20);
  munmap(room, bytes);
}

Library find_library() {
  std::string tried;
  if (auto wanted = setting("GPUARR_BLAS")) {
    if (Library library = open_matrix_library(*wanted, tried)) return library;
    fail(GPUARR_ERR_NO_LIBRARY,
         "$GPUARR_BLAS cannot be opened: {}; it should be the file of a BLAS, such as "
         "libopenblas.so.0 (apt install libopenblas0)",
         tried);
  }
  for (const char* name : usual_names)
    if (Library library = open_matrix_library(name, tried)) return library;
  fail(GPUARR_ERR_NO_LIBRARY,
       "no BLAS was found, which multiplies matrices on the CPU; install OpenBLAS (apt install "
       "libopenblas0), or set $GPUARR_BLAS to the file of another; tried {}",
       tried);
}

// Libraries that are fast have a function of their own; others may be the reference, which is not.
std::string describe(const Library& library, const std::string& openblas) {
  if (!openblas.empty()) return formatted("{} ({})", openblas, library.path);
  if (library.symbol("mkl_get_version") != nullptr) return formatted("MKL ({})", library.path);
  if (library.symbol("bli_info_get_version_str") != nullptr)
    return formatted("BLIS ({})", library.path);
  return formatted("BLAS of an unknown make, maybe the slow reference ({})", library.path);
}

std::string ask_openblas(const Library& library) {
  for (const char* name : {"openblas_get_config", "openblas_get_config64_"})
    if (auto ask = reinterpret_cast<const char* (*)()>(library.symbol(name))) return ask();
  return "";
}

template <class T>
BlasNumber stored(const T& value) {
  BlasNumber number;
  std::memcpy(number.bytes, &value, sizeof value);
  return number;
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
         "{} has neither sgemm_ nor sgemm_64_, so it is not a BLAS; set $GPUARR_BLAS to another, "
         "such as libopenblas.so.0 (apt install libopenblas0)",
         blas->library.path);
  log(Topic::library, "the CPU's matrices: {}, integers of {} bits", blas->description,
      blas->wide ? 64 : 32);
  return blas;
}

}  // namespace

Library open_matrix_library(const std::string& name, std::string& tried) {
  if (Library library = loaded_library(name)) return library;
  check_room();
  return open_library(name, tried);
}

void BlasLibrary::fail_extent(int64_t extent) const {
  fail(GPUARR_ERR_UNSUPPORTED,
       "a matrix has an extent or a stride of {}, but {} uses 32-bit integers; set $GPUARR_BLAS to "
       "one with 64 bits, such as libopenblas64.so.0 (apt install libopenblas64-0)",
       extent, description);
}

BlasNumber number_of(std::complex<double> value, DType dtype) {
  switch (dtype) {
    case DType::f32:
      return stored(static_cast<float>(value.real()));
    case DType::f64:
      return stored(value.real());
    case DType::c64:
      return stored(std::complex<float>(value));
    default:
      return stored(value);
  }
}

const char* letter_of(MatrixOp op) {
  constexpr const char* letters[] = {"N", "T", "C"};
  return letters[static_cast<int>(op)];
}

const BlasLibrary& blas_library() {
  static auto* once = new Once<BlasLibrary>;  // never destroyed: its threads go on living
  return once->get(open_blas);
}

}  // namespace gpuarr::host
