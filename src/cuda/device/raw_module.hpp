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
  CudaRawModule(CudaDevice& device, Image image);

  std::shared_ptr<RawFunction> function(const std::string& name) override;
  RawGlobal global(const std::string& name) override;
  std::vector<std::string> kernels() override;

  /// Fails with what a checked kernel's own text reported, if it did; the stream has done its work.
  void tell_report(const std::string& kernel, Stream& stream);

  /// What the code tells of a kernel's parameters, where the driver does not.
  std::optional<std::vector<RawParameter>> parameters(const std::string& symbol) const;

 private:
  std::string kernel_symbol(const std::string& name);
  bool has_global(const std::string& symbol, RawGlobal& global);

  CudaDevice& device_;
  std::shared_ptr<CUmod_st> module_;
  std::vector<Instance> instances_;
  Symbols symbols_;
  std::map<std::string, std::vector<RawParameter>> parameters_;
};

}  // namespace gpuarr::cuda
