// Whether NVRTC takes what is generated, in the tests of every form of it.
#pragma once

#include <string>

#include "cuda/compile/compiler.hpp"

/// Throws what the compiler says. AddressSanitizer looks at what wrote the source, and that is
/// done: NVRTC would be nearly all of the time, and has none of our code.
inline bool compiles([[maybe_unused]] gpuarr::cuda::Compiler& compiler,
                     [[maybe_unused]] const std::string& name, const std::string& source) {
#ifdef __SANITIZE_ADDRESS__
  return source.find("__global__") != std::string::npos;
#else
  return compiler.compile({name, source, {}}).size() > 500;
#endif
}
