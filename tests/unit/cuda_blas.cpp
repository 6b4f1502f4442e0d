// Products on a GPU, on the stand-ins for the driver and for cuBLAS: what cuBLAS is asked for, in
// which stream, with whose memory, and what is said where it is missing.
#include <dlfcn.h>

#include <thread>

#include "cuda/backend.hpp"
#include "cuda/device/device.hpp"
#include "cuda/libraries/cublas.hpp"
#include "cuda_fake.hpp"
#include "device/blas.hpp"
#include "device/graph.hpp"
#include "device/pool.hpp"
#include "fake_cublas.h"

using namespace gpuarr;
using fake::in_child;
using fake::Setting;

namespace {

template <class F>
F* hook(const char* name) {
  void* library = dlopen(std::getenv("GPUARR_CUBLAS"), RTLD_NOW);
  return reinterpret_cast<F*>(dlsym(library, name));
}

fake_gemm last() { return hook<fake_cublas_last_fn>("fake_cublas_last")(); }
int64_t handles() { return hook<fake_cublas_handles_fn>("fake_cublas_handles")(); }
int64_t streams_set() { return hook<fake_cublas_streams_set_fn>("fake_cublas_streams_set")(); }

float memory[64];

Gemm some(DType dtype) {
  Gemm gemm{dtype, 2, 3, 4, 1, {}, {}, {}, 1, 0, false};
  gemm.a = {memory, MatrixOp::none, 5, 0};
  gemm.b = {memory + 1, MatrixOp::transpose, 6, 0};
  gemm.c = {memory + 2, 7, 0};
  return gemm;
}

void passes_all(Device& device) {
  auto stream = device.create_stream(0);
  Blas& blas = device.blas();
  CHECK(blas.description().find("cuBLAS 13.1.2 (/") == 0);
  struct {
    DType dtype;
    int type, compute;
  } rows[] = {{DType::f16, 2, 68}, {DType::bf16, 14, 68}, {DType::f32, 0, 68},
              {DType::f64, 1, 70}, {DType::c64, 4, 68},   {DType::c128, 5, 70}};
  for (const auto& row : rows) {
    CHECK(blas.takes(row.dtype));
    Gemm gemm = some(row.dtype);
    gemm.alpha = 2;
    gemm.beta = 0.5;
    blas.gemm(gemm, *stream);
    const fake_gemm got = last();
    CHECK(got.op_a == 0 && got.op_b == 1 && got.m == 2 && got.n == 3 && got.k == 4);
    CHECK(got.a == memory && got.b == memory + 1 && got.c == memory + 2);
    CHECK(got.lda == 5 && got.ldb == 6 && got.ldc == 7 && got.batch == 1);
    CHECK(got.alpha == 2 && got.beta == 0.5 && got.algorithm == -1);
    CHECK_EQ(got.type, row.type);
    CHECK_EQ(got.compute, row.compute);
    CHECK_EQ(got.math_mode, 16);
    CHECK_EQ(got.stream, stream->native());
    CHECK(got.workspace != nullptr);
    CHECK_EQ(got.workspace_bytes, size_t{32} << 20);
  }
  CHECK(!blas.takes(DType::i32));
  Gemm batch = some(DType::f32);
  batch.batch = 9;
  batch.a.step = 10;
  batch.b.step = 0;
  batch.c.step = 12;
  batch.tf32 = true;
  blas.gemm(batch, *stream);
  CHECK(last().batch == 9 && last().a_step == 10 && last().b_step == 0 && last().c_step == 12);
  CHECK_EQ(last().compute, 77);
  batch.dtype = DType::f64;
  blas.gemm(batch, *stream);
  CHECK_EQ(last().compute, 70);  // there is no such thing for it
  CHECK_EQ(device.pool().statistics().used, 0);
}

// Handles are the threads', and go from those that end to those that begin.
void keeps_threads_apart(Device& device) {
  Blas& blas = device.blas();
  blas.gemm(some(DType::f32), device.own_stream());
  void* const mine = last().handle;
  const int64_t before = handles();
  void* theirs[3] = {};
  for (void*& handle : theirs)
    std::thread([&] {
      blas.gemm(some(DType::f32), device.own_stream());
      handle = last().handle;
    }).join();
  CHECK(theirs[0] != mine);
  CHECK_EQ(theirs[1], theirs[0]);
  CHECK_EQ(theirs[2], theirs[0]);
  CHECK_EQ(handles(), before + 1);
  Device& second = cuda::open_device(1);
  second.blas().gemm(some(DType::f32), second.own_stream());
  CHECK(last().handle != mine);
  blas.gemm(some(DType::f32), device.own_stream());
  CHECK_EQ(last().handle, mine);
}

void sets_streams_when_they_change(Device& device) {
  auto stream = device.create_stream(0);
  device.blas().gemm(some(DType::f32), *stream);
  const int64_t before = streams_set();
  device.blas().gemm(some(DType::f64), *stream);
  CHECK_EQ(streams_set(), before);
  device.blas().gemm(some(DType::f64), device.own_stream());
  CHECK_EQ(streams_set(), before + 1);
  CHECK_EQ(last().stream, device.own_stream().native());
}

// A graph's workspace is its own as long as it lives, and nobody else's.
void graphs_keep_their_workspace(Device& device) {
  auto stream = device.create_stream(0);
  device.blas().gemm(some(DType::f32), *stream);
  void* const ordinary = last().workspace;
  stream->begin_capture();
  device.blas().gemm(some(DType::f32), *stream);
  void* const captured = last().workspace;
  auto graph = stream->end_capture();
  CHECK(captured != ordinary);
  for (int k = 0; k < 3; ++k) {
    device.blas().gemm(some(DType::f32), *stream);
    CHECK(last().workspace != captured);
  }
  const Setting captures("FAKE_CUDA_CAPTURES", "1");
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "the driver's own functions",
              [&] { device.blas().gemm(some(DType::f32), *stream); });
}

