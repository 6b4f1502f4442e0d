// Compiling with NVRTC.
#include "cuda/compile/compiler.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/error.hpp"
#include "cuda/compile/options.hpp"
#include "cuda/compile/program.hpp"
#include "cuda/compile/stack.hpp"
#include "cuda/driver/locate.hpp"

namespace gpuarr::cuda {
namespace {

using Strings = std::vector<std::string>;

// Part of every image's identity: to be raised when the options change.
constexpr int options_version = 1;

std::string compile_here(const Nvrtc& nvrtc, const Source& source, Strings options) {
  // --minimal leaves textures and types of the runtime out, and saves a tenth of the time. Text
  // that fails for want of them is tried again with all there is.
  if (nvrtc.major >= 13 && !has_include(source.text)) {
    options.emplace_back("--minimal");
    Program program(nvrtc, source.text, source.name, source);
    if (program.compile(options) == NVRTC_SUCCESS) return program.image();
    options.pop_back();
  }
  Program program(nvrtc, source.text, source.name, source);
  nvrtcResult result = program.compile(options);
  if (result != NVRTC_SUCCESS) fail_compile(nvrtc, result, program.log());
  return program.image();
}

}  // namespace

const std::string& Compiler::file() {
  return file_.get([&] { return std::make_unique<std::string>(find_nvrtc(newest_nvrtc_)); });
}

const Nvrtc& Compiler::nvrtc() {
  return nvrtc_.get([&] { return std::make_unique<Nvrtc>(file()); });
}

std::string Compiler::description() {
  return formatted("NVRTC {}.{} ({})", nvrtc().major, nvrtc().minor, nvrtc().library.path);
}

std::string Compiler::identity() {
  std::error_code error;
  std::string real = std::filesystem::canonical(file(), error).string();
  struct stat info {};
  if (error || stat(real.c_str(), &info) != 0)
    fail(GPUARR_ERR_NO_LIBRARY, "{} no longer exists; install NVRTC again, or set $GPUARR_NVRTC",
         file());
  return formatted("nvrtc {} {} {}.{:09}, cc {}, options {}", real, info.st_size,
                   info.st_mtim.tv_sec, info.st_mtim.tv_nsec, compute_capability_, options_version);
}

std::string Compiler::architecture() {
  const std::vector<int>& known = nvrtc().targets;
  auto above = std::ranges::upper_bound(known, compute_capability_);
  if (above == known.begin())
    fail(GPUARR_ERR_UNSUPPORTED,
         "{} does not compile for this GPU (sm_{}); set $GPUARR_NVRTC to one that does",
         description(), compute_capability_);
  int best = *std::prev(above);
  return formatted("{}_{}", best == compute_capability_ ? "sm" : "compute", best);
}

std::string Compiler::compile(const Source& source) {
  const Nvrtc& nvrtc = this->nvrtc();
  Strings options = options_for(nvrtc, source, architecture(), "");
  std::string image;
  on_large_stack([&] { image = compile_here(nvrtc, source, options); });
  return image;
}

}  // namespace gpuarr::cuda
