// A user's own module on a GPU.
#pragma once

#include "cuda/device.hpp"
#include "cuda/image.hpp"
#include "cuda/symbols.hpp"

namespace gpuarr::cuda {

class CudaRawModule final : public RawModule, public std::enable_shared_from_this<CudaRawModule> {
 public:
  static std::shared_ptr<CudaRawModule> load(CudaDevice& device, const std::string& packed);
  ~CudaRawModule() override;

  std::shared_ptr<RawFunction> function(const std::string& name) override;
  RawGlobal global(const std::string& name) override;
  std::vector<std::string> kernels() override;

 private:
  CudaRawModule(CudaDevice& device, CUmodule module, std::vector<Instance> instances,
                Symbols symbols)
      : device_(device),
        module_(module),
        instances_(std::move(instances)),
        symbols_(std::move(symbols)) {}
  std::string kernel_symbol(const std::string& name);
  bool has_function(const std::string& symbol, CUfunction& function);
  bool has_global(const std::string& symbol, RawGlobal& global);

  CudaDevice& device_;
  CUmodule module_;
  std::vector<Instance> instances_;
  Symbols symbols_;
};

}  // namespace gpuarr::cuda
