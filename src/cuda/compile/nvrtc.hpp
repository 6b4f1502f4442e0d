// NVRTC, opened at run time: the one list of the functions that are used of it.
#pragma once

#include <nvrtc.h>

#include <string>
#include <vector>

#include "core/library.hpp"

namespace gpuarr::cuda {

struct Nvrtc {
  explicit Nvrtc(const std::string& file);
  Nvrtc(const Nvrtc&) = delete;
  Nvrtc& operator=(const Nvrtc&) = delete;

  void* find(const char* name) const;
  void* find_optional(const char* name) const { return library.symbol(name); }
  [[noreturn]] void fail(const char* function, nvrtcResult result) const;

  const Library library;

  template <class F>
  using Fn = Call<Nvrtc, F>;

  Fn<decltype(&nvrtcGetErrorString)> get_error_string{*this, "nvrtcGetErrorString"};
  Fn<decltype(&nvrtcVersion)> get_version{*this, "nvrtcVersion"};
  Fn<decltype(&nvrtcGetNumSupportedArchs)> get_target_count{*this, "nvrtcGetNumSupportedArchs"};
  Fn<decltype(&nvrtcGetSupportedArchs)> get_targets{*this, "nvrtcGetSupportedArchs"};
  Fn<decltype(&nvrtcCreateProgram)> create_program{*this, "nvrtcCreateProgram"};
  Fn<decltype(&nvrtcDestroyProgram)> destroy_program{*this, "nvrtcDestroyProgram"};
  Fn<decltype(&nvrtcAddNameExpression)> add_name_expression{*this, "nvrtcAddNameExpression"};
  Fn<decltype(&nvrtcGetLoweredName)> get_lowered_name{*this, "nvrtcGetLoweredName"};
  // Of CUDA 12.9 on.
  Fn<nvrtcResult (*)(nvrtcProgram, int (*)(void*, void*), void*)> set_flow_callback{
      *this, optional, "nvrtcSetFlowCallback"};
  Fn<decltype(&nvrtcCompileProgram)> compile_program{*this, "nvrtcCompileProgram"};
  Fn<decltype(&nvrtcGetProgramLogSize)> get_log_size{*this, "nvrtcGetProgramLogSize"};
  Fn<decltype(&nvrtcGetProgramLog)> get_log{*this, "nvrtcGetProgramLog"};
  Fn<decltype(&nvrtcGetCUBINSize)> get_cubin_size{*this, "nvrtcGetCUBINSize"};
  Fn<decltype(&nvrtcGetCUBIN)> get_cubin{*this, "nvrtcGetCUBIN"};
  Fn<decltype(&nvrtcGetPTXSize)> get_ptx_size{*this, "nvrtcGetPTXSize"};
  Fn<decltype(&nvrtcGetPTX)> get_ptx{*this, "nvrtcGetPTX"};

  int major = 0;
  int minor = 0;
  std::vector<int> targets;  // compute capabilities, 90 for 9.0, rising
};

}  // namespace gpuarr::cuda
