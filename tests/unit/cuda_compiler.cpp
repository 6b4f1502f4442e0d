// Tests of compiling with the NVRTC of this machine; no GPU is needed.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "check.hpp"
#include "codegen/targets.hpp"
#include "core/watch.hpp"
#include "cuda/compile/compiler.hpp"
#include "cuda/compile/options.hpp"
#include "cuda/driver/locate.hpp"

using namespace gpuarr;
using cuda::Compiler;

namespace {

constexpr int newest = 13;

Source kernel(const std::string& body, const std::string& preamble = "",
              std::vector<std::string> options = {}) {
  return {"k", preamble + R"(
struct P { float* z; const float* x; int n; };
extern "C" __global__ void k(const __grid_constant__ P p) {
  float* z = p.z; const float* x = p.x;
#line 1 "body"
)" + body + "\n}\n",
          std::move(options)};
}

bool is_cubin(const std::string& image) { return image.starts_with("\177ELF"); }

bool nvrtc_is_open() {
  return dlopen("libnvrtc.so.13", RTLD_NOW | RTLD_NOLOAD) != nullptr ||
         dlopen("libnvrtc.so.12", RTLD_NOW | RTLD_NOLOAD) != nullptr;
}

// Must come first: nothing may have opened NVRTC yet.
void identity_opens_nothing() {
  Compiler compiler(90, newest);
  std::string identity = compiler.identity();
  if (!dlsym(RTLD_DEFAULT, "nvrtcVersion")) CHECK(!nvrtc_is_open());
  CHECK_EQ(Compiler(90, newest).identity(), identity);
  CHECK(Compiler(80, newest).identity() != identity);
}

void makes_what_the_gpu_needs() {
  std::string image = Compiler(90, newest).compile(kernel("z[0] = x[0];"));
  CHECK(is_cubin(image));
  CHECK_EQ(Compiler(90, newest).compile(kernel("z[0] = x[0];")), image);  // the same bytes
  std::string ptx = Compiler(119, newest).compile(kernel("z[0] = x[0];"));
  CHECK(ptx.find(".version") != std::string::npos);
  CHECK(ptx.find(".target sm_1") != std::string::npos);
  CHECK(ptx.find('\0') == std::string::npos);
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "does not compile for this GPU (sm_20)",
              [] { Compiler(20, newest).compile(kernel("")); });
}

void takes_options() {
  Compiler compiler(90, newest);
  CHECK(is_cubin(compiler.compile(kernel("z[0] = VALUE;", "", {"-DVALUE=3"}))));
  Source twenty = kernel("static_assert(__cplusplus > 201703L);", "", {"-std=c++20"});
  CHECK(is_cubin(compiler.compile(twenty)));
  CHECK(is_cubin(compiler.compile(kernel("static_assert(__cplusplus == 201703L);"))));
  CHECK(!is_cubin(compiler.compile(kernel("", "", {"-arch=compute_80"}))));
  CHECK_FAILS(GPUARR_ERR_COMPILE, "unrecognized option --nonsense",
              [&] { compiler.compile(kernel("", "", {"--nonsense"})); });
}

// No flag of ours touches arithmetic: subnormals stay, division and square roots are exact.
void hides_no_arithmetic() {
  std::string ptx =
      Compiler(90, newest).compile(kernel("z[0] = sqrtf(x[0]) / x[1];", "", {"-arch=compute_90"}));
  CHECK(ptx.find("sqrt.rn.f32") != std::string::npos);
  CHECK(ptx.find("div.rn.f32") != std::string::npos);
  CHECK(ptx.find(".ftz") == std::string::npos);
}

void compiles_what_users_write() {
  Compiler compiler(90, newest);
  CHECK(is_cubin(compiler.compile(
      kernel("z[0] = half(x[0]);", "template <class T> T half(T a) { return a / 2; }\n"))));
  CHECK(is_cubin(compiler.compile(kernel(
      "__shared__ float4 s[32]; s[threadIdx.x] = make_float4(1, 2, 3, 4); __syncthreads();"
      "atomicAdd(z, s[0].x + __shfl_down_sync(~0u, x[0], 1) + __ldg(x)); printf(\"%f\", z[0]);"))));
  // Textures are what --minimal leaves out.
  CHECK(is_cubin(compiler.compile(
      kernel("z[0] = tex1Dfetch<float>(t, 3);", "__device__ cudaTextureObject_t t;\n"))));
}

