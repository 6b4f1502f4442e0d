// Tests of the CPU's BLAS: every layout of every product against sums that are written out, and
// what is said of libraries that are none.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <complex>
#include <cstdlib>
#include <iostream>
#include <random>
#include <thread>
#include <vector>

#include "backends.hpp"
#include "check.hpp"
#include "device/blas.hpp"
#include "device/device.hpp"
#include "host/math/blas_library.hpp"

using namespace gpuarr;

namespace {

std::mt19937 engine(1);

int64_t draw(int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(engine);
}

template <class T>
T value() {
  if constexpr (requires(T t) { t.imag(); })
    return T(static_cast<typename T::value_type>(draw(-4, 4)),
             static_cast<typename T::value_type>(draw(-4, 4)));
  else
    return static_cast<T>(draw(-4, 4));
}

template <class T>
T conjugate(T x) {
  if constexpr (requires { x.imag(); })
    return std::conj(x);
  else
    return x;
}

// A batch of matrices in memory, with gaps that nobody may touch.
template <class T>
struct Stack {
  int64_t rows, columns, leading, step;
  std::vector<T> data;

  Stack(int64_t r, int64_t c, int64_t batch)
      : rows(r), columns(c), leading(r + draw(0, 3)), step(leading * c + draw(0, 5)) {
    data.resize(static_cast<size_t>(step * batch + leading));
    for (T& x : data) x = value<T>();
  }
  T at(int64_t k, int64_t i, int64_t j) const {
    return data[static_cast<size_t>(k * step + j * leading + i)];
  }
  T get(MatrixOp op, int64_t k, int64_t i, int64_t j) const {
    if (op == MatrixOp::none) return at(k, i, j);
    return op == MatrixOp::transpose ? at(k, j, i) : conjugate(at(k, j, i));
  }
};

template <class T>
void compare(Device& device, DType dtype, int64_t m, int64_t n, int64_t k, int64_t batch) {
  const auto op_a = static_cast<MatrixOp>(draw(0, 2));
  const auto op_b = static_cast<MatrixOp>(draw(0, 2));
  const bool turn_a = op_a != MatrixOp::none;
  const bool turn_b = op_b != MatrixOp::none;
  Stack<T> a(turn_a ? k : m, turn_a ? m : k, batch);
  Stack<T> b(turn_b ? n : k, turn_b ? k : n, batch);
  Stack<T> c(m, n, batch);
  const bool repeats = draw(0, 1) == 1;
  Gemm gemm{dtype, m, n, k, batch, {}, {}, {}, static_cast<double>(draw(1, 3)), 0, false};
  gemm.a = {a.data.data(), op_a, a.leading, repeats ? 0 : a.step};
  gemm.b = {b.data.data(), op_b, b.leading, b.step};
  gemm.c = {c.data.data(), c.leading, c.step};
  gemm.beta = static_cast<double>(draw(0, 1));
  const T alpha = static_cast<T>(gemm.alpha.real());
  const T beta = static_cast<T>(gemm.beta.real());
  std::vector<T> expected = c.data;
  for (int64_t q = 0; q < batch; ++q)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        T sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum += a.get(op_a, repeats ? 0 : q, i, l) * b.get(op_b, q, l, j);
        T& x = expected[static_cast<size_t>(q * c.step + j * c.leading + i)];
        x = alpha * sum + beta * x;
      }
  // What is not read may be anything.
  if (gemm.beta == 0.0)
    for (int64_t q = 0; q < batch; ++q)
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j)
          c.data[static_cast<size_t>(q * c.step + j * c.leading + i)] = static_cast<T>(NAN);
  device.blas().gemm(gemm, device.own_stream());
  device.own_stream().synchronize();
  CHECK(c.data == expected);
}

template <class T>
void compare_all(Device& device, DType dtype) {
  for (int k = 0; k < 60; ++k)
    compare<T>(device, dtype, draw(1, 9), draw(1, 9), draw(1, 9), draw(1, 4));
  compare<T>(device, dtype, 1, 1, 1, 1);
  compare<T>(device, dtype, 90, 70, 80, 2);
  compare<T>(device, dtype, 12, 10, 11, 999);  // spread over threads
  for (int k = 0; k < 12; ++k) {
    compare<T>(device, dtype, 1, draw(1, 40), draw(1, 40), draw(1, 3));
    compare<T>(device, dtype, draw(1, 40), 1, draw(1, 40), draw(1, 3));
  }
}

