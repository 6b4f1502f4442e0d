// What products of arrays become on a GPU, on the stand-ins for the driver and for cuBLAS: which
// matrices cuBLAS is given as they lie, how stacks are taken together, and whole numbers' kernels.
#include <dlfcn.h>

#include "array/views.hpp"
#include "cuda/backend.hpp"
#include "cuda_fake.hpp"
#include "device/pool.hpp"
#include "fake_cublas.h"
#include "gpuarr/linalg.h"
#include "linalg/products/einsum.hpp"
#include "linalg/products/matmul.hpp"

using namespace gpuarr;
using fake::Setting;

namespace {

fake_gemm last() {
  void* library = dlopen(std::getenv("GPUARR_CUBLAS"), RTLD_NOW);
  return reinterpret_cast<fake_cublas_last_fn*>(dlsym(library, "fake_cublas_last"))();
}

Array make(Device& device, const Dims& shape, Order order = Order::c, DType dtype = DType::f32) {
  return Array::empty(device.own_stream(), dtype, shape, order);
}

// How cuBLAS was asked: op(A), op(B), m, n, k, leading extents, steps and the batch.
std::string asked() {
  const fake_gemm g = last();
  return formatted("{}{} {} {} {} | {} {} {} | {} {} {} of {}", "NT"[g.op_a], "NT"[g.op_b], g.m,
                   g.n, g.k, g.lda, g.ldb, g.ldc, g.a_step, g.b_step, g.c_step, g.batch);
}

// The calls of cuBLAS for a product, and the arrays that it made besides the result.
struct Cost {
  int64_t calls, arrays;
};

Cost cost_of(const Array& out, const Array& x, const Array& y, int32_t flags = 0) {
  const int64_t calls = last().calls;
  const int64_t before = out.device().pool().statistics().allocations;
  matmul(&out, x, y, flags, nullptr);
  const int64_t made = last().calls - calls;
  // Each call has its workspace.
  return {made, out.device().pool().statistics().allocations - before - made};
}

void takes_matrices_as_they_lie(Device& device) {
  const Array x = make(device, {2, 3});
  const Array y = make(device, {3, 4});
  const Array out = make(device, {2, 4});
  Cost cost = cost_of(out, x, y);
  CHECK(cost.calls == 1 && cost.arrays == 0);
  CHECK_EQ(asked(), "NN 4 2 3 | 4 3 4 | 0 0 0 of 1");  // out^T = y^T x^T
  CHECK(last().a == y.data && last().b == x.data && last().c == out.data);
  cost = cost_of(make(device, {2, 4}, Order::f), x, y);
  CHECK_EQ(asked(), "TT 2 4 3 | 3 4 2 | 0 0 0 of 1");
  CHECK(cost.calls == 1 && cost.arrays == 0);
  cost = cost_of(out, reverse_axes(make(device, {3, 2})), make(device, {3, 4}, Order::f));
  CHECK_EQ(asked(), "TT 4 2 3 | 3 2 4 | 0 0 0 of 1");
  CHECK(cost.calls == 1 && cost.arrays == 0);
  const Array wide = slice(make(device, {5, 9}), 1, 2, 5, 1);  // three columns of nine
  cost = cost_of(make(device, {5, 4}), wide, y);
  CHECK_EQ(asked(), "NN 4 5 3 | 4 9 4 | 0 0 0 of 1");
  CHECK(cost.calls == 1 && cost.arrays == 0);
  cost = cost_of(out, slice(make(device, {2, 6}), 1, 0, 6, 2), y);  // every other column
  CHECK(cost.calls == 1 && cost.arrays == 1);
  cost = cost_of(slice(make(device, {2, 8}), 1, 0, 8, 2), x, y);
  CHECK(cost.calls == 1 && cost.arrays == 1);
  cost = cost_of(out, slice(x, 0, left_out, left_out, -1), y);
  CHECK(cost.calls == 1 && cost.arrays == 1);
}

void takes_vectors_as_they_lie(Device& device) {
  const Array m = make(device, {6, 5});
  Cost cost = cost_of(make(device, {6}), m, slice(make(device, {10}), 0, 0, 10, 2));
  CHECK_EQ(asked(), "TT 6 1 5 | 5 2 6 | 0 0 0 of 1");
  CHECK(cost.calls == 1 && cost.arrays == 0);
  cost = cost_of(make(device, {5}), make(device, {6}), m);
  CHECK(cost.calls == 1 && cost.arrays == 0);
  cost = cost_of(make(device, {}), make(device, {6}), make(device, {6}));
  CHECK(cost.calls == 1 && cost.arrays == 0);
}

void takes_stacks_together(Device& device) {
  const Array x = make(device, {7, 2, 3});
  const Array y = make(device, {7, 3, 4});
  const Array out = make(device, {7, 2, 4});
  Cost cost = cost_of(out, x, y);
  CHECK_EQ(asked(), "NN 4 2 3 | 4 3 4 | 12 6 8 of 7");
  CHECK(cost.calls == 1 && cost.arrays == 0);
  cost = cost_of(out, x, make(device, {3, 4}));  // one y: as many more rows
  CHECK_EQ(asked(), "NN 4 14 3 | 4 3 4 | 0 0 0 of 1");
  cost = cost_of(out, make(device, {2, 3}), y);
  CHECK_EQ(asked(), "NN 4 2 3 | 4 3 4 | 12 0 8 of 7");
  CHECK(cost.calls == 1 && cost.arrays == 0);
  const Array repeated = broadcast(make(device, {2, 3}), {7, 2, 3});
  cost = cost_of(out, repeated, y, GPUARR_MATMUL_TF32);
  CHECK_EQ(last().b_step, 0);
  CHECK_EQ(last().compute, 77);
  CHECK(cost.calls == 1 && cost.arrays == 0);
  // Two axes that no one step goes through: the shorter one is gone through by calls.
  cost = cost_of(make(device, {3, 7, 2, 4}), make(device, {3, 1, 2, 3}), y);
  CHECK_EQ(last().batch, 7);
  CHECK(cost.calls == 3 && cost.arrays == 0);
}

void contracts_without_copies(Device& device) {
  const Array x = make(device, {2, 3, 4, 5});
  const Array y = make(device, {4, 5, 6});
  const int64_t calls = last().calls;
  const int64_t before = device.pool().statistics().allocations;
  const auto out = einsum(nullptr, "abij,ijc->abc", x, &y, 0, nullptr);
  CHECK_EQ(asked(), "NN 6 6 20 | 6 20 6 | 0 0 0 of 1");
  CHECK_EQ(last().calls, calls + 1);
  CHECK_EQ(device.pool().statistics().allocations, before + 2);  // the result, the workspace
  CHECK_EQ(out->size(), 36);
}

void compiles_whole_numbers(Device& device) {
  for (const DType dtype : {DType::boolean, DType::i8, DType::u16, DType::i32, DType::u64}) {
    const Array x = make(device, {5, 70, 3}, Order::c, dtype);
    const Array y = make(device, {3, 80}, Order::f, dtype);
    const auto out = matmul(nullptr, x, y, 0, nullptr);
    CHECK_EQ(std::string(fake::last_launch().name), "integer_matmul");
    CHECK_EQ(fake::last_launch().threads, 256U);
    CHECK_EQ(fake::last_launch().blocks, 6U * 2);  // 350 rows, 80 columns
  }
}

}  // namespace

int main() {
  fake::require();
  const Setting large("FAKE_CUDA_OOM_AFTER", "1000000000");
  Device& device = cuda::open_device(0);
  takes_matrices_as_they_lie(device);
  takes_vectors_as_they_lie(device);
  takes_stacks_together(device);
  contracts_without_copies(device);
  compiles_whole_numbers(device);
  return check::result();
}
