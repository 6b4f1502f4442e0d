// CUDA C++ on the CPU device: compiled, loaded, launched.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "check.hpp"
#include "gpuarr/raw.h"
#include "raw_build.hpp"
#include "temporary_directory.hpp"

using namespace gpuarr;

namespace {

std::string parameters_of(RawFunction& kernel) {
  std::string out;
  for (const RawParameter& p : *kernel.facts().parameters)
    out += formatted("{}{} {}+{}", out.empty() ? "" : ", ", p.type, p.offset, p.bytes);
  return out;
}

template <class T>
T& at(const RawGlobal& global) {
  return *static_cast<T*>(global.address);
}

// Without any directive, so that nothing has to be preprocessed.
const char* plain_text = R"(
struct Pair { double weight; char kind; };

extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__device__ int counters[4] = {1, 2, 3}, calls;
__constant__ double factor = 2.5;
static __device__ unsigned long long *place;
__device__ const int fixed = 7;
template <typename T> __device__ T nothing;
extern __device__ int elsewhere;

namespace outer { namespace {
constexpr int most = 64;
template <typename T> struct Twice { __device__ T operator()(T x) const { return x + x; } };

template <typename T, int N, class Op = Twice<T>>
__global__ void __launch_bounds__(most, 2) scale(T* x) {
  x[threadIdx.x] = Op()(x[threadIdx.x]) * N;
}

template <> __global__ void scale<short, 1>(short* x) { x[threadIdx.x] = -1; }
} inline namespace v2 {
__device__ int total;
}}

namespace outer::v2 {
__global__ inline void __launch_bounds__(2 * most) count(int by, Pair pair, dim3 d) {
  counters[threadIdx.x] += by;
  total += int(pair.weight * factor) + pair.kind + d.z;
}
__global__ void overloaded(int) {}
__global__ void overloaded(float) {}
}
)";

void test_saxpy(RawModule& module) {
  auto saxpy = module.function("saxpy");
  CHECK_EQ(parameters_of(*saxpy), "float 0+4, const float* 8+8, float* 16+8, int 24+4");
  CHECK_EQ(saxpy->facts().max_threads, 1024);
  CHECK_EQ(saxpy->facts().name, "saxpy");
  const int n = 1000;
  std::vector<float> x(n), y(n, 1);
  std::iota(x.begin(), x.end(), 0.0F);
  launch(*saxpy, {8}, {128}, 2.0F, x.data(), y.data(), n);
  for (int i = 0; i < n; ++i) CHECK_EQ(y[static_cast<size_t>(i)], 2 * static_cast<float>(i) + 1);
  launch(*saxpy, {0}, {128}, 2.0F, x.data(), y.data(), n);
  CHECK_EQ(y[1], 3);
}

void test_templates(RawModule& module) {
  auto scale = module.function("outer::scale<float,4>");
  CHECK_EQ(parameters_of(*scale), "float* 0+8");
  CHECK_EQ(scale->facts().max_threads, 64);
  CHECK_EQ(scale->best_block(0), 64);
  std::array<float, 3> f = {1, 2, 3};
  launch(*scale, {1}, {3}, f.data());
  CHECK(f == (std::array<float, 3>{8, 16, 24}));
  std::array<short, 2> s = {1, 2};
  launch(*module.function(" outer :: scale < short , 1 > "), {1}, {2}, s.data());
  CHECK(s == (std::array<short, 2>{-1, -1}));
}

struct Pair {
  double weight;
  char kind;
};

