// Raw kernels without barriers: indices of every kind, arguments of every shape, the module's
// table.
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "glue_build.hpp"
#include "host/glue/fiber_switch.hpp"

using namespace gpuarr;
using glue_test::flat;
using glue_test::GlueModule;

namespace {

const char* const source = R"cuda(
__device__ __attribute__((noinline)) int here() { return blockIdx.x * blockDim.x + threadIdx.x; }
KERNEL void saxpy_int(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
KERNEL void saxpy_unsigned(float a, const float* x, float* y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = a * x[i] + y[i];
}
KERNEL void saxpy_long(float a, const float* __restrict__ x, float* y, const long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
KERNEL void saxpy_call(float a, const float* x, float* y, int n) {
  if (here() < n) y[here()] = a * x[here()] + y[here()];
}
__device__ dim3 whole(dim3 d) { return d; }
KERNEL void places(int* out) {
  uint3 t = threadIdx, blocks(gridDim);
  dim3 size = blockDim, b = blockIdx;
  int block = b.x + blocks.x * (b.y + blocks.y * b.z);
  size = dim3(blockDim);
  t = whole(threadIdx);
  int thread = t.x + size.x * (t.y + size.y * t.z);
  out[block * (size.x * size.y * size.z) + thread] = block * 1000 + thread;
}
KERNEL void sums(const float* x, float* y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += x[k * n + i];
  y[i] = sum;
}
KERNEL void shared_row(int* out) {
  int* row = (int*)gpuarr_dynamic_shared();
  row[threadIdx.x] = threadIdx.x;  // its own place only
  const int wrong = (unsigned long long)row % 128 == 0 ? 0 : 1000;
  out[blockIdx.x * blockDim.x + threadIdx.x] = row[threadIdx.x] + wrong;
}
KERNEL void far(unsigned long long* out, long long base) {
  unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  out[i - base] = i;
}
__device__ int deep(int n, const int* p) {
  int a[64];
  for (int i = 0; i < 64; ++i) a[i] = p[i % 2] + n;
  return n == 0 ? a[3] : deep(n - 1, a) + a[n % 64];
}
KERNEL void recurse(int* out, int from, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = deep(i < from ? 1 : depth, out);
}
__device__ __attribute__((noinline)) unsigned read(const unsigned* x) {
  return *(volatile const unsigned*)x;
}
KERNEL void addressed(const unsigned* x, unsigned* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
  if (i < n) y[i] += threadIdx.x;
  if (i == n + 5) read(&threadIdx.x);
}
struct pair {
  char tag;
  double value;
};
struct alignas(32) wide {
  float v[8];
};
KERNEL void odd(char a, pair b, short c, wide d, bool e, double* out) {
  c += 1;
  out[threadIdx.x] = a + b.value + c + d.v[7] + e;
}
template <class T, int N>
KERNEL void scale(T* x) {
  x[threadIdx.x] *= N;
}
namespace { KERNEL void nothing() {} }
float table[4][3];
const double constant = 2.5;
static const gpuarr_kernel gpuarr_kernels[] = {
    GPUARR_KERNEL("saxpy_int", 0, 0, saxpy_int)
    GPUARR_KERNEL("saxpy_unsigned", 0, 0, saxpy_unsigned)
    GPUARR_KERNEL("saxpy_long", 0, 0, saxpy_long)
    GPUARR_KERNEL("saxpy_call", 0, 0, saxpy_call)
    GPUARR_KERNEL("places", 0, 0, places)
    GPUARR_KERNEL("sums", 0, 0, sums)
    GPUARR_KERNEL("shared_row", 0, 0, shared_row)
    GPUARR_KERNEL("far", 0, 0, far)
GPUARR_KERNEL("recurse", 0, 0, recurse)
    GPUARR_KERNEL("addressed", 0, 0, addressed)
    GPUARR_KERNEL("odd", 0, 64, odd)
    GPUARR_KERNEL("scale<float, 4>", 0, 0, scale<float, 4>)
    GPUARR_KERNEL("nothing", 0, 0, nothing)
    {}};
static const gpuarr_global gpuarr_globals[] = {
    GPUARR_GLOBAL("table", table) GPUARR_GLOBAL("constant", constant) {}};
GPUARR_TABLE
)cuda";

struct Pair {
  char tag;
  double value;
};
struct alignas(32) Wide {
  float v[8];
};

template <class N>
void test_saxpy(const GlueModule& module, const char* name) {
  for (const int n : {0, 1, 63, 256, 1000, 100003}) {
    for (const unsigned block : {1U, 32U, 100U, 256U, 1024U}) {
      std::vector<float> x(static_cast<size_t>(n) + 8, 3);
      std::vector<float> y(x.size());
      std::iota(y.begin(), y.end(), 0.0F);
      const unsigned grid = static_cast<unsigned>(n) / block + 1;
      module.launch(name, flat(grid, block), 2.0F, x.data(), y.data(), static_cast<N>(n));
      int wrong = 0;
      for (size_t i = 0; i < y.size(); ++i) {
        const float before = static_cast<float>(i);
        if (y[i] != (i < static_cast<size_t>(n) ? before + 6 : before)) ++wrong;
      }
      CHECK_EQ(wrong, 0);
    }
  }
}

void test_places(const GlueModule& module) {
  const glue_test::Shape shapes[] = {{{1, 1, 1}, {1, 1, 1}},
                                     {{5, 4, 3}, {7, 3, 2}},
                                     {{2, 1, 9}, {1, 1, 64}},
                                     {{1, 700, 1}, {1, 5, 1}}};
  for (const auto& shape : shapes) {
    const size_t blocks = size_t{shape.grid.x} * shape.grid.y * shape.grid.z;
    const size_t threads = size_t{shape.block.x} * shape.block.y * shape.block.z;
    std::vector<int> out(blocks * threads, -1);
    module.launch("places", shape, out.data());
    int wrong = 0;
    for (size_t i = 0; i < out.size(); ++i)
      if (out[i] != static_cast<int>(i / threads * 1000 + i % threads)) ++wrong;
    CHECK_EQ(wrong, 0);
  }
}

void test_empty(const GlueModule& module) {
  int* nowhere = nullptr;
  module.launch("places", {{0, 3, 1}, {32, 1, 1}}, nowhere);
  module.launch("places", {{2, 3, 0}, {32, 1, 1}}, nowhere);
  module.launch("nothing", flat(100, 32));
}

void test_inner_loop(const GlueModule& module) {
  const int n = 1000;
  const int m = 7;
  std::vector<float> x(static_cast<size_t>(n * m));
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 10);
  std::vector<float> y(static_cast<size_t>(n));
  module.launch("sums", flat(4, 256), x.data(), y.data(), n, m);
  for (size_t i = 0; i < y.size(); ++i) {
    float sum = 0;
    for (size_t k = 0; k < size_t{m}; ++k) sum += x[k * static_cast<size_t>(n) + i];
    if (y[i] != sum) CHECK_EQ(y[i], sum);
  }
}

void test_shared(const GlueModule& module) {
  std::vector<int> out(size_t{50} * 300, -1);
  module.launch("shared_row", {{50, 1, 1}, {300, 1, 1}, 1200}, out.data());
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i] != static_cast<int>(i % 300)) CHECK_EQ(out[i], static_cast<int>(i % 300));
}