// What is computed as a half and mirrored.
template <class T>
void multiplies_by_itself(Device& device, DType dtype) {
  for (const bool turned : {false, true}) {
    const int64_t n = draw(64, 100);
    const int64_t k = draw(16, 40);
    const Stack<T> a(turned ? k : n, turned ? n : k, 1);
    std::vector<T> c(static_cast<size_t>((n + 3) * n), T(9));
    const MatrixOp op_a = turned ? MatrixOp::transpose : MatrixOp::none;
    const MatrixOp op_b = turned ? MatrixOp::none : MatrixOp::transpose;
    const Gemm gemm{dtype,
                    n,
                    n,
                    k,
                    1,
                    {a.data.data(), op_a, a.leading, 0},
                    {a.data.data(), op_b, a.leading, 0},
                    {c.data(), n + 3, 0}};
    device.blas().gemm(gemm, device.own_stream());
    device.own_stream().synchronize();
    bool right = true;
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n + 3; ++i) {
        T sum = i < n ? T(0) : T(9);
        for (int64_t l = 0; l < k && i < n; ++l) sum += a.get(op_a, 0, i, l) * a.get(op_b, 0, l, j);
        right &= c[static_cast<size_t>(j * (n + 3) + i)] == sum;
      }
    CHECK(right);
  }
}

void refuses_extents(Device& device) {
  const host::BlasLibrary& library = host::blas_library();
  if (library.wide) return;
  float x = 1;
  Gemm gemm{DType::f32, 1, 1, 1, 1, {}, {}, {}, 1, 0, false};
  gemm.a = gemm.b = {&x, MatrixOp::none, int64_t{1} << 31, 0};
  gemm.c = {&x, 1, 0};
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "2147483648, but ",
              [&] { device.blas().gemm(gemm, device.own_stream()); });
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "libopenblas64",
              [&] { device.blas().gemm(gemm, device.own_stream()); });
}

// The library is opened once in a process.
template <class Body>
void with_setting(const char* library, Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("GPUARR_BLAS", library, 1);
    check::failures = 0;
    body();
    std::exit(check::result());
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK_EQ(status, 0);
}

void says_what_is_missing() {
  with_setting("/nowhere", [] {
    CHECK_FAILS(GPUARR_ERR_NO_LIBRARY, "$GPUARR_BLAS cannot be opened: /nowhere",
                [] { host_device().blas(); });
    CHECK_FAILS(GPUARR_ERR_NO_LIBRARY, "apt install libopenblas0", [] { host_device().blas(); });
  });
  with_setting("libm.so.6", [] {
    CHECK_FAILS(GPUARR_ERR_NO_LIBRARY, "neither sgemm_ nor sgemm_64_",
                [] { host_device().blas(); });
  });
}

// Without a look beforehand OpenBLAS ends the process, or never comes back.
void says_what_is_short() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which reserve all there is
  const auto usual = [](auto&& shorten) {
    const pid_t child = fork();
    if (child == 0) {
      unsetenv("GPUARR_BLAS");
      unsetenv("OPENBLAS_NUM_THREADS");
      unsetenv("OMP_NUM_THREADS");
      alarm(60);
      check::failures = 0;
      shorten();
      std::exit(check::result());
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
  };
  usual([] {
    rlimit least = {rlim_t{192} << 20, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &least) != 0) return;
    CHECK_FAILS(GPUARR_ERR_OUT_OF_MEMORY,
                "MiB of address space, which are not available; raise the",
                [] { host_device().blas(); });
    CHECK_FAILS(GPUARR_ERR_OUT_OF_MEMORY, "(ulimit -v), or set OPENBLAS_NUM_THREADS",
                [] { host_device().solver(); });
    least.rlim_cur = RLIM_INFINITY;
    CHECK_EQ(setrlimit(RLIMIT_AS, &least), 0);
    try {
      host_device().blas();  // that there was too little is not kept
    } catch (const Error& error) {
      CHECK_EQ(error.status(), GPUARR_ERR_NO_LIBRARY);
    }
  });
  if (std::thread::hardware_concurrency() < 2) return;
  usual([] {
    const rlimit none = {0, 0};
    if (geteuid() == 0 && setuid(65534) != 0) return;  // root has no limit
    CHECK_EQ(setrlimit(RLIMIT_NPROC, &none), 0);
    CHECK_FAILS(GPUARR_ERR_OUT_OF_MEMORY, "can be started; raise the limit (ulimit -u), or set",
                [] { host_device().blas(); });
  });
#endif
}

bool has_blas() {
  try {
    host_device().blas();
    return true;
  } catch (const Error& error) {
    std::cerr << "skipped: " << error.what() << '\n';
    return false;
  }
}

}  // namespace

int main() {
  says_what_is_missing();
  says_what_is_short();
  if (!has_blas()) return check::failures > 0 ? 1 : 77;
  Device& device = host_device();
  CHECK(!device.blas().takes(DType::f16));
  CHECK(device.blas().description().find('/') != std::string::npos);
  compare_all<float>(device, DType::f32);
  compare_all<double>(device, DType::f64);
  compare_all<std::complex<float>>(device, DType::c64);
  compare_all<std::complex<double>>(device, DType::c128);
  multiplies_by_itself<float>(device, DType::f32);
  multiplies_by_itself<std::complex<double>>(device, DType::c128);
  refuses_extents(device);
  return check::result();
}
