// Where NVRTC, CUDA's headers and its libraries are, without opening anything if that can be.
#pragma once

#include <string>
#include <vector>

#include "core/library.hpp"

namespace gpuarr::cuda {

/// The file of NVRTC, of major version `newest` or lower; fails with all places that were looked
/// at. README.md says in which order.
std::string find_nvrtc(int newest);

/// A library of the toolkit that calculates.
struct ToolkitLibrary {
  const char* title;                                   // "cuBLAS", for messages
  const char* setting;                                 // the environment variable that has its file
  std::vector<std::string> sonames;                    // the preferred one first
  std::vector<std::string> packages;                   // to install, in the same order
  std::vector<std::vector<std::string>> helpers = {};  // of each soname: what it needs itself
  const char* wheel = nullptr;  // where Python's packages have it, which are looked at where named
};

/// Opens it, where find_nvrtc would look for NVRTC, and before it the helpers that lie in the same
/// directory: the loader would take others by their names. Fails with all that was tried.
Library open_toolkit(const ToolkitLibrary& wanted);

/// Directories for -I, so that user code may include CUDA's headers; empty if there are none.
std::vector<std::string> find_headers(const std::string& nvrtc_file);

/// A program of the toolkit, such as nvdisasm; fails with all places that were looked at.
/// `nvrtc_file`: where NVRTC is, "" if that is not known.
std::string find_program(const std::string& name, const std::string& nvrtc_file);

}  // namespace gpuarr::cuda
