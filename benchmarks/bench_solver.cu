// Factorisations on the GPU, each against a direct call of cuSOLVER's generic functions on the same
// matrix in the same run. Both copy the matrix first, since it is overwritten.
#include <cusolverDn.h>

#include <cstdint>
#include <functional>

#include "cuda_bench.cuh"
#include "measure.hpp"

namespace {

void done(cusolverStatus_t status) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  std::fprintf(stderr, "cuSOLVER: status %d\n", static_cast<int>(status));
  std::exit(1);
}

/// Symmetric, and so far from singular that a Cholesky factorisation exists.
Array random_matrix(gpuarr_device* device, int64_t n, double diagonal) {
  std::vector<double> values(static_cast<size_t>(n * n));
  uint64_t state = 1;
  for (int64_t c = 0; c < n; ++c)
    for (int64_t r = 0; r <= c; ++r) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const double value = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
      values[static_cast<size_t>(c * n + r)] = values[static_cast<size_t>(r * n + c)] =
          value + (r == c ? diagonal : 0);
    }
  const int64_t shape[] = {n, n}, strides[] = {1, n};
  Array out;
  check(gpuarr_array_from_host(out.out(), device, GPUARR_F64, 2, shape, strides, values.data(),
                               8 * n * n, nullptr));
  return out;
}

/// Memory, and a handle, of the direct calls.
struct Direct {
  explicit Direct(const Array& matrix, cudaStream_t s)
      : n(gpuarr_array_shape(matrix.get())[0]), stream(s), source(data<double>(matrix)) {
    done(cusolverDnCreate(&handle));
    done(cusolverDnSetStream(handle, stream));
    done(cusolverDnCreateParams(&params));
    for (double** p : {&a, &b, &c}) check(cudaMalloc(p, static_cast<size_t>(n * n) * 8));
    for (double** p : {&s_values, &tau}) check(cudaMalloc(p, static_cast<size_t>(n) * 8));
    check(cudaMalloc(&pivots, static_cast<size_t>(n) * 8));
    check(cudaMalloc(&info, 4));
  }
  ~Direct() {
    for (void* p : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(c),
                    static_cast<void*>(s_values), static_cast<void*>(tau),
                    static_cast<void*>(pivots), static_cast<void*>(info), work})
      cudaFree(p);
    cusolverDnDestroyParams(params);
    cusolverDnDestroy(handle);
  }
  void reserve() {
    check(cudaMalloc(&work, on_device + 1));
    host.resize(on_host + 1);
  }
  void fetch() const {
    check(cudaMemcpyAsync(a, source, static_cast<size_t>(n * n) * 8, cudaMemcpyDeviceToDevice,
                          stream));
  }

  int64_t n;
  cudaStream_t stream;
  const double* source;
  cusolverDnHandle_t handle{};
  cusolverDnParams_t params{};
  double *a{}, *b{}, *c{}, *s_values{}, *tau{};
  int64_t* pivots{};
  int* info{};
  void* work{};
  std::vector<char> host;
  size_t on_device = 0, on_host = 0;
};

using Work = std::function<void()>;

/// Medians of both, in turns; each call is waited for.
std::vector<double> in_turns(const std::vector<Work>& all, cudaStream_t stream, int turns) {
  std::vector<std::vector<double>> times(all.size());
  for (int turn = -1; turn < turns; ++turn)
    for (size_t k = 0; k < all.size(); ++k) {
      const double begin = now_us();
      all[k]();
      check(cudaStreamSynchronize(stream));
      if (turn >= 0) times[k].push_back(now_us() - begin);
    }
  std::vector<double> medians;
  for (auto& t : times) medians.push_back(median(std::move(t)));
  return medians;
}

void report(Bench& bench, const char* what, int64_t n, const std::vector<double>& us) {
  bench.report(what, "f64", n, us[0], 0, us[1] / us[0], 0.95);
}

constexpr cudaDataType f64 = CUDA_R_64F;

void cholesky(Bench& bench, const Array& matrix, int turns) {
  Direct d(matrix, bench.stream());
  done(cusolverDnXpotrf_bufferSize(d.handle, d.params, CUBLAS_FILL_MODE_LOWER, d.n, f64, d.a, d.n,
                                   f64, &d.on_device, &d.on_host));
  d.reserve();
  Array info, out;
  report(bench, "cholesky", d.n,
         in_turns({[&] { check(gpuarr_cholesky(out.out(), matrix.get(), 0, info.out(), nullptr)); },
                   [&] {
                     d.fetch();
                     done(cusolverDnXpotrf(d.handle, d.params, CUBLAS_FILL_MODE_LOWER, d.n, f64,
                                           d.a, d.n, f64, d.work, d.on_device, d.host.data(),
                                           d.on_host, d.info));
                   }},
                  bench.stream(), turns));
}

void solve(Bench& bench, const Array& matrix, int turns) {
  Direct d(matrix, bench.stream());
  const int64_t sides = 1;
  done(cusolverDnXgetrf_bufferSize(d.handle, d.params, d.n, d.n, f64, d.a, d.n, f64, &d.on_device,
                                   &d.on_host));
  d.reserve();
  Array b(bench.random(GPUARR_F64, d.n)), info, out;
  report(
      bench, "solve", d.n,
      in_turns({[&] { check(gpuarr_solve(out.out(), matrix.get(), b.get(), info.out(), nullptr)); },
                [&] {
                  d.fetch();
                  check(cudaMemcpyAsync(d.b, data<double>(b), static_cast<size_t>(d.n) * 8,
                                        cudaMemcpyDeviceToDevice, d.stream));
                  done(cusolverDnXgetrf(d.handle, d.params, d.n, d.n, f64, d.a, d.n, d.pivots, f64,
                                        d.work, d.on_device, d.host.data(), d.on_host, d.info));
                  done(cusolverDnXgetrs(d.handle, d.params, CUBLAS_OP_N, d.n, sides, f64, d.a, d.n,
                                        d.pivots, f64, d.b, d.n, d.info));
                }},
               bench.stream(), turns));
}

