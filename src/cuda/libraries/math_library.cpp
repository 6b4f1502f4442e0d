// Opening cuBLAS and cuSOLVER, and their errors.
#include "cuda/libraries/math_library.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/once.hpp"
#include "cuda/driver/driver.hpp"
#include "cuda/driver/fault.hpp"
#include "cuda/driver/locate.hpp"
#include "cuda/libraries/cusolver.hpp"

namespace gpuarr::cuda {

struct MathFacts {
  struct Helper {
    const char* stem;
    int version = 0;  // 0: that of the toolkit
  };
  struct StatusName {
    int status;
    const char* name;
  };

  const char* name;
  const char* title;
  const char* work;      // in the log
  const char* setting;   // the environment variable that has its file
  const char* stem;      // in the names of files and packages
  int behind;            // by how much its number is lower than its CUDA's
  const char* property;  // the function that tells its version
  const char* oldest;    // CUDA that has what is always called
  const char* remedy;    // what to install for that
  int no_memory;         // the status
  std::span<const Helper> helpers;
  std::span<const StatusName> statuses;
};

namespace {

constexpr MathFacts::Helper cublas_helpers[] = {{"cublasLt"}};
constexpr MathFacts::StatusName cublas_statuses[] = {
    {1, "CUBLAS_STATUS_NOT_INITIALIZED"}, {3, "CUBLAS_STATUS_ALLOC_FAILED"},
    {7, "CUBLAS_STATUS_INVALID_VALUE"},   {8, "CUBLAS_STATUS_ARCH_MISMATCH"},
    {11, "CUBLAS_STATUS_MAPPING_ERROR"},  {13, "CUBLAS_STATUS_EXECUTION_FAILED"},
    {14, "CUBLAS_STATUS_INTERNAL_ERROR"}, {15, "CUBLAS_STATUS_NOT_SUPPORTED"}};
constexpr MathFacts cublas_facts = {.name = "cuBLAS",
                                    .title = "cuBLAS, which multiplies matrices",
                                    .work = "matrices",
                                    .setting = "GPUARR_CUBLAS",
                                    .stem = "cublas",
                                    .behind = 0,
                                    .property = "cublasGetProperty",
                                    .oldest = "12",
                                    .remedy = "libcublas-12-0",
                                    .no_memory = 3,
                                    .helpers = cublas_helpers,
                                    .statuses = cublas_statuses};

// cuSPARSE's number is 12 for CUDA 13 too.
constexpr MathFacts::Helper cusolver_helpers[] = {
    {"nvJitLink"}, {"cublasLt"}, {"cublas"}, {"cusparse", 12}};
constexpr MathFacts::StatusName cusolver_statuses[] = {
    {1, "CUSOLVER_STATUS_NOT_INITIALIZED"},  {2, "CUSOLVER_STATUS_ALLOC_FAILED"},
    {3, "CUSOLVER_STATUS_INVALID_VALUE"},    {4, "CUSOLVER_STATUS_ARCH_MISMATCH"},
    {6, "CUSOLVER_STATUS_EXECUTION_FAILED"}, {7, "CUSOLVER_STATUS_INTERNAL_ERROR"},
    {9, "CUSOLVER_STATUS_NOT_SUPPORTED"}};
constexpr MathFacts cusolver_facts = {.name = "cuSOLVER",
                                      .title = "cuSOLVER, which factorises matrices",
                                      .work = "factorisations",
                                      .setting = "GPUARR_CUSOLVER",
                                      .stem = "cusolver",
                                      .behind = 1,
                                      .property = "cusolverGetProperty",
                                      .oldest = "12.0",
                                      .remedy = "a newer libcusolver",
                                      .no_memory = 2,
                                      .helpers = cusolver_helpers,
                                      .statuses = cusolver_statuses};

// What is made for a later CUDA than the driver's does not run.
Library open_newest(const MathFacts& facts) {
  ToolkitLibrary wanted{facts.title, facts.setting, {}, {}};
  for (int major = driver().version / 1000; major >= 12; --major) {
    wanted.sonames.push_back(formatted("lib{}.so.{}", facts.stem, major - facts.behind));
    wanted.packages.push_back(formatted("lib{}-{}-0 (pip: nvidia-{}{})", facts.stem, major,
                                        facts.stem, major > 12 ? "" : "-cu12"));
    auto& helpers = wanted.helpers.emplace_back();
    for (const auto& [stem, version] : facts.helpers)
      helpers.push_back(formatted("lib{}.so.{}", stem, version != 0 ? version : major));
  }
  return open_toolkit(wanted);
}

// Never destroyed: handles are used until the end.
template <class Opened>
const Opened& opened_once(const MathFacts& facts) {
  static auto* once = new Once<Opened>;
  return once->get([&] {
    auto made = std::make_unique<Opened>(facts);
    log(Topic::library, "the GPUs' {}: {}", facts.work, made->description());
    return made;
  });
}

}  // namespace

const Cublas& cublas() { return opened_once<Cublas>(cublas_facts); }

const Cusolver& cusolver() { return opened_once<Cusolver>(cusolver_facts); }

const CublasSolvers& cublas_solvers() {
  static auto* once = new Once<CublasSolvers>;
  return once->get([] { return std::make_unique<CublasSolvers>(cublas()); });
}

MathLibrary::MathLibrary(const MathFacts& its_facts)
    : facts(its_facts), library(open_newest(its_facts)), get_property{*this, its_facts.property} {}

void* MathLibrary::find(const char* name) const {
  if (void* address = library.symbol(name)) return address;
  fail_missing(name, facts.oldest);
}

void MathLibrary::fail_missing(const char* name, const char* toolkit) const {
  gpuarr::fail(GPUARR_ERR_NO_LIBRARY,
               "{} has no {}; {} of CUDA {} or newer is needed: install {}, or set ${} to its file",
               library.path, name, facts.name, toolkit, facts.remedy, facts.setting);
}

const char* MathLibrary::name_for(char type, std::string pattern) {
  pattern[pattern.find('?')] = type;
  return keep_name(pattern);
}

std::string MathLibrary::description() const {
  int parts[3] = {};
  for (int k = 0; k < 3; ++k) get_property(k, &parts[k]);
  return formatted("{} {}.{}.{} ({})", facts.name, parts[0], parts[1], parts[2], library.path);
}

void MathLibrary::fail(const char* function, Status status) const {
  const Driver& api = driver();
  size_t free = 0;
  size_t total = 0;
  const CUresult now = api.memory_get_info.unchecked(&free, &total);
  if (is_sticky(now)) api.fail(function, now);
  const auto row = std::ranges::find(facts.statuses, status, &MathFacts::StatusName::status);
  throw Error(status == facts.no_memory ? GPUARR_ERR_OUT_OF_MEMORY : GPUARR_ERR_DRIVER,
              formatted("{} failed: {} ({})", function,
                        row != facts.statuses.end() ? row->name : "an unknown status", status),
              status);
}

}  // namespace gpuarr::cuda