void passes_failures_on(Device& device) {
  const auto fails = [&](const char* setting, gpuarr_status status, const char* part) {
    const Setting failing("FAKE_CUBLAS_FAIL", setting);
    CHECK_FAILS(status, part, [&] { device.blas().gemm(some(DType::f32), device.own_stream()); });
  };
  fails("cublasCreate_v2:3", GPUARR_ERR_OUT_OF_MEMORY,
        "cublasCreate_v2 failed: CUBLAS_STATUS_ALLOC_FAILED (3)");
  fails("cublasCreate_v2:1", GPUARR_ERR_DRIVER, "CUBLAS_STATUS_NOT_INITIALIZED (1)");
  fails("cublasSetStream_v2:7", GPUARR_ERR_DRIVER, "cublasSetStream_v2 failed");
  fails("cublasSetWorkspace_v2:7", GPUARR_ERR_DRIVER, "cublasSetWorkspace_v2 failed");
  fails("cublasGemmEx_64:15", GPUARR_ERR_DRIVER, "CUBLAS_STATUS_NOT_SUPPORTED (15)");
  CHECK_EQ(device.pool().statistics().used, 0);
  const Setting lost("FAKE_CUDA_FAIL", "cuMemGetInfo:700");
  fails("cublasGemmEx_64:13", GPUARR_ERR_FAULT, "cublasGemmEx_64");
}

void says_what_is_missing() {
  in_child("missing", [] {
    const Setting nowhere("GPUARR_CUBLAS", "/nowhere");
    Device& device = cuda::open_device(0);
    CHECK_FAILS(GPUARR_ERR_NO_LIBRARY, "$GPUARR_CUBLAS cannot be opened: /nowhere",
                [&] { device.blas(); });
    CHECK_FAILS(GPUARR_ERR_NO_LIBRARY, "libcublas.so.13 or libcublas.so.12",
                [&] { device.blas(); });
  });
  in_child("too old", [] {
    const Setting old("GPUARR_CUBLAS", "libm.so.6");
    Device& device = cuda::open_device(0);
    CHECK_FAILS(GPUARR_ERR_NO_LIBRARY, "cuBLAS of CUDA 12 or newer is needed: install libcublas",
                [&] { device.blas(); });
  });
  in_child("forked", [] {
    Device& device = cuda::open_device(0);
    device.blas().gemm(some(DType::f32), device.own_stream());
    in_child("the child",
             [&] { CHECK_FAILS(GPUARR_ERR_FORKED, "forked", [&] { device.blas(); }); });
  });
}

}  // namespace

int main() {
  fake::require();
  const Setting two("FAKE_CUDA_DEVICES", "2");
  const Setting large("FAKE_CUDA_OOM_AFTER", "1000000000");
  says_what_is_missing();
  in_child("failures", [] { passes_failures_on(cuda::open_device(0)); });
  Device& device = cuda::open_device(0);
  passes_all(device);
  keeps_threads_apart(device);
  sets_streams_when_they_change(device);
  graphs_keep_their_workspace(device);
  return check::result();
}
