// cuSOLVER, opened at run time: the one list of the functions that are used of it, and of those of
// cuBLAS that solve.
#pragma once

#include "cuda/libraries/cublas.hpp"

namespace gpuarr::cuda {

/// As cusolverDn.h has them. The generic ones (X) count with 64 bits.
struct Cusolver : MathLibrary {
  using MathLibrary::MathLibrary;
  using Params = void*;
  using Job = signed char;

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
  Four<OrgqrSize> orgqr_size{*this, "cusolverDn?orgqr_bufferSize", "cusolverDn?ungqr_bufferSize"};
  using Orgqr = Status (*)(Handle, int, int, int, void*, int, const void*, void*, int, int*);
  Four<Orgqr> orgqr{*this, "cusolverDn?orgqr", "cusolverDn?ungqr"};
  using PotrfBatch = Status (*)(Handle, int, int, void* const*, int, int*, int);
  Four<PotrfBatch> potrf_batch{*this, "cusolverDn?potrfBatched"};
  using GesvdjBatchSize = Status (*)(Handle, int, int, int, const void*, int, const void*,
                                     const void*, int, const void*, int, int*, void*, int);
  Four<GesvdjBatchSize> gesvdj_batch_size{*this, "cusolverDn?gesvdjBatched_bufferSize"};
  using GesvdjBatch = Status (*)(Handle, int, int, int, void*, int, void*, void*, int, void*, int,
                                 void*, int, int*, void*, int);
  Four<GesvdjBatch> gesvdj_batch{*this, "cusolverDn?gesvdjBatched"};
};

const Cusolver& cusolver();  // opened when first called

/// What cuBLAS has of it: stacks of small matrices, and triangles.
struct CublasSolvers {
  explicit CublasSolvers(const Cublas& owner) : api(owner) {}

  using Status = Cublas::Status;
  using Handle = Cublas::Handle;
  template <class F>
  using Four = Cublas::Four<F>;
  const Cublas& api;

  using Getrf = Status (*)(Handle, int, void* const*, int, int*, int*, int);
  Four<Getrf> getrf_batch{api, "cublas?getrfBatched"};
  using Getrs = Status (*)(Handle, int, int, int, const void* const*, int, const int*, void* const*,
                           int, int*, int);
  Four<Getrs> getrs_batch{api, "cublas?getrsBatched"};
  // side, triangle, op, diagonal, m, n, alpha, A, leading, B, leading
  using Trsm = Status (*)(Handle, int, int, int, int, int64_t, int64_t, const void*, const void*,
                          int64_t, void*, int64_t);
  Four<Trsm> trsm{api, "cublas?trsm_v2_64"};
  using TrsmBatch = Status (*)(Handle, int, int, int, int, int64_t, int64_t, const void*,
                               const void* const*, int64_t, void* const*, int64_t, int64_t);
  Four<TrsmBatch> trsm_batch{api, "cublas?trsmBatched_64"};
};

const CublasSolvers& cublas_solvers();

}  // namespace gpuarr::cuda
