// What src/embed_headers.cpp wrote of CUB, found again.
#include "codegen/sort/cub/cub.hpp"

#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"

// The file as it is: a compiler would take long for so long a literal. The labels are this file's
// own.
asm(".pushsection .rodata\n"
    "gpuarr_cub_begin: .incbin \"" GPUARR_CUB_HEADERS
    "\"\n"
    "gpuarr_cub_end:\n"
    ".popsection\n");

extern "C" {
[[gnu::visibility("hidden")]] extern const char gpuarr_cub_begin[];
[[gnu::visibility("hidden")]] extern const char gpuarr_cub_end[];
}

namespace gpuarr {
namespace {

struct Cub {
  std::string_view digest;
  std::vector<EmbeddedHeader> headers;
};

const char* next(const char* text) { return text + std::string_view(text).size() + 1; }

const Cub& cub() {
  static const Cub* made = [] {
    auto* result = new Cub;
    const char* at = gpuarr_cub_begin;
    if (at == gpuarr_cub_end) return result;
    result->digest = at;
    for (at = next(at); at != gpuarr_cub_end; at = next(next(at)))
      result->headers.push_back({at, next(at)});
    result->headers.push_back({"cuda_runtime_api.h", ""});
    return result;
  }();
  return *made;
}

}  // namespace

std::span<const EmbeddedHeader> cub_headers() { return cub().headers; }

std::vector<std::string> cub_options() { return {"--std=c++20"}; }

// CUB's kernels here move numbers of the language itself, so its small floats, which need headers
// of the toolkit, are turned off; _CCCL_META_UNROLL_LIMIT saves a third of the time to parse.
std::string cub_prelude() {
  if (cub_headers().empty())
    fail(GPUARR_ERR_UNSUPPORTED,
         "this library was built without CUB's headers, which sorting on a GPU needs; build it "
         "with CUB 3 or newer, which CUDA 13 has");
  return formatted(
      "// CUB {}\n"
      "#define _CCCL_META_UNROLL_LIMIT 4\n"
      "#define CCCL_DISABLE_NVFP8_SUPPORT\n"
      "#define CCCL_DISABLE_NVFP6_SUPPORT\n"
      "#define CCCL_DISABLE_NVFP4_SUPPORT\n"
      "#define CCCL_DISABLE_FP16_SUPPORT\n"
      "#define CCCL_DISABLE_BF16_SUPPORT\n"
      "#define CUB_DISABLE_CDP\n",
      cub().digest);
}

}  // namespace gpuarr
