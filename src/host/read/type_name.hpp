// The names of types, as g++ and clang++ spell them, in one spelling.
#pragma once

#include <string>
#include <string_view>

namespace gpuarr::host {

/// "const float*" of a __PRETTY_FUNCTION__ of a template <class T>: "... [with T = const float*]"
/// or "... [T = const float *]"; "" if it is none.
std::string type_name(std::string_view function);

/// Whether a type's name is that of a constant.
bool is_const(std::string_view type);

}  // namespace gpuarr::host