// Products of indices beyond 2^31, without running through all that comes before.
void test_far(const GlueModule& module) {
  const long long first = 5'000'000;
  const long long base = first * 1024;
  std::vector<unsigned long long> out(3072);
  auto* pointer = out.data();
  const glue_test::Arguments arguments(pointer, base);
  gpuarr_launch launch = {};
  launch.arguments = arguments.data();
  launch.grid = {8'000'000, 1, 1};
  launch.block = {1024, 1, 1};
  module.kernel("far").blocks(&launch, first, first + 3);
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i] != i + static_cast<unsigned long long>(base)) CHECK_EQ(out[i], i);
}

// A kernel that takes the address of threadIdx may be slow, not wrong.
void test_addressed(const GlueModule& module) {
  std::vector<unsigned> x(1000, 7), y(1000);
  module.launch("addressed", flat(8, 128), x.data(), y.data(), 1000U);
  for (size_t i = 0; i < y.size(); ++i)
    if (y[i] != 7 + i % 128) CHECK_EQ(y[i], 7 + i % 128);
}

void test_arguments(const GlueModule& module) {
  std::vector<double> out(40);
  const Wide wide = {{0, 0, 0, 0, 0, 0, 0, 0.5F}};
  module.launch("odd", flat(1, 40), char{1}, Pair{'x', 20.25}, short{300}, wide, true, out.data());
  for (double value : out) CHECK_EQ(value, 1 + 20.25 + 301 + 0.5 + 1);
  std::vector<float> x(10, 3);
  module.launch("scale<float, 4>", flat(1, 10), x.data());
  CHECK_EQ(x[9], 12.0F);
}