void finds_nvidias_headers() {
  if (cuda::find_headers(cuda::find_nvrtc(newest)).empty()) return;
  Compiler compiler(90, newest);
  CHECK(is_cubin(compiler.compile(
      kernel("z[0] = __half2float(__float2half(x[0]));", "# include <cuda_fp16.h>\n"))));
  CHECK(is_cubin(compiler.compile(
      kernel("z[0] = cuda::std::numeric_limits<float>::max();", "#include <cuda/std/limits>\n"))));
}

// What includes something is compiled without --minimal, which takes a tenth longer.
void tells_includes_from_words() {
  CHECK(cuda::has_include("int x;\n #\tinclude <a>\n"));
  CHECK(cuda::has_include("/* a */ #include <a>"));
  CHECK(!cuda::has_include("#define include\n  // a user's #include\n#"));
  PreludeNeeds all;
  for (bool* need : {&all.half, &all.bfloat16, &all.complex, &all.views}) *need = true;
  CHECK(!cuda::has_include(cuda_target.prelude(all)));
}

std::vector<Diagnostic> diagnostics_of(const Source& source) {
  try {
    Compiler(90, newest).compile(source);
  } catch (const CompileError& e) {
    CHECK_EQ(e.status(), GPUARR_ERR_COMPILE);
    CHECK(e.native() != 0);
    CHECK(std::string(e.what()).find("error") != std::string::npos);
    return e.diagnostics();
  }
  CHECK(!"it compiled");
  return {};
}

void check_first_error(const Source& source, const char* file, int line, int column,
                       const char* part) {
  auto all = diagnostics_of(source);
  std::erase_if(all, [](const Diagnostic& d) { return !d.is_error; });
  CHECK(!all.empty());
  if (all.empty()) return;
  CHECK_EQ(all[0].file, std::string(file));
  CHECK_EQ(all[0].line, line);
  CHECK_EQ(all[0].column, column);
  CHECK(all[0].message.find(part) != std::string::npos);
}

void says_where_faults_are() {
  check_first_error(kernel("\n  z[0] = foo(1);"), "body", 2, 10, "\"foo\" is undefined");
  check_first_error(kernel("z[0] = 1\nz[1] = 2;"), "body", 2, 1, "expected a \";\"");
  check_first_error(kernel("z[0] = \"text\";"), "body", 1, 6, "cannot be assigned");
  check_first_error(kernel("#error not today"), "body", 1, 2, "not today");
  check_first_error(kernel("z[0] = twice(3);",
                           "#line 1 \"preamble\"\n"
                           "template <class T> T twice(T a) { return a.twice(); }\n"),
                    "preamble", 1, 42, "at line 1 of body");
  check_first_error(kernel("int unused; z[0] = nix;"), "body", 1, 20, "\"nix\" is undefined");
  check_first_error(kernel("__shared__ float s[100000]; s[threadIdx.x] = 0; z[0] = s[p.n];"), "", 0,
                    0, "too much shared data");
  auto both = diagnostics_of(kernel("int unused; z[0] = nix;"));
  auto errors = std::ranges::count_if(both, [](const Diagnostic& d) { return d.is_error; });
  CHECK_EQ(errors, 1);
  CHECK(std::ranges::any_of(both, [](const Diagnostic& d) {
    return !d.is_error && d.column == 5 && d.message.find("\"unused\"") != std::string::npos;
  }));
}

// As far as it can be told: NVRTC before CUDA 12.9 cannot.
void gives_up_in_time() {
  Compiler compiler(90, newest);
  int major = 0, minor = 0;
  CHECK_EQ(std::sscanf(compiler.description().c_str(), "NVRTC %d.%d", &major, &minor), 2);
  if (major < 13) return;
  const Source slow = kernel(
      "float a = z[0];\n#pragma unroll\nfor (int k = 0; k < 20000; ++k) a = a * z[k] + sinf(a);\n"
      "z[0] = a;");
  const auto begin = std::chrono::steady_clock::now();
  Watch watch("kernel \"slow\"");
  watch.limit(0.01);
  CHECK_FAILS(GPUARR_ERR_COMPILE,
              "kernel \"slow\": NVRTC was stopped because it took longer than 0.01 s",
              [&] { compiler.compile(slow); });
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
  watch.limit(0);
  CHECK(is_cubin(compiler.compile(kernel("z[0] = 1;"))));
  Watch::end_all();
  CHECK_FAILS(GPUARR_ERR_COMPILE, "NVRTC was cancelled",
              [&] { compiler.compile(kernel("z[0] = 2;")); });
}