void test_variables(RawModule& module) {
  const RawGlobal counters = module.global("counters"), total = module.global("outer::total");
  CHECK_EQ(counters.type, "int");
  CHECK_EQ(counters.bytes, 16);
  CHECK_EQ(module.global("calls").bytes, 4);
  CHECK_EQ(module.global("place").type, "unsigned long long*");
  CHECK_EQ(at<int>(total), 0);
  at<double>(module.global("factor")) = 10;
  auto count = module.function("outer::v2::count");
  CHECK_EQ(count->facts().max_threads, 128);
  CHECK_EQ(parameters_of(*count), "int 0+4, Pair 8+16, dim3 24+12");
  launch(*count, {1}, {2}, 5, Pair{1.5, 3}, std::array<unsigned, 3>{0, 0, 100});
  CHECK_EQ(at<int>(counters), 6);
  CHECK_EQ((&at<int>(counters))[1], 7);
  CHECK_EQ((&at<int>(counters))[2], 3);
  CHECK_EQ(at<int>(total), 2 * (15 + 3 + 100));
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "\"fixed\" is a const int", [&] { module.global("fixed"); });
  CHECK_FAILS(GPUARR_ERR_NOT_FOUND,
              "no variable \"nothing\"; it has \"counters\", \"calls\", \"factor\", \"place\"",
              [&] { module.global("nothing"); });
}

void test_names(RawModule& module) {
  const std::vector<std::string> expected = {"saxpy", "outer::v2::count", "outer::scale<float, 4>",
                                             "outer::scale<short,1>"};
  CHECK(module.kernels() == expected);
  CHECK_FAILS(GPUARR_ERR_NOT_FOUND, "no kernel \"count\"; it has \"saxpy\", \"outer::v2::count\"",
              [&] { module.function("count"); });
  CHECK_FAILS(GPUARR_ERR_NOT_FOUND, "no kernel \"outer::scale<float, 5>\"",
              [&] { module.function("outer::scale<float, 5>"); });
}

void test_attributes(RawModule& module) {
  auto kernel = module.function("outer::v2::count");
  CHECK_EQ(kernel->attribute(GPUARR_ATTRIBUTE_MAX_THREADS), 128);
  CHECK_EQ(kernel->attribute(GPUARR_ATTRIBUTE_REGISTERS), 0);
  CHECK_EQ(kernel->attribute(GPUARR_ATTRIBUTE_SHARED_CARVEOUT), -1);
  const int64_t most = kernel->attribute(GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES);
  CHECK_EQ(most, kernel->facts().max_dynamic_shared_bytes);
  kernel->set_attribute(GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES, 1000);
  CHECK_EQ(kernel->attribute(GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES), 1000);
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "can have",
              [&] { kernel->set_attribute(GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES, most + 1); });
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "attribute 99", [&] { kernel->attribute(99); });
  CHECK(kernel->resident_blocks(128, 0) >= 1);
  CHECK_EQ(kernel->resident_blocks(129, 0), 0);
  RawLaunch clusters;
  clusters.cluster = {2, 1, 1};
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "no clusters",
              [&] { kernel->launch(clusters, nullptr, 0, host_device().own_stream()); });
}

// Each load has variables of its own, also those that the loader would share between libraries.
void test_copies(const std::string& image) {
  auto one = host_device().load_raw(image), two = host_device().load_raw(image);
  CHECK(one->global("counters").address != two->global("counters").address);
  launch(*one->function("outer::v2::count"), {1}, {1}, 10, Pair{0, 0}, std::array<unsigned, 3>{});
  CHECK_EQ(at<int>(one->global("counters")), 11);
  CHECK_EQ(at<int>(two->global("counters")), 1);
}

void test_listing(const std::string& image) {
  CHECK(host_device().list(Listing::assembly, nullptr, image).find("saxpy") != std::string::npos);
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "no PTX",
              [&] { host_device().list(Listing::ptx, nullptr, image); });
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  CHECK_FAILS(GPUARR_ERR_NO_LIBRARY, "no objdump in PATH (/nowhere)",
              [&] { host_device().list(Listing::assembly, nullptr, image); });
  setenv("PATH", path.c_str(), 1);
}

