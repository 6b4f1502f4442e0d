// Opening cuSOLVER.
#include "cuda/libraries/cusolver.hpp"

#include <memory>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/once.hpp"
#include "cuda/driver/driver.hpp"
#include "cuda/driver/fault.hpp"
#include "cuda/driver/locate.hpp"

namespace gpuarr::cuda {
namespace {

constexpr Cusolver::Status alloc_failed = 2;

const char* cusolver_text(Cusolver::Status status) {
  switch (status) {
    case 1:
      return "CUSOLVER_STATUS_NOT_INITIALIZED";
    case alloc_failed:
      return "CUSOLVER_STATUS_ALLOC_FAILED";
    case 3:
      return "CUSOLVER_STATUS_INVALID_VALUE";
    case 4:
      return "CUSOLVER_STATUS_ARCH_MISMATCH";
    case 6:
      return "CUSOLVER_STATUS_EXECUTION_FAILED";
    case 7:
      return "CUSOLVER_STATUS_INTERNAL_ERROR";
    case 9:
      return "CUSOLVER_STATUS_NOT_SUPPORTED";
    default:
      return "an unknown status";
  }
}

// Its number is one less than that of the CUDA that it belongs to; cuSPARSE's is 12 in both.
Library open_cusolver(int newest) {
  constexpr int oldest = 12;
  ToolkitLibrary wanted{"cuSOLVER, which factorises matrices", "GPUARR_CUSOLVER", {}, {}};
  for (int major = newest; major >= oldest; --major) {
    wanted.sonames.push_back(formatted("libcusolver.so.{}", major - 1));
    wanted.packages.push_back(major > 12
                                  ? formatted("libcusolver-{}-0 (pip: nvidia-cusolver)", major)
                                  : "libcusolver-12-0 (pip: nvidia-cusolver-cu12)");
    wanted.helpers.push_back({formatted("libnvJitLink.so.{}", major),
                              formatted("libcublasLt.so.{}", major),
                              formatted("libcublas.so.{}", major), "libcusparse.so.12"});
  }
  return open_toolkit(wanted);
}

}  // namespace

Cusolver::Cusolver(int newest) : library(open_cusolver(newest)) {
  log(Topic::library, "the GPUs' factorisations: cuSOLVER {} ({})", version(), library.path);
}

void* Cusolver::find(const char* name) const {
  if (void* address = library.symbol(name)) return address;
  fail_missing(name, "12.0");
}

void Cusolver::fail_missing(const char* name, const char* toolkit) const {
  gpuarr::fail(GPUARR_ERR_NO_LIBRARY,
               "{} has no {}; cuSOLVER of CUDA {} or newer is needed: install a newer libcusolver, "
               "or set $GPUARR_CUSOLVER to its file",
               library.path, name, toolkit);
}

std::string Cusolver::version() const {
  int parts[3] = {};
  for (int k = 0; k < 3; ++k) get_property(k, &parts[k]);
  return formatted("{}.{}.{}", parts[0], parts[1], parts[2]);
}

void Cusolver::fail(const char* function, Status status) const {
  fail_call(function, status, cusolver_text(status), status == alloc_failed);
}

const Cusolver& cusolver() {
  static auto* once = new Once<Cusolver>;  // never destroyed: handles are used until the end
  return once->get([] { return std::make_unique<Cusolver>(driver().version / 1000); });
}

const CublasSolvers& cublas_solvers() {
  static auto* once = new Once<CublasSolvers>;
  return once->get([] { return std::make_unique<CublasSolvers>(cublas()); });
}

}  // namespace gpuarr::cuda
