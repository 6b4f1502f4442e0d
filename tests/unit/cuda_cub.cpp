// CUB's headers, as the library carries them, compile where there are no others.
#include <cstring>
#include <iostream>
#include <set>
#include <string>

#include "check.hpp"
#include "codegen/sort/cub/cub.hpp"
#include "cuda/compile/compiler.hpp"

using namespace gpuarr;

namespace {

const char* const sums_text = R"(
#include <cub/block/block_scan.cuh>
struct params { const float* x; float* out; };
extern "C" __global__ void __launch_bounds__(128) sums_kernel(const __grid_constant__ params p) {
  typedef cub::BlockScan<float, 128> scan;
  __shared__ typename scan::TempStorage memory;
  float sum;
  scan(memory).InclusiveSum(p.x[threadIdx.x], sum);
  p.out[threadIdx.x] = sum;
}
)";

void headers_are_whole() {
  std::set<std::string> names;
  size_t bytes = 0;
  for (const EmbeddedHeader& header : cub_headers()) {
    CHECK(names.insert(header.name).second);
    bytes += std::strlen(header.text);
  }
  CHECK(names.contains("cub/agent/agent_radix_sort_onesweep.cuh"));
  CHECK(names.contains("cuda_runtime_api.h"));
  CHECK(!names.contains("cuda_fp16.h"));  // NVIDIA's alone
  CHECK(bytes > 1000000);
  CHECK(bytes < 4000000);
}

void text_names_the_version() {
  const std::string prelude = cub_prelude();
  CHECK(prelude == cub_prelude());
  CHECK(prelude.find_first_not_of("0123456789abcdef", 7) == 7 + 16);
}

// NVRTC is not what AddressSanitizer is to look at.
void sums_compile([[maybe_unused]] cuda::Compiler& compiler) {
#ifndef __SANITIZE_ADDRESS__
  Source source{"sums", cub_prelude() + sums_text, cub_options()};
  source.embedded = cub_headers();
  CHECK(compiler.compile(source).size() > 500);
#endif
}

}  // namespace

int main() {
  if (cub_headers().empty()) {
    std::cerr << "built without CUB\n";
    return 77;
  }
  headers_are_whole();
  text_names_the_version();
  cuda::Compiler compiler(90, 13);
  try {
    std::cerr << compiler.description() << '\n';
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return check::result() == 0 ? 77 : check::result();
  }
  sums_compile(compiler);
  return check::result();
}