void test_images(const std::string& image) {
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "PTX text runs on NVIDIA GPUs only",
              [] { host_device().load_raw(".version 8.0\n.target sm_80\n"); });
  CHECK_FAILS(GPUARR_ERR_LOAD, "cut short",
              [&] { host_device().load_raw(image.substr(0, image.size() / 2)); });
  Source plain;
  plain.text = "extern \"C\" void k(const void*, long long, long long) {}\n";
  const std::string other = host_device().compile(plain);
  CHECK_FAILS(GPUARR_ERR_LOAD, "no table of kernels", [&] { host_device().load_raw(other); });
}

// Names of the process, such as libc's, are the user's to use.
void test_own_names() {
  auto module = raw_module(raw_source(R"(
__device__ int environ = 5, optind;
template <typename T> struct Box { static inline T value = 1; };
__device__ long long gcvt(long long x) { return x + environ; }
__global__ void k(long long* x) { *x = gcvt(*x) + optind + Box<int>::value++; }
)"));
  int64_t x = 30;
  launch(*module->function("k"), {1}, {1}, &x);
  CHECK_EQ(x, 36);
  CHECK_EQ(at<int>(module->global("environ")), 5);
}

const char* included_text = R"(
#if __has_include("near.cuh")
#include "near.cuh"
#endif
#include <far.h>
#include "other.h"
#ifndef GPUARR_HOST
  asm("not here");
#endif
#if WIDTH == 4 && !defined(GONE) && defined(__CUDACC__) && __cplusplus >= 202002L
#define KERNEL extern "C" __global__ void
KERNEL whole(int* out) { out[0] = near() + far() + other(); out[1] = __LINE__; }
#endif
)";

void test_includes() {
  const TemporaryDirectory place;
  std::filesystem::create_directory(place / "include");
  write_file(place / "near.cuh", "#pragma once\n__device__ int near() { return 1; }\n");
  write_file(place / "include/far.h", "#include \"deeper.h\"\n");
  write_file(place / "include/deeper.h", "__device__ int far() { return 20; }\n");
  RawSource source = raw_source(included_text);
  source.directory = place.path().string();
  source.headers.push_back({"other.h", "inline int other() { return 300; }\n"});
  source.options = {"-DWIDTH=4", "-DGONE", "-U", "GONE", "-I", place / "include", "-std=c++20"};
  auto module = raw_module(source);
  CHECK(module->kernels() == std::vector<std::string>{"whole"});
  std::array<int, 2> out = {};
  launch(*module->function("whole"), {1}, {1}, out.data());
  CHECK_EQ(out[0], 321);
  CHECK_EQ(out[1], 12);
}

// The environment needs C++17, but text may ask for what it was written in.
void test_old_standard() {
  RawSource source = raw_source("#define V __cplusplus\n__global__ void k(long* v) { *v = V; }\n");
  source.options = {"-std=c++14"};
  long version = 0;
  launch(*raw_module(source)->function("k"), {1}, {1}, &version);
  CHECK_EQ(version, 201402);
}

// Dynamic shared memory in all its forms, and barriers that only the called functions have.
const char* shared_text = R"(
extern __shared__ int everywhere[];

struct Meet { __device__ void operator()() const { __syncthreads(); } };
__device__ void meet() { Meet()(); }

template <typename T> struct Shared {
  __device__ operator T*() const {
    extern __shared__ __align__(16) unsigned char bytes[];
    return reinterpret_cast<T*>(bytes);
  }
};

// Each writes what its neighbour left behind.
template <typename T> __global__ void turn(T* x) {
  T* s = Shared<T>();
  const int i = threadIdx.x, n = blockDim.x;
  s[i] = x[blockIdx.x * n + i];
  meet();
  x[blockIdx.x * n + i] = s[(i + 1) % n];
}

