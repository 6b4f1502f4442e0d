// cuSOLVER, opened at run time: the one list of the functions that are used of it, and of those of
// cuBLAS that solve.
#pragma once

#include "cuda/libraries/cublas.hpp"

namespace gpuarr::cuda {

/// Functions are declared in the words of cusolverDn.h, which need not be there: enumerations are
/// ints. The generic ones (X) count with 64 bits; others are four, for f32, f64, c64 and c128.
struct Cusolver {
  using Status = int;
  using Handle = void*;
  using Params = void*;
  using Job = signed char;

  /// `newest`: the driver's CUDA major version.
  explicit Cusolver(int newest);
  Cusolver(const Cusolver&) = delete;
  Cusolver& operator=(const Cusolver&) = delete;

  void* find(const char* name) const;
  void* find_optional(const char* name) const { return library.symbol(name); }
  [[noreturn]] void fail(const char* function, Status status) const;
  [[noreturn]] void fail_missing(const char* name, const char* toolkit) const;
  std::string version() const;

  const Library library;

  template <class F>
  using Fn = Call<Cusolver, F>;
  template <class F>
  struct Four {
    Fn<F> of[4];
    const Fn<F>& operator[](int type) const { return of[type]; }
  };

  Fn<Status (*)(int, int*)> get_property{*this, "cusolverGetProperty"};
  Fn<Status (*)(Handle*)> create{*this, "cusolverDnCreate"};
  Fn<Status (*)(Handle, void*)> set_stream{*this, "cusolverDnSetStream"};
  Fn<Status (*)(Params*)> create_params{*this, "cusolverDnCreateParams"};
  Fn<Status (*)(void**)> create_jacobi{*this, "cusolverDnCreateGesvdjInfo"};

  // handle, parameters, m, n, type, A, leading, what is computed in, bytes on device and host
  Fn<Status (*)(Handle, Params, int64_t, int64_t, int, const void*, int64_t, int, size_t*, size_t*)>
      getrf_size{*this, "cusolverDnXgetrf_bufferSize"};
  Fn<Status (*)(Handle, Params, int64_t, int64_t, int, void*, int64_t, int64_t*, int, void*, size_t,
                void*, size_t, int*)>
      getrf{*this, "cusolverDnXgetrf"};
  Fn<Status (*)(Handle, Params, int, int64_t, int64_t, int, const void*, int64_t, const int64_t*,
                int, void*, int64_t, int*)>
      getrs{*this, "cusolverDnXgetrs"};
  Fn<Status (*)(Handle, Params, int, int64_t, int, const void*, int64_t, int, size_t*, size_t*)>
      potrf_size{*this, "cusolverDnXpotrf_bufferSize"};
  Fn<Status (*)(Handle, Params, int, int64_t, int, void*, int64_t, int, void*, size_t, void*,
                size_t, int*)>
      potrf{*this, "cusolverDnXpotrf"};
  Fn<Status (*)(Handle, Params, int, int64_t, int64_t, int, const void*, int64_t, int, void*,
                int64_t, int*)>
      potrs{*this, "cusolverDnXpotrs"};
  Fn<Status (*)(Handle, Params, int64_t, int64_t, int, const void*, int64_t, int, const void*, int,
                size_t*, size_t*)>
      geqrf_size{*this, "cusolverDnXgeqrf_bufferSize"};
  Fn<Status (*)(Handle, Params, int64_t, int64_t, int, void*, int64_t, int, void*, int, void*,
                size_t, void*, size_t, int*)>
      geqrf{*this, "cusolverDnXgeqrf"};
  Fn<Status (*)(Handle, Params, Job, Job, int64_t, int64_t, int, const void*, int64_t, int,
                const void*, int, const void*, int64_t, int, const void*, int64_t, int, size_t*,
                size_t*)>
      gesvd_size{*this, "cusolverDnXgesvd_bufferSize"};
  Fn<Status (*)(Handle, Params, Job, Job, int64_t, int64_t, int, void*, int64_t, int, void*, int,
                void*, int64_t, int, void*, int64_t, int, void*, size_t, void*, size_t, int*)>
      gesvd{*this, "cusolverDnXgesvd"};
  Fn<Status (*)(Handle, Params, int, int, int64_t, int, const void*, int64_t, int, const void*, int,
                size_t*, size_t*)>
      syevd_size{*this, "cusolverDnXsyevd_bufferSize"};
  Fn<Status (*)(Handle, Params, int, int, int64_t, int, void*, int64_t, int, void*, int, void*,
                size_t, void*, size_t, int*)>
      syevd{*this, "cusolverDnXsyevd"};
  // CUDA 12.6 and newer.
  Fn<Status (*)(Handle, Params, int, int, int64_t, int, const void*, int64_t, int, const void*, int,
                size_t*, size_t*, int64_t)>
      syev_batch_size{*this, optional, "cusolverDnXsyevBatched_bufferSize"};
  Fn<Status (*)(Handle, Params, int, int, int64_t, int, void*, int64_t, int, void*, int, void*,
                size_t, void*, size_t, int*, int64_t)>
      syev_batch{*this, optional, "cusolverDnXsyevBatched"};
  Fn<Status (*)(Handle, Params, int, int, int64_t, int, const void*, int64_t, int, const void*, int,
                const void*, int64_t, int, const void*, int64_t, int, size_t*, size_t*)>
      geev_size{*this, optional, "cusolverDnXgeev_bufferSize"};
  Fn<Status (*)(Handle, Params, int, int, int64_t, int, void*, int64_t, int, void*, int, void*,
                int64_t, int, void*, int64_t, int, void*, size_t, void*, size_t, int*)>
      geev{*this, optional, "cusolverDnXgeev"};

