// The text that goes before a raw kernel, and the headers that it may include (see README.md).
#pragma once

#include <string>
#include <vector>

#include "core/user_text.hpp"

namespace gpuarr {

/// A text that #include finds by a name. Names may have folders: "cooperative_groups/reduce.h".
struct RawHeader {
  std::string name;
  std::string text;
};

/// For the host, the user's text is preprocessed with the headers in front of all other folders,
/// and with -DGPUARR_HOST=1 -D__CUDACC__=1 -D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0; the
/// prelude stands before what comes out, and its macros, such as __shared__, are still names there.
/// It needs nothing defined, and defines GPUARR_HOST too. __CUDA_ARCH__ stays undefined.
struct RawEnvironment {
  std::string prelude;
  std::vector<RawHeader> headers;
};

/// What raw source needs on a device. On CUDA the compiler has nearly all of it, and the prelude
/// has only what words in the text ask for.
RawEnvironment cuda_environment(const UserText& text);
RawEnvironment host_environment(const UserText& text);

}  // namespace gpuarr
