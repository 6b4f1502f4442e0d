// Raw kernels that only ask for their index in the launch: which they are, and that several of
// their blocks run as one.
#include <string>
#include <vector>

#include "glue_build.hpp"
#include "host/read/barriers.hpp"
#include "host/read/definitions.hpp"
#include "host/translate/translate.hpp"

using namespace gpuarr;
using namespace gpuarr::host;

namespace {

bool in_rows(const std::string& source) {
  const Parsed parsed(source);
  return scan(parsed, BarrierUse(parsed)).kernels.at(0).in_rows;
}

bool statement_in_rows(const std::string& statement) {
  return in_rows("__global__ void k(int* x, int n) { " + statement + " }");
}

void test_indices() {
  for (const char* statement :
       {"int i = blockIdx.x * blockDim.x + threadIdx.x;",
        "unsigned i = threadIdx.x + blockIdx.x * blockDim.x;",
        "int i = blockDim.x * blockIdx.x + threadIdx.x; i += gridDim.x * blockDim.x;",
        "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;",
        "long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;",
        "auto i = (blockIdx.x * blockDim.x) + (threadIdx.x);",
        "const int i(int(blockIdx.x) * int(blockDim.x) + int(threadIdx.x));",
        "if (blockIdx.x * blockDim.x + threadIdx.x < n) x[0] = 1;",
        "if (n > 0 && threadIdx.x + blockIdx.x * blockDim.x >= n) return;",
        "x[n * (blockIdx.x * blockDim.x + threadIdx.x)] = 0;",
        "for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; ++i) x[i] = 0;",
        "x[blockIdx.x * blockDim.x + threadIdx.x + n * threadIdx.y] = 1;",
        "x[threadIdx.y] = blockIdx.z;", "x[0] = 1;"}) {
    CHECK(statement_in_rows(statement));
    if (!statement_in_rows(statement)) std::cerr << statement << '\n';
  }
}

void test_no_indices() {
  for (const char* statement :
       {"x[threadIdx.x] = 1;",
        "x[blockIdx.x] = 1;",
        "uint3 t = threadIdx;",
        "dim3 b(blockIdx);",
        "int i = blockIdx.x * 256 + threadIdx.x;",
        "int i = blockIdx.x * blockDim.x;",
        "int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;",
        "int i = n - blockIdx.x * blockDim.x + threadIdx.x;",
        "int i = -(int)blockIdx.x * blockDim.x + threadIdx.x;",
        "int i = blockIdx.x * blockDim.x + threadIdx.x * 2;",
        "int i = blockIdx.x * blockDim.x + threadIdx.x % 32;",
        "int i = blockIdx.x * blockDim.x - threadIdx.x;",
        "int i = blockIdx.x * gridDim.x + threadIdx.x;",
        "int i = blockIdx.x * blockDim.y + threadIdx.x;",
        "int i = blockIdx.x * blockDim.x + threadIdx.y;",
        "int i = blockIdx.x * blockDim.x + blockIdx.x;",
        "float f = (float)blockIdx.x * blockDim.x + threadIdx.x;",
        "float f = 0.5f + blockIdx.x * blockDim.x + threadIdx.x;",
        "int i = (short)blockIdx.x * blockDim.x + threadIdx.x;",
        "int i = ~blockIdx.x * blockDim.x + threadIdx.x;",
        "const unsigned* p = &threadIdx.x + blockIdx.x * blockDim.x;",
        "int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;",
        "__shared__ int s; s = blockIdx.x * blockDim.x + threadIdx.x; __syncthreads();"}) {
    CHECK(!statement_in_rows(statement));
    if (statement_in_rows(statement)) std::cerr << statement << '\n';
  }
}

// What a kernel calls counts for it.
void test_calls() {
  CHECK(
      in_rows("__device__ int at() { return blockIdx.x * blockDim.x + threadIdx.x; }"
              "__global__ void k(int* x) { x[at()] = 1; }"));
  CHECK(!in_rows(
      "__device__ int lane() { return threadIdx.x % 32; }"
      "__device__ int at() { return lane(); } __global__ void k(int* x) { x[at()] = 1; }"));
  CHECK(
      !in_rows("struct Op { __device__ int operator()() { return threadIdx.x; } };"
               "__global__ void k(int* x, Op op) { *x = op(); }"));
  const char* const templates =
      "struct Lane { __device__ int operator()() { return threadIdx.x; } }; struct One {};"
      "template <class F> __global__ void k(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = "
      "1; }";
  const auto instance = [&](const char* name) { return translate(templates, {name}).text; };
  CHECK(instance("k<One>").find("GPUARR_KERNEL(\"k<One>\", -1, ") != std::string::npos);
  CHECK(instance("k<Lane>").find("GPUARR_KERNEL(\"k<Lane>\", 0, ") != std::string::npos);
  CHECK(translate(templates, {"k<One>"}, Purpose::checks).text.find("\"k<One>\", 2, ") !=
        std::string::npos);
}

const char* const source = R"cuda(
KERNEL void line(unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += i + 1000 * blockDim.x;
}
KERNEL void space(unsigned* out, unsigned nx, unsigned ny, unsigned nz) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  out[(z * ny + y) * nx + x] += x + 100 * y + 10000 * z;
}
KERNEL void strides(unsigned* out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] += i;
}
KERNEL void doubting(unsigned bad) {
  assert(blockIdx.x * blockDim.x + threadIdx.x != bad);
}
static const gpuarr_kernel gpuarr_kernels[] = {
    GPUARR_KERNEL("line", -1, 0, line) GPUARR_KERNEL("space", -1, 0, space)
    GPUARR_KERNEL("strides", -1, 0, strides) GPUARR_KERNEL("doubting", -1, 0, doubting) {}};
