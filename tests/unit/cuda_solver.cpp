// Factorisations on a GPU, on the stand-ins for the driver, cuSOLVER and cuBLAS: what these are
// asked for, in which stream, with whose memory, and what is said where they are missing.
#include <dlfcn.h>

#include <thread>

#include "cuda/backend.hpp"
#include "cuda/device/device.hpp"
#include "cuda_fake.hpp"
#include "device/graph.hpp"
#include "device/pool.hpp"
#include "device/solver.hpp"
#include "fake_cusolver.h"

using namespace gpuarr;
using fake::in_child;
using fake::Setting;

namespace {

template <class F>
F* solver_hook(const char* name) {
  void* library = dlopen(std::getenv("GPUARR_CUSOLVER"), RTLD_NOW);
  return reinterpret_cast<F*>(dlsym(library, name));
}

fake_solve last() { return solver_hook<fake_solve_last_fn>("fake_solve_last")(); }
int64_t handles() { return solver_hook<fake_solve_handles_fn>("fake_solve_handles")(); }
bool last_is(const char* name) { return std::string(last().name) == name; }

double memory[4096];
int32_t codes[16];

int64_t bytes_from_memory(const void* address) {
  return reinterpret_cast<intptr_t>(address) - reinterpret_cast<intptr_t>(memory);
}

Matrices some(DType dtype, int64_t rows, int64_t columns, int64_t count = 1) {
  return {dtype, memory, rows, columns, rows, count, rows * columns};
}

void asks_for_workspace(Device& device) {
  auto stream = device.create_stream(0);
  Solver& solver = device.solver();
  CHECK(solver.description().find("cuSOLVER 12.1.2 (/") == 0);
  CHECK(!solver.looks_for_not_finite());
  solver.cholesky(some(DType::c64, 5, 5), Triangle::upper, codes, *stream);
  CHECK(last_is("cusolverDnXpotrf"));
  CHECK(last().m == 5 && last().flag == 1 && last().type == 4 && last().leading == 5);
  CHECK(last().a == memory && last().info == codes && last().stream == stream->native());
  CHECK(last().device_work != nullptr && last().device_bytes == 1000);
  CHECK(last().host_work != nullptr && last().host_bytes == 300);
  stream->synchronize();
  CHECK_EQ(device.pool().statistics().used, 0);
}

void passes_types_and_jobs(Device& device) {
  Stream& stream = device.own_stream();
  Solver& solver = device.solver();
  const Matrices a = some(DType::f64, 7, 4), u = some(DType::f64, 7, 7), v = some(DType::f64, 4, 4);
  solver.svd(a, memory, &u, &v, codes, stream);
  CHECK(last_is("cusolverDnXgesvd") && last().flag == 'A' && last().m == 7 && last().n == 4);
  const Matrices thin = some(DType::f64, 7, 4);
  solver.svd(a, memory, &thin, &v, codes, stream);
  CHECK(last().flag == 'S' && last().second == memory);
  solver.svd(a, memory, nullptr, nullptr, codes, stream);
  CHECK(last().flag == 'N' && last().second == nullptr && last().second_type == 1);
  solver.eigh(some(DType::c128, 6, 6), Triangle::lower, true, memory, codes, stream);
  CHECK(last_is("cusolverDnXsyevd") && last().flag == 10 && last().type == 5);
  CHECK_EQ(last().second_type, 1);  // eigenvalues are real
  const Matrices right = some(DType::f32, 6, 6);
  solver.eig(some(DType::f32, 6, 6), memory, &right, codes, stream);
  CHECK(last_is("cusolverDnXgeev") && last().flag == 1 && last().type == 0);
  CHECK_EQ(last().second_type, 4);  // and here complex
  solver.qr(some(DType::c64, 6, 3), memory, stream);
  CHECK(last_is("cusolverDnXgeqrf") && last().second == memory && last().info != nullptr);
  solver.form_q(some(DType::c64, 6, 3), 3, memory, stream);
  CHECK(last_is("cusolverDnCungqr") && last().flag == 3 && last().m == 6);
  solver.solve_triangular(some(DType::f64, 3, 3), Triangle::upper, MatrixOp::transpose, true,
                          some(DType::f64, 3, 2), stream);
  CHECK(last_is("cublasDtrsm_v2_64") && last().flag == 111 && last().n == 2);
}

// Few large matrices one after the other, many small ones at once.
void takes_stacks(Device& device) {
  Stream& stream = device.own_stream();
  Solver& solver = device.solver();
  const Matrices small = some(DType::f64, 3, 3, 4), large = some(DType::f64, 600, 600, 4);
  const int64_t before = last().calls;
  CHECK(solver.pivot_type(large) == DType::i64);
  solver.lu(large, memory, codes, stream);
  CHECK(last_is("cusolverDnXgetrf") && last().info == codes + 3);
  CHECK_EQ(bytes_from_memory(last().a), 3 * 600 * 600 * 8);
  CHECK_EQ(bytes_from_memory(last().second), 3 * 600 * 8);
  CHECK_EQ(last().calls, before + 4);
  CHECK(solver.pivot_type(small) == DType::i32);
  solver.lu(small, memory, codes, stream);
  CHECK(last_is("cublasDgetrfBatched") && last().batch == 4 && last().info == codes);
  solver.solve_lu(small, memory, MatrixOp::transpose, some(DType::f64, 3, 2, 4), stream);
  CHECK(last_is("cublasDgetrsBatched") && last().batch == 4 && last().flag == 1 && last().n == 2);
  solver.cholesky(small, Triangle::lower, codes, stream);
  CHECK(last_is("cusolverDnDpotrfBatched") && last().batch == 4 && last().flag == 0);
  solver.solve_cholesky(small, Triangle::lower, some(DType::f64, 3, 2, 4), stream);
  CHECK(last_is("cublasDtrsmBatched_64") && last().batch == 4 && last().flag == 20);
  solver.svd(small, memory, nullptr, nullptr, codes, stream);
  CHECK(last_is("cusolverDnDgesvdjBatched") && last().batch == 4 && last().flag == 0);
  solver.eigh(small, Triangle::lower, false, memory, codes, stream);  // this one has no batches
  CHECK(last_is("cusolverDnXsyevd") && last().info == codes + 3 &&
        bytes_from_memory(last().second) == 72);
  stream.synchronize();
  CHECK_EQ(device.pool().statistics().used, 0);
}

// Handles are the threads', and go from those that end to those that begin.
void threads_have_handles(Device& device) {
  Solver& solver = device.solver();
  const auto factorise = [&] {
    solver.cholesky(some(DType::f32, 2, 2), Triangle::lower, codes, device.own_stream());
    return last().handle;
  };
  void* const mine = factorise();
  const int64_t before = handles();
  void* theirs[2] = {};
  for (void*& handle : theirs) std::thread([&] { handle = factorise(); }).join();
  CHECK(theirs[0] != mine);
  CHECK_EQ(theirs[1], theirs[0]);
  CHECK_EQ(handles(), before + 1);
  CHECK_EQ(factorise(), mine);
}

// Host workspace included: AddressSanitizer sees to it.
void graphs_keep_workspaces(Device& device) {
  auto stream = device.create_stream(0);
  stream->begin_capture();
  device.solver().cholesky(some(DType::f64, 5, 5), Triangle::lower, codes, *stream);
  const fake_solve seen = last();
  auto graph = stream->end_capture();
  *static_cast<volatile char*>(seen.host_work) = 2;
  CHECK(device.pool().find(seen.device_work).state != MemoryFound::State::live);
}

template <class Body>
std::string failure(gpuarr_status status, Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    CHECK_EQ(error.status(), status);
    return error.message();
  }
  CHECK(false);
  return "";
}

