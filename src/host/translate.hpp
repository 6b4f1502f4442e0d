// CUDA C++ to the C++ that the system's compiler takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuarr::host {

/// `preprocessed` has line marks; what comes out stands behind the environment and the glue, has
/// the same lines, and ends with the table that the module shows to the library. Templates are
/// instantiated as `instances` name them. Throws CompileError for constructs that do not run on a
/// CPU.
std::string translate(std::string_view preprocessed, const std::vector<std::string>& instances);

/// A kernel's name or template expression, as one that means the same is written too:
/// "a<float,4>" for "::a< float, 4 >".
std::string squeezed(std::string_view expression);

}  // namespace gpuarr::host