void compiles_in_threads() {
  Compiler compiler(90, newest);  // opened by all of them at once
  std::vector<std::string> images(6);
  std::vector<std::thread> crowd;
  crowd.reserve(images.size());
  for (size_t t = 0; t < images.size(); ++t)
    crowd.emplace_back(
        [&, t] { images[t] = compiler.compile(kernel("z[0] = " + std::to_string(t % 2) + ";")); });
  for (auto& thread : crowd) thread.join();
  for (size_t t = 0; t < images.size(); ++t) {
    CHECK(is_cubin(images[t]));
    CHECK_EQ(images[t] == images[0], t % 2 == 0);
  }
}

void says_what_is_missing() {
  setenv("GPUARR_NVRTC", "/nonexistent/libnvrtc.so.13", 1);
  CHECK_FAILS(GPUARR_ERR_NO_LIBRARY,
              "$GPUARR_NVRTC cannot be opened: /nonexistent/libnvrtc.so.13 (",
              [] { Compiler(90, newest).identity(); });
  CHECK_FAILS(GPUARR_ERR_NO_LIBRARY, "$GPUARR_NVRTC", [] { Compiler(90, newest).description(); });
  CHECK_FAILS(GPUARR_ERR_NO_LIBRARY, "$GPUARR_NVRTC",
              [] { Compiler(90, newest).compile(kernel("")); });
  setenv("GPUARR_NVRTC", "libdl.so.2", 1);
  CHECK_FAILS(GPUARR_ERR_NO_LIBRARY, "has no nvrtcGetErrorString; is it NVRTC",
              [] { Compiler(90, newest).description(); });
  unsetenv("GPUARR_NVRTC");
}

// An NVRTC of a later major version than the driver's is not taken, whatever is there.
void keeps_to_the_driver() {
  try {
    std::string file = cuda::find_nvrtc(12);
    CHECK(file.find("libnvrtc.so.12") != std::string::npos);
  } catch (const Error& e) {
    CHECK_EQ(e.status(), GPUARR_ERR_NO_LIBRARY);
    std::string message = e.what();
    for (const char* part : {"NVRTC, the CUDA compiler library, was not found",
                             "install libnvrtc.so.12, or set $GPUARR_NVRTC",
                             "/usr/local/cuda/lib64", "asked the loader: libnvrtc.so.12 ("})
      CHECK(message.find(part) != std::string::npos);
    CHECK(message.find("libnvrtc.so.13") == std::string::npos);
  }
}

void looks_in_the_environment_first() {
  auto root = std::filesystem::temp_directory_path() / ("gpuarr_nvrtc_" + std::to_string(getpid()));
  std::filesystem::create_directories(root / "lib64");
  std::string real = cuda::find_nvrtc(newest);
  std::filesystem::create_symlink(real, root / "lib64" / "libnvrtc.so.12");
  setenv("CUDA_PATH", root.c_str(), 1);
  if (!nvrtc_is_open())
    CHECK_EQ(cuda::find_nvrtc(newest), (root / "lib64/libnvrtc.so.12").string());
  unsetenv("CUDA_PATH");
  setenv("GPUARR_NVRTC", (root / "lib64/libnvrtc.so.12").c_str(), 1);
  CHECK_EQ(cuda::find_nvrtc(newest), (root / "lib64/libnvrtc.so.12").string());
  unsetenv("GPUARR_NVRTC");
  std::filesystem::remove_all(root);
}

}  // namespace

int main() {
  try {
    cuda::find_nvrtc(newest);
  } catch (const Error& e) {
    std::cerr << "skipped: " << e.what() << '\n';
    return 77;
  }
  looks_in_the_environment_first();
  identity_opens_nothing();
  says_what_is_missing();
  keeps_to_the_driver();
  CHECK(Compiler(90, newest).description().starts_with("NVRTC 1"));
  makes_what_the_gpu_needs();
  takes_options();
  hides_no_arithmetic();
  compiles_what_users_write();
  finds_nvidias_headers();
  tells_includes_from_words();
  says_where_faults_are();
  gives_up_in_time();
  compiles_in_threads();
  return check::result();
}
