// The text that is compiled into every raw module (see glue/).
#pragma once

#include <string>

namespace gpuarr::host {

/// Stands behind the environment (dim3, uint3 ...) and before the user's text. glue/launch.cuh says
/// what the module's text has to end with.
std::string glue_text();

}  // namespace gpuarr::host
