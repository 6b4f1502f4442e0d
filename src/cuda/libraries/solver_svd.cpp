#include "cuda/libraries/solver_svd.hpp"

#include <cstring>

#include "cuda/libraries/blas_handle.hpp"
#include "cuda/libraries/solver_handle.hpp"
#include "cuda/libraries/solver_types.hpp"

namespace gpuarr::cuda {
namespace {

constexpr int64_t largest_for_jacobi = 32;

bool by_jacobi(const Matrices& a) {
  return a.count > 1 && a.count <= INT_MAX && a.rows <= largest_for_jacobi && a.leading == a.rows &&
         a.step == a.rows * a.columns;
}

// Ones on the diagonal of a square matrix, column by column.
std::vector<std::byte> identity(DType dtype, int64_t n) {
  const auto size = static_cast<size_t>(size_of(dtype)), extent = static_cast<size_t>(n);
  std::vector<std::byte> bytes(extent * extent * size);
  const Factor one(1, real_bytes(dtype) == 8);
  for (size_t k = 0; k < extent; ++k)
    std::memcpy(bytes.data() + k * (extent + 1) * size, one.address(), size);
  return bytes;
}

// The method gives all columns of U, and V instead of its adjoint: products with ones bring both
// into place.
void jacobi(CudaDevice& device, const Matrices& a, void* values, const Matrices* u,
            const Matrices* vh, int32_t* info, Stream& stream) {
  const Cusolver& api = cusolver();
  const int type = place_of_type(a.dtype);
  const int m = static_cast<int>(a.rows), n = static_cast<int>(a.columns);
  const int count = static_cast<int>(a.count), job = u != nullptr ? 1 : 0;
  const int64_t left = a.rows * a.rows, right = a.columns * a.columns;
  const StreamMemory all_u(left * a.count * size_of(a.dtype), stream);
  const StreamMemory v(right * a.count * size_of(a.dtype), stream);
  {
    const SolverHandle own = solver_handle(device, stream);
    int length = 0;
    api.gesvdj_batch_size[type](own.handle, job, m, n, a.data, m, values, all_u.data(), m, v.data(),
                                n, &length, own.jacobi, count);
    const StreamMemory work(int64_t{length} * size_of(a.dtype), stream);
    api.gesvdj_batch[type](own.handle, job, m, n, a.data, m, values, all_u.data(), m, v.data(), n,
                           work.data(), length, info, own.jacobi, count);
  }
  if (u == nullptr) return;
  const Uploaded ones(identity(a.dtype, a.rows), stream);
  Gemm product{.dtype = a.dtype,
               .m = a.rows,
               .n = u->columns,
               .k = a.rows,
               .batch = a.count,
               .a = {all_u.data(), MatrixOp::none, a.rows, left},
               .b = {ones.data(), MatrixOp::none, a.rows, 0},
               .c = {u->data, u->leading, u->step}};
  device.blas().gemm(product, stream);
  product.m = product.n = product.k = a.columns;
  product.a = {v.data(), MatrixOp::conjugate_transpose, a.columns, right};
  product.c = {vh->data, vh->leading, vh->step};
  device.blas().gemm(product, stream);
}

}  // namespace

void svd_of(CudaDevice& device, const Matrices& a, void* values, const Matrices* u,
            const Matrices* vh, int32_t* info, Stream& stream) {
  if (by_jacobi(a)) return jacobi(device, a, values, u, vh, info, stream);
  refuse_capture("cusolverDnXgesvd", stream);
  const Cusolver& api = cusolver();
  const SolverHandle own = solver_handle(device, stream);
  const int type = data_type(a.dtype), real = real_type(a.dtype);
  const Cusolver::Job job = u == nullptr ? 'N' : u->columns > a.columns ? 'A' : 'S';
  const Matrices left = u != nullptr ? *u : Matrices{a.dtype, nullptr, 0, 0, a.rows};
  const Matrices right = vh != nullptr ? *vh : Matrices{a.dtype, nullptr, 0, 0, a.columns};
  const SolverWorkspace work(stream, api.gesvd_size, own.handle, own.params, job, job, a.rows,
                             a.columns, type, a.data, a.leading, real, values, type, left.data,
                             left.leading, type, right.data, right.leading, type);
  const int64_t each = a.columns * real_bytes(a.dtype);
  for (int64_t k = 0; k < a.count; ++k)
    api.gesvd(own.handle, own.params, job, job, a.rows, a.columns, type, matrix_at(a, k), a.leading,
              real, static_cast<std::byte*>(values) + k * each, type, matrix_at(left, k),
              left.leading, type, matrix_at(right, k), right.leading, type, work.device(),
              work.device_bytes(), work.host(), work.host_bytes(), info + k);
}

}  // namespace gpuarr::cuda
