// A user's own module on a GPU.
#pragma once

#include <map>
#include <optional>

#include "cuda/compile/image.hpp"
#include "cuda/compile/symbols.hpp"
#include "cuda/device/device.hpp"

namespace gpuarr::cuda {

class CudaRawModule final : public RawModule, public std::enable_shared_from_this<CudaRawModule> {
 public:
  static std::shared_ptr<CudaRawModule> load(CudaDevice& device, const std::string& packed);
  ~CudaRawModule() override;

  std::shared_ptr<RawFunction> function(const std::string& name) override;
  RawGlobal global(const std::string& name) override;
  std::vector<std::string> kernels() override;

  /// What the code tells of a kernel's parameters, where the driver does not.
  std::optional<std::vector<RawParameter>> parameters(const std::string& symbol) const;

 private:
  CudaRawModule(CudaDevice& device, std::vector<Instance> instances, Symbols symbols)
      : device_(device), instances_(std::move(instances)), symbols_(std::move(symbols)) {}
  std::string kernel_symbol(const std::string& name);
  bool has_function(const std::string& symbol, CUfunction& function);
  bool has_global(const std::string& symbol, RawGlobal& global);

  CudaDevice& device_;
  CUmodule module_ = nullptr;
  std::vector<Instance> instances_;
  Symbols symbols_;
  std::map<std::string, std::vector<RawParameter>> parameters_;
};

}  // namespace gpuarr::cuda
