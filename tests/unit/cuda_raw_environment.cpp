// What goes before raw kernels, and the headers that they may include, with the NVRTC of this
// machine; no GPU is needed.
#include <string>
#include <utility>

#include "check.hpp"
#include "codegen/raw/raw.hpp"
#include "cuda/compile/compiler.hpp"
#include "raw_snippets.hpp"

using namespace gpuarr;
using cuda::Compiler;

namespace {

constexpr int newest = 13;

void compiles(Compiler& compiler, const std::string& text) {
  RawSource source;
  source.name = "module";
  source.text = text;
  RawEnvironment environment = cuda_environment(text);
  source.prelude = std::move(environment.prelude);
  for (RawHeader& header : environment.headers)
    source.headers.push_back({std::move(header.name), std::move(header.text)});
  try {
    CHECK(!compiler.compile_raw(source).empty());
  } catch (const Error& error) {
    check::report(__FILE__, __LINE__) << error.what() << '\n';
  }
}

const char* const c_headers = R"(
#include <cstdint>
#include <cmath>
#include <cfloat>
#include <climits>
#include <cstdio>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <cstdlib>
#include <inttypes.h>
)";
const char* const cuda_headers = R"(
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuComplex.h>
#include <cuda_pipeline.h>
#include <cuda/std/limits>
#include <mma.h>
)";
const char* const own_headers = R"(
#include <gpuarr.cuh>
#include <cupy/complex.cuh>
#include <thrust/complex.h>
)";
const char* const kernel = R"(
extern "C" __global__ void k(float* x, uint64_t* u, gpuarr_view<const float, 2> v) {
  GPUARR_LOOP(i, v.size()) x[i] = std::sin(v[i]) + FLT_MAX + INT_MAX;
  u[0] = UINT64_MAX;
}
)";

// The order of includes does not matter, and what text needs is there without any.
void headers_agree(Compiler& compiler) {
  const std::string c = c_headers, cuda = cuda_headers, own = own_headers;
  for (const std::string& order : {c + cuda + own, own + cuda + c, cuda + c + own, c})
    compiles(compiler, order + kernel);
  compiles(compiler, "__global__ void k(float* x, int n) { GPUARR_LOOP(i, n) x[i] = 1; }\n");
  compiles(compiler,
           "typedef float float16;\n"
           "__global__ void k(gpuarr_view<float16, 1> x) { x(0) = 1; }\n");
  compiles(compiler, "__global__ void k(float* x) { x[0] = INFINITY * M_PI; x[1] = NAN; }\n");
  CHECK(cuda_environment("__global__ void k() {}").prelude.empty());
}

}  // namespace

int main() {
  Compiler compiler(90, newest);
  try {
    compiler.compile({"k", "__global__ void k() {}", {}});
  } catch (const Error& error) {
    if (error.status() != GPUARR_ERR_NO_LIBRARY) throw;
    std::cerr << "skipped: " << error.what() << '\n';
    return 77;
  }
  using namespace raw_snippets;
  headers_agree(compiler);
  compiles(compiler, blocks);
  for (int target : {80, 90, 100}) {
    Compiler of_target(target, newest);
    compiles(of_target, plain);
    compiles(of_target, includes);
  }
  return check::result();
}
