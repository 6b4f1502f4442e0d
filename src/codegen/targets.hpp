// The targets that the library has writers for. A backend names one of them in backends.cpp, or one
// of its own, made of these writers and others.
#pragma once

#include "codegen/layout/target.hpp"

namespace gpuarr {

extern const Target cuda_target;  // CUDA C++ for NVRTC
extern const Target host_target;  // C++ for g++ and clang++

}  // namespace gpuarr