void qr(Bench& bench, const Array& matrix, int turns) {
  Direct d(matrix, bench.stream());
  const int n = static_cast<int>(d.n);
  int length = 0;
  done(cusolverDnXgeqrf_bufferSize(d.handle, d.params, d.n, d.n, f64, d.a, d.n, f64, d.tau, f64,
                                   &d.on_device, &d.on_host));
  done(cusolverDnDorgqr_bufferSize(d.handle, n, n, n, d.a, n, d.tau, &length));
  d.on_device = std::max(d.on_device, static_cast<size_t>(length) * 8);
  d.reserve();
  Array q, r;
  report(bench, "qr", d.n,
         in_turns({[&] { check(gpuarr_qr(q.out(), r.out(), matrix.get(), 0, nullptr)); },
                   [&] {
                     d.fetch();
                     done(cusolverDnXgeqrf(d.handle, d.params, d.n, d.n, f64, d.a, d.n, f64, d.tau,
                                           f64, d.work, d.on_device, d.host.data(), d.on_host,
                                           d.info));
                     done(cusolverDnDorgqr(d.handle, n, n, n, d.a, n, d.tau,
                                           static_cast<double*>(d.work), length, d.info));
                   }},
                  bench.stream(), turns));
}

void eigh(Bench& bench, const Array& matrix, int turns) {
  Direct d(matrix, bench.stream());
  done(cusolverDnXsyevd_bufferSize(d.handle, d.params, CUSOLVER_EIG_MODE_VECTOR,
                                   CUBLAS_FILL_MODE_LOWER, d.n, f64, d.a, d.n, f64, d.s_values, f64,
                                   &d.on_device, &d.on_host));
  d.reserve();
  Array w, v, info;
  report(bench, "eigh", d.n,
         in_turns(
             {[&] { check(gpuarr_eigh(w.out(), v.out(), matrix.get(), 0, info.out(), nullptr)); },
              [&] {
                d.fetch();
                done(cusolverDnXsyevd(d.handle, d.params, CUSOLVER_EIG_MODE_VECTOR,
                                      CUBLAS_FILL_MODE_LOWER, d.n, f64, d.a, d.n, f64, d.s_values,
                                      f64, d.work, d.on_device, d.host.data(), d.on_host, d.info));
              }},
             bench.stream(), turns));
}

/// Against the method that we use, and the polar decomposition, which is another.
void svd(Bench& bench, const Array& matrix, int turns) {
  Direct d(matrix, bench.stream()), polar(matrix, bench.stream());
  done(cusolverDnXgesvd_bufferSize(d.handle, d.params, 'S', 'S', d.n, d.n, f64, d.a, d.n, f64,
                                   d.s_values, f64, d.b, d.n, f64, d.c, d.n, f64, &d.on_device,
                                   &d.on_host));
  d.reserve();
  done(cusolverDnXgesvdp_bufferSize(polar.handle, polar.params, CUSOLVER_EIG_MODE_VECTOR, 1, d.n,
                                    d.n, f64, polar.a, d.n, f64, polar.s_values, f64, polar.b, d.n,
                                    f64, polar.c, d.n, f64, &polar.on_device, &polar.on_host));
  polar.reserve();
  Array u, s, vh, info;
  const auto us = in_turns(
      {[&] { check(gpuarr_svd(u.out(), s.out(), vh.out(), matrix.get(), 0, info.out(), nullptr)); },
       [&] {
         d.fetch();
         done(cusolverDnXgesvd(d.handle, d.params, 'S', 'S', d.n, d.n, f64, d.a, d.n, f64,
                               d.s_values, f64, d.b, d.n, f64, d.c, d.n, f64, d.work, d.on_device,
                               d.host.data(), d.on_host, d.info));
       },
       [&] {
         double error;
         polar.fetch();
         done(cusolverDnXgesvdp(polar.handle, polar.params, CUSOLVER_EIG_MODE_VECTOR, 1, d.n, d.n,
                                f64, polar.a, d.n, f64, polar.s_values, f64, polar.b, d.n, f64,
                                polar.c, d.n, f64, polar.work, polar.on_device, polar.host.data(),
                                polar.on_host, polar.info, &error));
       }},
      bench.stream(), turns);
  report(bench, "svd", d.n, us);
  bench.report("svd, against gesvdp", "f64", d.n, us[0], 0, us[2] / us[0], 0);
}

}  // namespace

int main() {
  Bench bench("solver");
  for (const int64_t n : {int64_t{1000}, int64_t{4000}}) {
    const int turns = n > 2000 ? 5 : 15;
    const Array positive = random_matrix(bench.device(), n, static_cast<double>(n));
    const Array any = random_matrix(bench.device(), n, 0);
    cholesky(bench, positive, turns);
    solve(bench, any, turns);
    qr(bench, any, turns);
    eigh(bench, any, turns);
    svd(bench, any, n > 2000 ? 2 : turns);
  }
  return 0;
}
