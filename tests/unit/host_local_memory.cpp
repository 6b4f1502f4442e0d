// Threads that run in a loop keep their own arrays apart.
#include <cstdlib>
#include <string>
#include <vector>

#include "check.hpp"
#include "host/read/local_memory.hpp"
#include "raw_build.hpp"

using namespace gpuarr;

namespace {

// Each sets three elements in an order that x tells.
const char* const text = R"(
#define INDEX blockIdx.x * blockDim.x + threadIdx.x
#define SET(a) (a)[x[i] % 3] = i; (a)[(x[i] + 1) % 3] = 5; (a)[(x[i] + 2) % 3] = 7;
struct row { int e[3]; __device__ int& operator[](int k) { return e[k]; } };
extern "C" {
__global__ void in_array(int* y, const int* x, int n) {
  int i = INDEX;
  if (i >= n) return;
  int a[3];
  SET(a)
  y[i] = a[0] + 10 * a[1] + 100 * a[2];
}
__global__ void in_class(int* y, const int* x, int n) {
  for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
    row a;
    SET(a)
    y[i] = a[0] + 10 * a[1] + 100 * a[2];
  }
}
__global__ void in_fields(int* y, const int* x, int n) {
  int i = INDEX;
  int3 a;
  SET(&a.x)
  if (i < n) y[i] = a.x + 10 * a.y + 100 * a.z;
}
__global__ void behind_stores(int* y, const int* x) {
  __shared__ int s[128];
  x += blockIdx.x * 128 + threadIdx.x;
  y += blockIdx.x * 128 + threadIdx.x;
  s[threadIdx.x] = x[0];
  s[threadIdx.x + 64] = x[64];
  __syncthreads();
  y[0] = s[threadIdx.x];
  y[64] = s[threadIdx.x + 64];
}
__global__ void unset(int* y) {
  int first;
  if (threadIdx.x == 0) first = atomicAdd(y, 1);
  y[1 + threadIdx.x] = __shfl_sync(0xffffffff, first, 0);
}
__global__ void between_barriers(int* y, const int* x, int n) {
  __shared__ int s[64];
  int i = INDEX;
  s[threadIdx.x] = i;
  __syncthreads();
  i = s[63 - threadIdx.x];
  int a[3];
  SET(a)
  if (i < n) y[i] = a[0] + 10 * a[1] + 100 * a[2];
}
}
)";

void test_values() {
  constexpr int n = 1024;
  std::vector<int> x(n), expected(n);
  for (int i = 0; i < n; ++i) {
    x[i] = i * 7 % 11;
    const int places[] = {1, 10, 100};
    expected[i] = places[x[i] % 3] * i + places[(x[i] + 1) % 3] * 5 + places[(x[i] + 2) % 3] * 7;
  }
  const auto module = raw_module(raw_source(text));
  for (const char* name : {"in_array", "in_class", "in_fields", "between_barriers"}) {
    std::vector<int> y(n);
    launch(*module->function(name), {n / 64, 1, 1}, {64, 1, 1}, y.data(), x.data(), n);
    if (y != expected) check::report(__FILE__, __LINE__) << name << ": wrong values\n";
  }
}

// threadIdx is where other threads have theirs, too.
void test_indices() {
  constexpr int n = 1024;
  std::vector<int> x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = i;
  const auto module = raw_module(raw_source(text));
  launch(*module->function("behind_stores"), {n / 128, 1, 1}, {64, 1, 1}, y.data(), x.data());
  CHECK(x == y);
}

void test_unset() {
  std::vector<int> y(33, 5);
  launch(*raw_module(raw_source(text))->function("unset"), {1, 1, 1}, {32, 1, 1}, y.data());
  CHECK_EQ(y[0], 6);
  CHECK_EQ(y[32], 5);
}

bool found(const std::string& body) {
  return host::has_local_memory("__device__ int g; __global__ void k(float* x, float4 v) {" + body +
                                "}");
}

void test_text() {
  for (const char* body : {"int a[3];", "const float* p, b[4] = {};", "for (short a[2];;) {}",
                           "if (x) { T<int> a[2]; }", "alignas(16) unsigned char a[16];",
                           "float f; sincosf(1, &f, x);", "(&v.x)[2] = 1;", "auto p = (int*)&v;",
                           "std::array<int, 3> a;", "union { int i; float f; } u;"})
    if (!found(body)) check::report(__FILE__, __LINE__) << body << '\n';
  for (const char* body :
       {"x[0] = x[1] * x[2];", "__shared__ float s[3]; atomicAdd(&s[1], 1); atomicAdd(&g, 1);",
        "extern __shared__ float s[]; s[0] = 1;", "static const int t[] = {1}; x[0] = t[0];",
        "constexpr int t[] = {1}; x[0] = t[0];", "return; x[1] = 2 & g;", "if (x && g) x[0] = 1;",
        "float& r = x[2]; auto&& q = r; const float4& w = v;", "f<T&>(x); else x[1] = 1;",
        "__shared__ int n; atomicAdd(&n, 1);", "v.x = x[0]; x[1] = v.x & g;"})
    if (found(body)) check::report(__FILE__, __LINE__) << body << '\n';
  CHECK(host::has_local_memory("class c { static int n; int a[2]; };"));
  CHECK(!host::has_local_memory("class c { static const int a[2]; }; __device__ int t[5];"));
}

}  // namespace

int main() {
  test_values();
  test_indices();
  test_unset();
  test_text();
  if (std::system("command -v clang++ >/dev/null") == 0) {
    setenv("GPUARR_CXX", "clang++", 1);
    test_values();
    test_indices();
    test_unset();
  }
  return check::result();
}
