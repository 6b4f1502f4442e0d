// Tests of the prelude with the NVRTC of this machine; no GPU is needed.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "codegen/prelude/prelude.hpp"
#include "codegen/raw/raw.hpp"
#include "cuda/compile/compiler.hpp"
#include "device_functions.hpp"
#include "prelude_bodies.hpp"

using namespace gpuarr;
using cuda::Compiler;

namespace {

constexpr int newest = 13;

void compiles(Compiler& compiler, const std::string& text, std::vector<std::string> options = {}) {
  try {
    compiler.compile({"k", text, std::move(options)});
  } catch (const Error& error) {
    check::report(__FILE__, __LINE__) << error.what() << '\n';
  }
}

void every_combination_compiles() {
  std::set<std::string> texts;
  for (unsigned mask = 0; mask < 128; ++mask) {
    PreludeNeeds needs;
    bool* flags[] = {&needs.half,         &needs.bfloat16,        &needs.complex,
                     &needs.complex_math, &needs.complex_inverse, &needs.views,
                     &needs.atomics};
    for (unsigned bit = 0; bit < 7; ++bit) *flags[bit] = (mask >> bit & 1) != 0;
    texts.insert(cuda_prelude(needs));
  }
  CHECK_EQ(texts.size(), 64U);
  Compiler compiler(90, newest);
  for (const std::string& text : texts)
    compiles(compiler, text + "extern \"C\" __global__ void k(float* z) { *z = 1; }\n");
}

void bodies_compile() {
  PreludeNeeds needs;
  needs.half = needs.bfloat16 = needs.complex_inverse = needs.views = needs.atomics = true;
  const std::string prelude = cuda_prelude(needs);
  for (int target : {80, 90, 100}) {
    Compiler compiler(target, newest);
    compiles(compiler, prelude + prelude_test::everything("__global__"));
  }
  Compiler compiler(90, newest);
  compiles(compiler, prelude + prelude_test::everything("__global__"), {"-std=c++20"});
}

std::string refusal(const std::string& text) {
  try {
    Compiler(90, newest).compile({"k", text, {}});
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

void atomics_of_const_are_errors() {
  PreludeNeeds needs;
  needs.half = needs.bfloat16 = needs.complex = needs.atomics = true;
  const std::string prelude = cuda_prelude(needs);
  const std::string each = refusal(prelude + prelude_test::atomics_of_const("__global__"));
  for (std::string_view name : prelude_test::atomics)
    CHECK(each.find(std::string(name) + " through a pointer to const") != each.npos);
  const std::string sums = refusal(prelude + prelude_test::additions_to_const("__global__"));
  CHECK(prelude_test::occurrences(sums, "atomicAdd through a pointer to const") >=
        prelude_test::atomic_types.size());
}

// Those of the toolkit's documentation, in what is generated and in what is raw.
void functions_compile() {
  int count = 0;
  const std::string text = device_functions::text(count);
  const std::string kernel = "extern \"C\" __global__ void k(double* y, int n) { *y = call(n); }\n";
  const DType dtypes[] = {DType::f64};
  const UserText read = text;
  const UserText* const texts[] = {&read};
  Compiler compiler(90, newest);
  compiles(compiler, cuda_prelude(needs_of(dtypes, texts)) + text + kernel);
  compiles(compiler, cuda_environment(text).prelude + text + kernel);
}

}  // namespace

int main() {
  try {
    Compiler(90, newest).compile({"k", "__global__ void k() {}", {}});
  } catch (const Error& error) {
    if (error.status() != GPUARR_ERR_NO_LIBRARY) throw;
    std::cerr << "skipped: " << error.what() << '\n';
    return 77;
  }
  every_combination_compiles();
  bodies_compile();
  atomics_of_const_are_errors();
  functions_compile();
  return check::result();
}
