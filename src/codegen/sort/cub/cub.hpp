// CUB, for the texts that include it: the library carries its headers (see README.md).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/embedded_header.hpp"

namespace gpuarr {

/// For Source::embedded; none in a library that was built without CUDA.
std::span<const EmbeddedHeader> cub_headers();

/// For Source::options.
std::vector<std::string> cub_options();

/// Stands first in a text, before it includes <cub/...>. It names the headers' version, so that a
/// kernel's key need not contain them. Fails where there are none.
std::string cub_prelude();

}  // namespace gpuarr