static const gpuarr_global gpuarr_globals[] = {{}};
GPUARR_TABLE
)cuda";

void test_lines(const glue_test::GlueModule& module) {
  for (const unsigned block : {1U, 3U, 32U, 100U, 256U, 1000U, 1024U})
    for (const unsigned n : {1U, 99U, 4096U, 4097U, 100000U}) {
      std::vector<unsigned> out(size_t{n} + 2000);
      module.launch("line", glue_test::flat((n + block - 1) / block, block), out.data(), n);
      int wrong = 0;
      for (unsigned i = 0; i < out.size(); ++i)
        if (out[i] != (i < n ? i + 1000 * block : 0)) ++wrong;
      CHECK_EQ(wrong, 0);
    }
}

void test_spaces(const glue_test::GlueModule& module) {
  const unsigned nx = 500;
  const unsigned ny = 9;
  const unsigned nz = 5;
  for (const gpuarr_dim block : {gpuarr_dim{16, 4, 2}, {1, 1, 1}, {7, 3, 5}, {512, 2, 1}}) {
    std::vector<unsigned> out(size_t{nx} * ny * nz);
    const gpuarr_dim grid = {(nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y,
                             (nz + block.z - 1) / block.z};
    module.launch("space", {grid, block}, out.data(), nx, ny, nz);
    int wrong = 0;
    for (unsigned i = 0; i < out.size(); ++i)
      if (out[i] != i % nx + 100 * (i / nx % ny) + 10000 * (i / nx / ny)) ++wrong;
    CHECK_EQ(wrong, 0);
  }
}

void test_strides(const glue_test::GlueModule& module) {
  for (const unsigned grid : {1U, 2U, 7U, 300U}) {
    std::vector<unsigned> out(20000);
    module.launch("strides", glue_test::flat(grid, 64), out.data(), 20000U);
    int wrong = 0;
    for (unsigned i = 0; i < out.size(); ++i)
      if (out[i] != i) ++wrong;
    CHECK_EQ(wrong, 0);
  }
}

// Who failed is told as if each block had run by itself.
void test_places(const glue_test::GlueModule& module) {
  try {
    module.launch("doubting", glue_test::flat(1000, 100), 54321U);
    CHECK(false);
  } catch (const Error& error) {
    const std::string message = error.what();
    CHECK(message.find("block (543,0,0), thread (21,0,0)") != std::string::npos);
    if (message.find("thread (21,0,0)") == std::string::npos) std::cerr << message << '\n';
  }
}

}  // namespace

int main() {
  test_indices();
  test_no_indices();
  test_calls();
  const glue_test::GlueModule module(source);
  test_lines(module);
  test_spaces(module);
  test_strides(module);
  test_places(module);
  return check::result();
}
