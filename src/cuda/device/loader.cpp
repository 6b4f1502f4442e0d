// Giving compiled code to the driver.
#include "cuda/device/loader.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "core/error.hpp"
#include "cuda/compile/symbols.hpp"
#include "device/image_kind.hpp"

namespace gpuarr::cuda {
namespace {

constexpr size_t log_bytes = size_t{64} << 10;

// What a driver answers that does not like the code; for damaged code, no list says which.
constexpr CUresult bad_code[] = {CUDA_ERROR_INVALID_VALUE,
                                 CUDA_ERROR_INVALID_IMAGE,
                                 CUDA_ERROR_NO_BINARY_FOR_GPU,
                                 CUDA_ERROR_INVALID_PTX,
                                 CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
                                 CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
                                 CUDA_ERROR_JIT_COMPILATION_DISABLED,
                                 CUDA_ERROR_INVALID_SOURCE,
                                 CUDA_ERROR_FILE_NOT_FOUND,
                                 CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND,
                                 CUDA_ERROR_SHARED_OBJECT_INIT_FAILED,
                                 CUDA_ERROR_NOT_FOUND,
                                 CUDA_ERROR_NOT_SUPPORTED,
                                 CUDA_ERROR_UNKNOWN};

std::string describe_code(const std::string& code, const Made& made) {
  if (image_kind(code) == ImageKind::cubin)
    return formatted("the cubin of {} bytes, which is for sm_{},", code.size(), made.processor);
  if (image_kind(code) == ImageKind::fatbin)
    return formatted("the fatbin of {} bytes", code.size());
  return formatted("the PTX of version {} for sm_{} and newer", made.ptx_version, made.processor);
}

std::string advice(const CudaDevice& device, const std::string& code, const Made& made,
                   CUresult result) {
  int capability = device.facts().compute_capability;
  if (result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
    return "; make the PTX with a toolkit no newer than the driver, or update the driver";
  if (image_kind(code) == ImageKind::ptx && std::atoi(made.processor.c_str()) > capability)
    return formatted("; the PTX is for newer GPUs: make it for compute_{}", capability);
  if (result == CUDA_ERROR_NO_BINARY_FOR_GPU)
    return formatted("; make it for sm_{}, or PTX for compute_{}", capability, capability);
  return "";
}

[[noreturn]] void fail_bad(const CudaDevice& device, const std::string& code, CUresult result,
                           const std::string& log) {
  Made made = read_made(code);
  throw Error(GPUARR_ERR_LOAD,
              formatted("{} ({}, sm_{}, a driver of CUDA {}) cannot load {}: {}{}{}{}",
                        device.facts().name, device.facts().description,
                        device.facts().compute_capability, version_text(device.api().version),
                        describe_code(code, made), device.api().describe(result),
                        advice(device, code, made, result), log.empty() ? "" : "\n", log),
              result);
}

}  // namespace

std::shared_ptr<CUmod_st> load_code(CudaDevice& device, const std::string& code) {
  if (std::string fault = image_fault(code); !fault.empty()) fail(GPUARR_ERR_LOAD, "{}", fault);
  device.enter();
  std::vector<char> log(log_bytes);
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log.data(), reinterpret_cast<void*>(log_bytes - 1)};
  CUmodule module = nullptr;
  CUresult result = device.api().module_load.unchecked(&module, code.c_str(), 2, options, values);
  if (std::ranges::find(bad_code, result) != std::end(bad_code))
    fail_bad(device, code, result, log.data());
  if (result != CUDA_SUCCESS) device.api().fail("cuModuleLoadDataEx", result);
  return {module, [&device](CUmodule m) { device.dispose<&Driver::module_unload>(m); }};
}

CUfunction find_function(const Driver& api, CUmodule module, const std::string& symbol) {
  CUfunction found = nullptr;
  const bool there =
      api.module_get_function.succeeds_unless(CUDA_ERROR_NOT_FOUND, &found, module, symbol.c_str());
  return there ? found : nullptr;
}

}  // namespace gpuarr::cuda
