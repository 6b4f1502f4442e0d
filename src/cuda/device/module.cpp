// Loading compiled code and launching it.
#include "cuda/device/module.hpp"

#include "core/error.hpp"

namespace gpuarr::cuda {

std::shared_ptr<Function> CudaModule::function(const std::string& name) {
  device_.enter();
  CUfunction function = find_function(device_.api(), module_.get(), name);
  if (function == nullptr)
    throw Error(GPUARR_ERR_LOAD, formatted("the compiled code has no kernel named \"{}\"", name),
                CUDA_ERROR_NOT_FOUND);
  return std::make_shared<CudaFunction>(device_, function, keep_name(name), shared_from_this());
}

void CudaFunction::launch(const LaunchShape& shape, const void* parameters, size_t /*bytes*/,
                          Stream& stream) {
  device_.enter();
  if (stream.captures()) [[unlikely]]
    stream.keep(module_);
  if (shape.shared_bytes > 0 && !shared_allowed_.load(std::memory_order_relaxed)) allow_shared();
  void* arguments[] = {const_cast<void*>(parameters)};
  device_.api().launch_kernel(
      function_, static_cast<unsigned>(shape.blocks), 1, 1, static_cast<unsigned>(shape.threads), 1,
      1, static_cast<unsigned>(shape.shared_bytes), native(stream), arguments, nullptr);
  device_.health().note_launch(name_);
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

// The same of rows in clusters, whose blocks differ in bytes alone.
int CudaFunction::resident_clusters(int blocks, int threads, int shared_bytes) {
  int64_t known = clusters_.load(std::memory_order_relaxed);
  if (known >> 32 == shared_bytes) return static_cast<int>(known & 0xffffffff);
  device_.enter();
  allow_shared();
  CUlaunchConfig config{};
  config.gridDimX = static_cast<unsigned>(blocks);
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = static_cast<unsigned>(threads);
  config.sharedMemBytes = static_cast<unsigned>(shared_bytes);
  int clusters = 0;
  device_.api().occupancy_max_clusters(&clusters, function_, &config);
  clusters_.store(int64_t{shared_bytes} << 32 | clusters, std::memory_order_relaxed);
  return clusters;
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
