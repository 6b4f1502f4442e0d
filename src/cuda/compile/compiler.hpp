// Compiles CUDA C++ for one kind of GPU. It needs NVRTC, but neither a GPU nor a driver.
#pragma once

#include <string>

#include "core/once.hpp"
#include "cuda/compile/nvrtc.hpp"
#include "device/compile.hpp"

namespace gpuarr::cuda {

class Compiler {
 public:
  /// `newest_nvrtc`: the driver's CUDA major version, since code from a later one may not load.
  Compiler(int compute_capability, int newest_nvrtc)
      : compute_capability_(compute_capability), newest_nvrtc_(newest_nvrtc) {}

  std::string description();  // "NVRTC 13.0 (/usr/lib/libnvrtc.so.13)"

  /// Finds NVRTC's file, but does not open it: a kernel from the cache must not pay for that.
  std::string identity();

  /// A cubin; PTX where NVRTC does not know the GPU. Several threads may compile at once.
  std::string compile(const Source& source);

  /// The same of a user's own text; with the symbols of its instances, as image.hpp says.
  std::string compile_raw(const RawSource& source);
  std::string raw_ptx(const RawSource& source);
  /// A cubin, or GPUARR_ERR_UNSUPPORTED where NVRTC does not know the GPU.
  std::string compile_raw_exactly(const RawSource& source);

  const std::string& file();  // NVRTC's
  int compute_capability() const { return compute_capability_; }

 private:
  const Nvrtc& nvrtc();
  std::string architecture();

  int compute_capability_;
  int newest_nvrtc_;
  Once<std::string> file_;
  Once<Nvrtc> nvrtc_;
};

}  // namespace gpuarr::cuda
