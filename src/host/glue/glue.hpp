// The text that is compiled into every raw module (see glue/).
#pragma once

#include <string>
#include <vector>

namespace gpuarr::host {

/// Stands behind the environment (dim3, uint3 ...) and before the user's text. glue/launch.cuh says
/// what the module's text has to end with. With checks (GPUARR_CHECK_...) it has what instrumented
/// code calls.
std::string glue_text(int checks = 0);

/// Stands behind all text for the CPU, that of generated kernels too: dividing an integer by zero
/// must not end the process.
std::string division_text();

/// What the compiler needs to be told to compile it.
std::vector<std::string> glue_flags();

}  // namespace gpuarr::host
