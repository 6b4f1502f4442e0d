// Compiled code on a GPU.
#pragma once

#include <atomic>

#include "cuda/device/loader.hpp"

namespace gpuarr::cuda {

class CudaModule final : public Module, public std::enable_shared_from_this<CudaModule> {
 public:
  CudaModule(CudaDevice& device, const std::string& image)
      : device_(device), module_(load_code(device, image)) {}

  std::shared_ptr<Function> function(const std::string& name) override;

 private:
  CudaDevice& device_;
  std::shared_ptr<CUmod_st> module_;
};

class CudaFunction final : public Function {
 public:
  CudaFunction(CudaDevice& device, CUfunction function, const char* kept_name,
               std::shared_ptr<CudaModule> module)
      : device_(device), function_(function), name_(kept_name), module_(std::move(module)) {}

  void launch(const LaunchShape& shape, const void* parameters, size_t bytes,
              Stream& stream) override;
  int resident_blocks(int threads) override;
  int resident_clusters(int blocks, int threads, int shared_bytes) override;

 private:
  void allow_shared();

  CudaDevice& device_;
  CUfunction function_;
  const char* name_;
  std::atomic<bool> shared_allowed_{false};
  std::atomic<int64_t> resident_{0};  // threads of a block, and the answer in the low 32 bits
  std::atomic<int64_t> clusters_{0};  // bytes, and the answer
  std::shared_ptr<CudaModule> module_;
};

}  // namespace gpuarr::cuda