__global__ void pairs(float2* x) {
  extern __shared__ float2 even[], odd[][2];
  even[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = odd[(blockDim.x - 1 - threadIdx.x) / 2][(blockDim.x - 1 - threadIdx.x) % 2];
  if ((void*)&even != (void*)everywhere) x[0].x = -1;
}

__device__ int neighbour(int at) { return everywhere[(at + 1) % blockDim.x]; }
__global__ void wide(int* x) {
  volatile int everywhere_too = 0;
  everywhere[threadIdx.x] = x[threadIdx.x] + everywhere_too;
  __syncthreads();
  x[threadIdx.x] = neighbour(threadIdx.x);
}

__global__ void lanes(int* x) { x[threadIdx.x] = __shfl_xor_sync(0xffffffffu, x[threadIdx.x], 1); }
)";

template <class T>
std::vector<T> counted(size_t n) {
  std::vector<T> out(n);
  std::iota(out.begin(), out.end(), T(0));
  return out;
}

void test_shared() {
  auto module = raw_module(raw_source(shared_text, {"turn<double>"}));
  auto doubles = counted<double>(128);
  launch(*module->function("turn<double>"), {2}, {64}, doubles.data());
  CHECK_EQ(doubles[0], 1);
  CHECK_EQ(doubles[63], 0);
  CHECK_EQ(doubles[127], 64);
  auto floats = counted<float>(128);
  launch(*module->function("pairs"), {1}, {64}, floats.data());
  CHECK_EQ(floats[0], 126);
  CHECK_EQ(floats[127], 1);
  auto integers = counted<int>(32);
  launch(*module->function("wide"), {1}, {32}, integers.data());
  CHECK_EQ(integers[0], 1);
  CHECK_EQ(integers[31], 0);
  integers = counted<int>(32);
  launch(*module->function("lanes"), {1}, {32}, integers.data());
  CHECK_EQ(integers[0], 1);
  CHECK_EQ(integers[31], 30);
}

// What editors leave in text, and what the C++ library would have to be there for.
void test_odd_text() {
  auto module =
      raw_module(raw_source("\xef\xbb\xbf#define TWO \\\r\n 2\r\n"
                            "struct Shape { __device__ virtual float area(float) const = 0; "
                            "__device__ virtual ~Shape() {} };\r\n"
                            "struct Square : Shape { __device__ float area(float x) const override "
                            "{ return x * x; } };\r\n"
                            "namespace inner { struct Scale { float by; }; }\r\n"
                            "__global__ void k(float* x, inner::Scale scale) {\r\n"
                            "  Shape* shape = new Square;\r\n  float* more = new float[TWO]();\r\n"
                            "  x[0] = shape->area(x[0]) * scale.by + more[1];\r\n"
                            "  delete[] more;\r\n  delete shape;\r\n}\r\n"));
  float x = 3;
  launch(*module->function("k"), {1}, {1}, &x, 10.0F);
  CHECK_EQ(x, 90);
}

// NDEBUG as an option holds for the assert that needs no header, too.
void test_assert() {
  const char* text = "extern \"C\" __global__ void k(int* x) { assert(*x == 1); *x = 2; }";
  int x = 0;
  auto checked = raw_module(raw_source(text));
  CHECK_FAILS(GPUARR_ERR_ASSERT, "*x == 1", [&] { launch(*checked->function("k"), {1}, {1}, &x); });
  CHECK_EQ(x, 0);
  RawSource source = raw_source(text);
  source.options = {"-DNDEBUG"};
  launch(*raw_module(source)->function("k"), {1}, {1}, &x);
  CHECK_EQ(x, 2);
}

}  // namespace

int main() {
  const RawSource source = raw_source(
      plain_text,
      {"outer::scale<float, 4>", "outer::scale<short,1>", "saxpy", "::outer::scale<float,4>"});
  const std::string image = host_device().compile_raw(source);
  auto module = host_device().load_raw(image);
  test_saxpy(*module);
  test_templates(*module);
  test_variables(*module);
  test_names(*module);
  test_attributes(*module);
  test_copies(image);
  test_listing(image);
  test_images(image);
  test_own_names();
  test_includes();
  test_old_standard();
  test_shared();
  test_odd_text();
  test_assert();
  return check::result();
}
