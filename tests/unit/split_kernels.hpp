// Kernels for the test of how they are cut at their barriers. Each takes (int* out, const int* in,
// int n), has one element for each thread, and wants blocks of at most 256 threads.
#pragma once

#include <string>

#include "split_kernels_alike.hpp"
#include "split_kernels_apart.hpp"
#include "split_kernels_variables.hpp"

namespace split_kernels {

/// What all of them use.
inline const char* const common = R"cuda(
constexpr int most = 256;
__constant__ int factor = 3;
struct Point { int x, y; };
__device__ void add_to(int& to, int x) { to += x; }
__device__ int rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ int place() {
  return rank() + blockDim.x * blockDim.y * blockDim.z *
                      (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
}
__device__ int size() { return blockDim.x * blockDim.y * blockDim.z; }

#define KERNEL(name) extern "C" __global__ void name(int* out, const int* in, int n)
)cuda";

/// One module of them all. Each is cut.
inline std::string cut() { return std::string(common) + alike + apart + variables; }

}  // namespace split_kernels
