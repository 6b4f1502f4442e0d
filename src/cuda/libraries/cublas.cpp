// Opening cuBLAS.
#include "cuda/libraries/cublas.hpp"

#include <memory>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/once.hpp"
#include "cuda/driver/driver.hpp"
#include "cuda/driver/fault.hpp"
#include "cuda/driver/locate.hpp"

namespace gpuarr::cuda {
namespace {

constexpr int oldest_cublas = 12;
constexpr Cublas::Status no_memory = 3;

const char* status_text(Cublas::Status status) {
  switch (status) {
    case 1:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case no_memory:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case 7:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case 8:
      return "CUBLAS_STATUS_ARCH_MISMATCH";
    case 11:
      return "CUBLAS_STATUS_MAPPING_ERROR";
    case 13:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case 14:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
    case 15:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "an unknown status";
  }
}

Library open_cublas(int newest) {
  ToolkitLibrary wanted{"cuBLAS, which multiplies matrices", "GPUARR_CUBLAS", {}, {}};
  for (int major = newest; major >= oldest_cublas; --major) {
    wanted.sonames.push_back(formatted("libcublas.so.{}", major));
    wanted.packages.push_back(major > 12 ? formatted("libcublas-{}-0 (pip: nvidia-cublas)", major)
                                         : "libcublas-12-0 (pip: nvidia-cublas-cu12)");
    wanted.helpers.push_back({formatted("libcublasLt.so.{}", major)});
  }
  return open_toolkit(wanted);
}

}  // namespace

Cublas::Cublas(int newest) : library(open_cublas(newest)) {
  log(Topic::library, "the GPUs' matrices: cuBLAS {} ({})", version(), library.path);
}

void* Cublas::find(const char* name) const {
  if (void* address = library.symbol(name)) return address;
  gpuarr::fail(GPUARR_ERR_NO_LIBRARY,
               "{} has no {}; cuBLAS of CUDA {} or newer is needed: install libcublas-{}-0, or set "
               "$GPUARR_CUBLAS to its file",
               library.path, name, oldest_cublas, oldest_cublas);
}

std::string Cublas::version() const {
  int parts[3] = {};
  for (int k = 0; k < 3; ++k) get_property(k, &parts[k]);
  return formatted("{}.{}.{}", parts[0], parts[1], parts[2]);
}

void Cublas::fail(const char* function, Status status) const {
  fail_call(function, status, status_text(status), status == no_memory);
}

void fail_call(const char* function, int status, const char* name, bool is_memory) {
  const Driver& api = driver();
  size_t free = 0;
  size_t total = 0;
  const CUresult now = api.memory_get_info.unchecked(&free, &total);
  if (is_sticky(now)) api.fail(function, now);
  throw Error(is_memory ? GPUARR_ERR_OUT_OF_MEMORY : GPUARR_ERR_DRIVER,
              formatted("{} failed: {} ({})", function, name, status), status);
}

const Cublas& cublas() {
  static auto* once = new Once<Cublas>;  // never destroyed: handles are used until the end
  return once->get([] { return std::make_unique<Cublas>(driver().version / 1000); });
}

}  // namespace gpuarr::cuda