  using OrgqrSize = Status (*)(Handle, int, int, int, const void*, int, const void*, int*);
  Four<OrgqrSize> orgqr_size{{{*this, "cusolverDnSorgqr_bufferSize"},
                              {*this, "cusolverDnDorgqr_bufferSize"},
                              {*this, "cusolverDnCungqr_bufferSize"},
                              {*this, "cusolverDnZungqr_bufferSize"}}};
  using Orgqr = Status (*)(Handle, int, int, int, void*, int, const void*, void*, int, int*);
  Four<Orgqr> orgqr{{{*this, "cusolverDnSorgqr"},
                     {*this, "cusolverDnDorgqr"},
                     {*this, "cusolverDnCungqr"},
                     {*this, "cusolverDnZungqr"}}};
  using PotrfBatch = Status (*)(Handle, int, int, void* const*, int, int*, int);
  Four<PotrfBatch> potrf_batch{{{*this, "cusolverDnSpotrfBatched"},
                                {*this, "cusolverDnDpotrfBatched"},
                                {*this, "cusolverDnCpotrfBatched"},
                                {*this, "cusolverDnZpotrfBatched"}}};
  using GesvdjBatchSize = Status (*)(Handle, int, int, int, const void*, int, const void*,
                                     const void*, int, const void*, int, int*, void*, int);
  Four<GesvdjBatchSize> gesvdj_batch_size{{{*this, "cusolverDnSgesvdjBatched_bufferSize"},
                                           {*this, "cusolverDnDgesvdjBatched_bufferSize"},
                                           {*this, "cusolverDnCgesvdjBatched_bufferSize"},
                                           {*this, "cusolverDnZgesvdjBatched_bufferSize"}}};
  using GesvdjBatch = Status (*)(Handle, int, int, int, void*, int, void*, void*, int, void*, int,
                                 void*, int, int*, void*, int);
  Four<GesvdjBatch> gesvdj_batch{{{*this, "cusolverDnSgesvdjBatched"},
                                  {*this, "cusolverDnDgesvdjBatched"},
                                  {*this, "cusolverDnCgesvdjBatched"},
                                  {*this, "cusolverDnZgesvdjBatched"}}};
};

const Cusolver& cusolver();  // opened when first called

/// What cuBLAS has of it: stacks of small matrices, and triangles.
struct CublasSolvers {
  explicit CublasSolvers(const Cublas& owner) : api(owner) {}

  using Status = Cublas::Status;
  using Handle = Cublas::Handle;
  const Cublas& api;

  template <class F>
  struct Four {
    Cublas::Fn<F> of[4];
    const Cublas::Fn<F>& operator[](int type) const { return of[type]; }
  };

  using Getrf = Status (*)(Handle, int, void* const*, int, int*, int*, int);
  Four<Getrf> getrf_batch{{{api, "cublasSgetrfBatched"},
                           {api, "cublasDgetrfBatched"},
                           {api, "cublasCgetrfBatched"},
                           {api, "cublasZgetrfBatched"}}};
  using Getrs = Status (*)(Handle, int, int, int, const void* const*, int, const int*, void* const*,
                           int, int*, int);
  Four<Getrs> getrs_batch{{{api, "cublasSgetrsBatched"},
                           {api, "cublasDgetrsBatched"},
                           {api, "cublasCgetrsBatched"},
                           {api, "cublasZgetrsBatched"}}};
  // side, triangle, op, diagonal, m, n, alpha, A, leading, B, leading
  using Trsm = Status (*)(Handle, int, int, int, int, int64_t, int64_t, const void*, const void*,
                          int64_t, void*, int64_t);
  Four<Trsm> trsm{{{api, "cublasStrsm_v2_64"},
                   {api, "cublasDtrsm_v2_64"},
                   {api, "cublasCtrsm_v2_64"},
                   {api, "cublasZtrsm_v2_64"}}};
  using TrsmBatch = Status (*)(Handle, int, int, int, int, int64_t, int64_t, const void*,
                               const void* const*, int64_t, void* const*, int64_t, int64_t);
  Four<TrsmBatch> trsm_batch{{{api, "cublasStrsmBatched_64"},
                              {api, "cublasDtrsmBatched_64"},
                              {api, "cublasCtrsmBatched_64"},
                              {api, "cublasZtrsmBatched_64"}}};
};

const CublasSolvers& cublas_solvers();

}  // namespace gpuarr::cuda
