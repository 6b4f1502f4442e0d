// CUDA C++ as people write it compiles for the CPU, with either compiler and any standard.
#include <cstdlib>
#include <string>
#include <vector>

#include "check.hpp"
#include "raw_build.hpp"
#include "raw_snippets.hpp"

using namespace gpuarr;

namespace {

void compiles(const std::string& text, std::vector<std::string> options = {}) {
  try {
    RawSource source = raw_source(text);
    source.options = std::move(options);
    CHECK(!raw_module(source)->kernels().empty());
  } catch (const Error& error) {
    check::report(__FILE__, __LINE__) << error.what() << '\n';
  }
}

// What the system's headers bring stands beside what the prelude has.
const char* const standard = R"(
#include <algorithm>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string.h>
#include <type_traits>
#include <math.h>
#include <cmath>
#include <assert.h>
#include <cuda_fp16.h>
#include <thrust/complex.h>
typedef unsigned char uint8;
extern "C" __global__ void mixed(float* f, double* d, std::complex<float>* z, uint32_t* u,
    half* h) {
  f[0] = std::max(f[1], f[2]) + pow(f[1], 2) + pow(2, 3) + sqrt(f[1]) + std::sqrt(f[2]) + abs(f[3]);
  d[0] = sin(d[1]) + std::sin(d[2]) + max(1, 2) + fmax(1.0, f[1]) + std::hypot(d[1], d[2]) + exp(1);
  f[1] = isnan(f[1]) + std::isinf(d[1]) + most<float>() + HUGE_VALF + FP_NAN;
  z[0] = std::exp(z[1]) * z[2]; u[0] = std::min(u[1], 3u) + abs(-3) + std::abs(-4L) + labs(3) +
      __popc(u[1]);
  memcpy(f, d, 4); d[1] = thrust::abs(thrust::complex<double>(1, 2));
      h[0] = __float2half(M_PI) + h[1];
  f[2] = sinf(f[1]) + expf(f[1]) + std::floor(f[2]) + round(f[3]) + log(f[1]) + __expf(f[2]) +
      lround(d[1]);
}
)";

}  // namespace

int main() {
  using namespace raw_snippets;
  compiles(plain);
  compiles(std::string(includes) + standard, {"-std=c++20", "-O0"});
  compiles(std::string(plain) + blocks, {"-O0", "-DBLOCK_SIZE=64"});
  if (std::system("command -v clang++ >/dev/null") == 0) {
    setenv("GPUARR_CXX", "clang++", 1);
    compiles(std::string(plain) + blocks, {"-O0"});
    compiles(std::string(includes) + standard, {"-O0"});
  }
  return check::result();
}
