// A kernel of a user's own module on a GPU.
#pragma once

#include <atomic>

#include "cuda/device/raw_module.hpp"

namespace gpuarr::cuda {

class CudaRawFunction final : public RawFunction {
 public:
  CudaRawFunction(CudaDevice& device, CUfunction function, const std::string& name,
                  std::string symbol, std::shared_ptr<CudaRawModule> module);

  const RawFacts& facts() const override { return facts_; }
  void launch(const RawLaunch& launch, const void* arguments, size_t bytes,
              Stream& stream) override;
  int64_t attribute(int32_t attribute) override;
  void set_attribute(int32_t attribute, int64_t value) override;
  int resident_blocks(int threads, int64_t shared_bytes) override;
  int best_block(int64_t shared_bytes) override;

 private:
  int read(CUfunction_attribute attribute) const;
  void read_facts();
  void allow_shared(int64_t bytes);
  CUresult start(const RawLaunch& launch, void** extra, Stream& stream) const;
  CUresult launch_with(const RawLaunch& launch, void** extra, Stream& stream) const;
  void wait(Stream& stream, const char* kernel);
  [[noreturn]] void fail_launch(const RawLaunch& launch, CUresult result);
  std::string limits(const RawLaunch& launch);

  CudaDevice& device_;
  CUfunction function_;
  const char* kept_name_;
  RawFacts facts_;
  std::atomic<int64_t> shared_allowed_{0};  // dynamic, without asking again
  std::atomic<uint64_t> resident_{0};       // the last question and its answer, packed
  std::atomic<uint64_t> best_{0};
  std::shared_ptr<CudaRawModule> module_;
};

}  // namespace gpuarr::cuda
