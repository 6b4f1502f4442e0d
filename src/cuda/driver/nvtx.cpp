// NVTX: how ranges reach NVIDIA's profilers. It is headers only: at the first call they load the
// library that $NVTX_INJECTION64_PATH names, which puts its functions in a table.
#include "cuda/driver/nvtx.hpp"

#include "core/env.hpp"
#include "core/log.hpp"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#endif

namespace gpuarr::cuda {
namespace {

const RangeTool* find_nvtx() {
  const auto library = env("NVTX_INJECTION64_PATH");
  if (!library) return nullptr;
#ifdef NVTX_VERSION
  static constexpr RangeTool tool = {[](const char* name) { nvtxRangePushA(name); },
                                     [] { nvtxRangePop(); }};
  log(Topic::library, "ranges go to {} ($NVTX_INJECTION64_PATH)", *library);
  return &tool;
#else
  log(Topic::library, "no ranges: libgpuarr was built without nvtx3/nvToolsExt.h");
  return nullptr;
#endif
}

}  // namespace

const RangeTool* nvtx() {
  static const RangeTool* const found = find_nvtx();
  return found;
}

}  // namespace gpuarr::cuda