void test_table(const GlueModule& module) {
  const gpuarr_table& table = module.table();
  CHECK_EQ(table.version, gpuarr_abi_version);
  CHECK_EQ(table.kernel_count, 13);
  const gpuarr_kernel& odd = module.kernel("odd");
  CHECK_EQ(odd.parameter_count, 6);
  const long long offsets[] = {0, 8, 24, 32, 64, 72};
  const long long bytes[] = {1, 16, 2, 32, 1, 8};
  for (int i = 0; i < 6; ++i) {
    CHECK_EQ(odd.parameters[i].offset, offsets[i]);
    CHECK_EQ(odd.parameters[i].bytes, bytes[i]);
  }
  CHECK_EQ(odd.argument_bytes, 80);
  CHECK_EQ(odd.max_threads, 64);
  CHECK_EQ(odd.threads, 0);
  const std::string type = module.kernel("saxpy_long").parameters[1].type;
  CHECK(type.find("T = const float") != std::string::npos);
  CHECK(std::string(odd.parameters[1].type).find("T = pair]") != std::string::npos);
  CHECK_EQ(module.kernel("nothing").parameter_count, 0);
  CHECK_EQ(table.global_count, 2);
  CHECK_EQ(std::string(table.globals[0].name), "table");
  CHECK_EQ(table.globals[0].bytes, 48);
  CHECK(std::string(table.globals[0].type).find("T = float]") != std::string::npos);
  CHECK_EQ(*static_cast<const double*>(table.globals[1].address), 2.5);
}

// Of a thread of the pool, and of the caller's own.
void test_recursion(const GlueModule& module) {
  if (!host::stacks_are_limited) return;
  std::vector<int> out(64);
  for (const int blocks : {1, 8}) {
    const std::string where = "block (" + std::to_string(blocks - 1) +
                              ",0,0), thread (7,0,0): it uses more stack than the processor's";
    CHECK_FAILS(GPUARR_ERR_FAULT, where.c_str(), [&] {
      module.launch("recurse", flat(blocks, 8), out.data(), 8 * blocks - 1, 1 << 30);
    });
    module.launch("recurse", flat(blocks, 8), out.data(), 0, 100);
  }
}

}  // namespace

int main() {
  setenv("GPUARR_NUM_THREADS", "3", 1);
  const GlueModule module(source);
  test_saxpy<int>(module, "saxpy_int");
  test_saxpy<unsigned>(module, "saxpy_unsigned");
  test_saxpy<long long>(module, "saxpy_long");
  test_saxpy<int>(module, "saxpy_call");
  test_places(module);
  test_empty(module);
  test_inner_loop(module);
  test_shared(module);
  test_far(module);
  test_addressed(module);
  test_arguments(module);
  test_table(module);
  test_recursion(module);
  return check::result();
}