void says_what_fails() {
  in_child("a failing call", [] {
    Device& device = cuda::open_device(0);
    const Setting setting("FAKE_CUSOLVER_FAIL", "cusolverDnXpotrf:6");
    const std::string said = failure(GPUARR_ERR_DRIVER, [&] {
      device.solver().cholesky(some(DType::f64, 2, 2), Triangle::lower, codes, device.own_stream());
    });
    CHECK_EQ(said, "cusolverDnXpotrf failed: CUSOLVER_STATUS_EXECUTION_FAILED (6)");
  });
  in_child("no memory for a handle", [] {
    Device& device = cuda::open_device(0);
    const Setting setting("FAKE_CUSOLVER_FAIL", "cusolverDnCreate:2");
    failure(GPUARR_ERR_OUT_OF_MEMORY,
            [&] { device.solver().qr(some(DType::f64, 2, 2), memory, device.own_stream()); });
  });
  in_child("no library", [] {
    const Setting setting("GPUARR_CUSOLVER", "/nowhere/libcusolver.so");
    const std::string said = failure(GPUARR_ERR_NO_LIBRARY, [] { cuda::open_device(0).solver(); });
    CHECK(said.find("GPUARR_CUSOLVER") != std::string::npos);
    CHECK(said.find("/nowhere/libcusolver.so") != std::string::npos);
  });
  in_child("another library", [] {
    const Setting setting("GPUARR_CUSOLVER", fake::file());
    const std::string said = failure(GPUARR_ERR_NO_LIBRARY, [] { cuda::open_device(0).solver(); });
    CHECK(said.find("has no cusolverGetProperty; cuSOLVER of CUDA 12.0 or newer is needed") !=
          std::string::npos);
  });
}

}  // namespace

int main() {
  fake::require();
  says_what_fails();
  in_child("workspace", [] { asks_for_workspace(cuda::open_device(0)); });
  in_child("types", [] { passes_types_and_jobs(cuda::open_device(0)); });
  in_child("stacks", [] { takes_stacks(cuda::open_device(0)); });
  in_child("threads", [] { threads_have_handles(cuda::open_device(0)); });
  in_child("graphs", [] { graphs_keep_workspaces(cuda::open_device(0)); });
  return check::result();
}
