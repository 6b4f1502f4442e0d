// Opening NVRTC.
#include "cuda/compile/nvrtc.hpp"

#include <filesystem>

#include "core/error.hpp"

namespace gpuarr::cuda {
namespace {

Library open(const std::string& file) {
  std::string tried;
  if (Library library = open_library(file, tried)) return library;
  fail(GPUARR_ERR_NO_LIBRARY, "NVRTC cannot be opened: {}; set $GPUARR_NVRTC to another one",
       tried);
}

}  // namespace

Nvrtc::Nvrtc(const std::string& file) : library(open(file)) {
  get_version(&major, &minor);
  // NVRTC opens this by its bare name, which the loader finds only in the system's own places; one
  // that is open already is taken. Where it is missing, the first compile says so.
  std::string ignored;
  auto beside = std::filesystem::path(library.path).parent_path();
  open_library((beside / formatted("libnvrtc-builtins.so.{}.{}", major, minor)).string(), ignored);
  int count = 0;
  get_target_count(&count);
  targets.resize(static_cast<size_t>(count));
  get_targets(targets.data());
}

void* Nvrtc::find(const char* name) const {
  void* address = library.symbol(name);
  if (address == nullptr)
    gpuarr::fail(GPUARR_ERR_NO_LIBRARY, "{} has no {}; is it NVRTC of CUDA 12 or newer?",
                 library.path, name);
  return address;
}

void Nvrtc::fail(const char* function, nvrtcResult result) const {
  throw Error(GPUARR_ERR_DRIVER,
              formatted("{} failed: {}", function, get_error_string.unchecked(result)), result);
}

}  // namespace gpuarr::cuda
