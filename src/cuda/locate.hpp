// Where NVRTC and CUDA's headers are, without opening anything if that can be.
#pragma once

#include <string>
#include <vector>

namespace gpuarr::cuda {

/// The file of NVRTC, of major version `newest` or lower; fails with all places that were looked
/// at. README.md says in which order.
std::string find_nvrtc(int newest);

/// Directories for -I, so that user code may include CUDA's headers; empty if there are none.
std::vector<std::string> find_headers(const std::string& nvrtc_file);

/// A program of the toolkit, such as nvdisasm; fails with all places that were looked at.
/// `nvrtc_file`: where NVRTC is, "" if that is not known.
std::string find_program(const std::string& name, const std::string& nvrtc_file);

}  // namespace gpuarr::cuda
