// One compilation by NVRTC.
#pragma once

#include <string>
#include <vector>

#include "cuda/compile/nvrtc.hpp"
#include "device/compile.hpp"

namespace gpuarr::cuda {

class Program {
 public:
  /// The source's headers are there to be included; its own text is not looked at.
  Program(const Nvrtc& nvrtc, const std::string& text, const std::string& name,
          const Source& source);
  ~Program() { nvrtc_.destroy_program.unchecked(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Makes a template's instance, or anything else that an expression names; before compile().
  void add_instance(const std::string& expression);
  nvrtcResult compile(const std::vector<std::string>& options);

  std::string log() const { return read(nvrtc_.get_log_size, nvrtc_.get_log, 1); }
  std::string cubin() const { return read(nvrtc_.get_cubin_size, nvrtc_.get_cubin, 0); }
  std::string ptx() const { return read(nvrtc_.get_ptx_size, nvrtc_.get_ptx, 1); }
  std::string image() const;  // a cubin; PTX if there is none
  std::string symbol(const std::string& instance) const;

 private:
  // Texts come with a NUL, which is counted and is none of theirs.
  template <class Size, class Get>
  std::string read(const Size& get_size, const Get& get, size_t terminator) const {
    size_t size = 0;
    get_size(program_, &size);
    std::string result(size, '\0');
    if (size != 0) get(program_, result.data());
    result.resize(size < terminator ? 0 : size - terminator);
    return result;
  }

  const Nvrtc& nvrtc_;
  nvrtcProgram program_ = nullptr;
};

/// Throws what a compilation ended with: a CompileError, or that a part of NVRTC is missing.
[[noreturn]] void fail_compile(const Nvrtc& nvrtc, nvrtcResult result, std::string log);

}  // namespace gpuarr::cuda
