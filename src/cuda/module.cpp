// Loading compiled code and launching it.
#include "cuda/module.hpp"

#include <elf.h>

#include <cstring>

#include "core/error.hpp"

namespace gpuarr::cuda {
namespace {

// The driver is not told how long an image is, and would read past the end of one that was cut.
void check_image(const std::string& image) {
  if (image.compare(0, SELFMAG, ELFMAG) != 0) {  // then it is PTX: text
    if (image.find(".version") != std::string::npos && image.find('\0') == std::string::npos)
      return;
    fail(GPUARR_ERR_LOAD, "the image of {} bytes is neither a cubin nor PTX", image.size());
  }
  Elf64_Ehdr header;
  if (image.size() < sizeof header)
    fail(GPUARR_ERR_LOAD, "the cubin of {} bytes is cut short", image.size());
  std::memcpy(&header, image.data(), sizeof header);
  size_t sections = size_t{header.e_shnum} * header.e_shentsize;
  size_t segments = size_t{header.e_phnum} * header.e_phentsize;
  if (header.e_shoff > image.size() || sections > image.size() - header.e_shoff ||
      header.e_phoff > image.size() || segments > image.size() - header.e_phoff)
    fail(GPUARR_ERR_LOAD, "the cubin of {} bytes is cut short", image.size());
}

bool is_bad_image(CUresult result) {
  switch (result) {
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
    case CUDA_ERROR_JIT_COMPILATION_DISABLED:
    case CUDA_ERROR_INVALID_SOURCE:
    case CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::shared_ptr<CudaModule> CudaModule::load(CudaDevice& device, const std::string& image) {
  check_image(image);
  device.enter();
  const Driver& api = device.api();
  CUmodule module = nullptr;
  CUresult result = api.module_load.unchecked(&module, image.c_str());
  if (is_bad_image(result))
    throw Error(GPUARR_ERR_LOAD,
                text("the driver cannot load the compiled code ({} bytes, for {}): {}",
                     image.size(), device.target(), api.describe(result)),
                result);
  if (result != CUDA_SUCCESS) api.fail("cuModuleLoadData", result);
  return std::shared_ptr<CudaModule>(new CudaModule(device, module));
}

CudaModule::~CudaModule() {
  if (device_.enter_quietly()) device_.api().module_unload.unchecked(module_);
}

std::shared_ptr<Function> CudaModule::function(const std::string& name) {
  device_.enter();
  const Driver& api = device_.api();
  CUfunction function = nullptr;
  CUresult result = api.module_get_function.unchecked(&function, module_, name.c_str());
  if (result == CUDA_ERROR_NOT_FOUND)
    throw Error(GPUARR_ERR_LOAD, text("the compiled code has no kernel named \"{}\"", name),
                result);
  if (result != CUDA_SUCCESS) api.fail("cuModuleGetFunction", result);
  return std::make_shared<CudaFunction>(device_, function, shared_from_this());
}

void CudaFunction::launch(const LaunchShape& shape, const void* parameters, size_t /*bytes*/,
                          Stream& stream) {
  device_.enter();
  if (shape.shared_bytes > 0 && !shared_allowed_.load(std::memory_order_relaxed)) allow_shared();
  void* arguments[] = {const_cast<void*>(parameters)};
  device_.api().launch_kernel(
      function_, static_cast<unsigned>(shape.blocks), 1, 1, static_cast<unsigned>(shape.threads), 1,
      1, static_cast<unsigned>(shape.shared_bytes), native(stream), arguments, nullptr);
}

// Asked before every launch of a reduction, so the last answer is kept.
int CudaFunction::resident_blocks(int threads) {
  int64_t known = resident_.load(std::memory_order_relaxed);
  if (known >> 32 == threads) return static_cast<int>(known & 0xffffffff);
  device_.enter();
  int blocks = 0;
  device_.api().occupancy_max_blocks(&blocks, function_, threads, 0);
  resident_.store(int64_t{threads} << 32 | blocks, std::memory_order_relaxed);
  return blocks;
}

// More than 48 KiB needs leave, which is given once and in full: it costs nothing.
void CudaFunction::allow_shared() {
  int fixed = 0;
  device_.api().function_get_attribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function_);
  device_.api().function_set_attribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                       device_.shared_bytes_of_block() - fixed);
  shared_allowed_.store(true, std::memory_order_relaxed);
}

}  // namespace gpuarr::cuda
