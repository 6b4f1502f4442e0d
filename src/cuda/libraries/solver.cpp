// Factorisations on a GPU.

#include <climits>

#include "cuda/libraries/blas_handle.hpp"
#include "cuda/libraries/solver_handle.hpp"
#include "cuda/libraries/solver_svd.hpp"
#include "cuda/libraries/solver_types.hpp"

namespace gpuarr::cuda {
namespace {

// Above this extent a stack is factorised one matrix after the other, each on the whole GPU.
constexpr int64_t largest_in_batch = 512;

bool in_batch(const Matrices& a) {
  return a.count > 1 && a.count <= INT_MAX && a.rows == a.columns && a.rows <= largest_in_batch;
}

int fill_mode(Triangle triangle) { return triangle == Triangle::lower ? 0 : 1; }

class CudaSolver final : public Solver {
 public:
  explicit CudaSolver(CudaDevice& device)
      : device_(device), api_(cusolver()), blas_(cublas_solvers()) {}

  void cholesky(const Matrices& a, Triangle triangle, int32_t* info, Stream& stream) override;
  void solve_cholesky(const Matrices& factor, Triangle triangle, const Matrices& b,
                      Stream& stream) override;
  DType pivot_type(const Matrices& a) override { return in_batch(a) ? DType::i32 : DType::i64; }
  void lu(const Matrices& a, void* pivots, int32_t* info, Stream& stream) override;
  void solve_lu(const Matrices& lu, const void* pivots, MatrixOp op, const Matrices& b,
                Stream& stream) override;
  void qr(const Matrices& a, void* tau, Stream& stream) override;
  void form_q(const Matrices& a, int64_t reflectors, const void* tau, Stream& stream) override;
  void svd(const Matrices& a, void* values, const Matrices* u, const Matrices* vh, int32_t* info,
           Stream& stream) override {
    svd_of(device_, a, values, u, vh, info, stream);
  }
  void eigh(const Matrices& a, Triangle triangle, bool vectors, void* values, int32_t* info,
            Stream& stream) override;
  void eig(const Matrices& a, void* values, const Matrices* vectors, int32_t* info,
           Stream& stream) override;
  void solve_triangular(const Matrices& a, Triangle triangle, MatrixOp op, bool unit_diagonal,
                        const Matrices& b, Stream& stream) override;
  bool looks_for_not_finite() const override { return false; }
  // cuSOLVER takes 2.6 times as long for the upper triangle; copies cost a twentieth.
  bool wants_lower() const override { return true; }
  std::string description() override { return api_.description(); }

 private:
  void eigh_batch(const Matrices& a, Triangle triangle, int job, void* values, int32_t* info,
                  Stream& stream);

  CudaDevice& device_;
  const Cusolver& api_;
  const CublasSolvers& blas_;
};

void CudaSolver::cholesky(const Matrices& a, Triangle triangle, int32_t* info, Stream& stream) {
  const SolverHandle own = solver_handle(device_, stream);
  const int type = data_type(a.dtype), fill = fill_mode(triangle);
  if (in_batch(a)) {
    const Addresses addresses(a, stream);
    return api_.potrf_batch[place_of_type(a.dtype)](own.handle, fill, static_cast<int>(a.rows),
                                                    addresses.get(), counted(a.leading, api_), info,
                                                    static_cast<int>(a.count));
  }
  const SolverWorkspace work(stream, api_.potrf_size, own.handle, own.params, fill, a.rows, type,
                             a.data, a.leading, type);
  for (int64_t k = 0; k < a.count; ++k)
    api_.potrf(own.handle, own.params, fill, a.rows, type, matrix_at(a, k), a.leading, type,
               work.device(), work.device_bytes(), work.host(), work.host_bytes(), info + k);
}

void CudaSolver::solve_cholesky(const Matrices& factor, Triangle triangle, const Matrices& b,
                                Stream& stream) {
  if (in_batch(factor)) {
    const bool lower = triangle == Triangle::lower;
    const MatrixOp adjoint = MatrixOp::conjugate_transpose;
    solve_triangular(factor, triangle, lower ? MatrixOp::none : adjoint, false, b, stream);
    return solve_triangular(factor, triangle, lower ? adjoint : MatrixOp::none, false, b, stream);
  }
  const SolverHandle own = solver_handle(device_, stream);
  const StreamMemory info(sizeof(int), stream);
  const int type = data_type(b.dtype);
  for (int64_t k = 0; k < factor.count; ++k)
    api_.potrs(own.handle, own.params, fill_mode(triangle), factor.rows, b.columns, type,
               matrix_at(factor, k), factor.leading, type, matrix_at(b, k), b.leading,
               static_cast<int*>(info.data()));
}

void CudaSolver::lu(const Matrices& a, void* pivots, int32_t* info, Stream& stream) {
  if (in_batch(a)) {
    const CublasLease lease(device_, stream);
    const Addresses addresses(a, stream);
    return blas_.getrf_batch[place_of_type(a.dtype)](
        lease.handle(), static_cast<int>(a.rows), addresses.get(), counted(a.leading, api_),
        static_cast<int*>(pivots), info, static_cast<int>(a.count));
  }
  const SolverHandle own = solver_handle(device_, stream);
  const int type = data_type(a.dtype);
  const SolverWorkspace work(stream, api_.getrf_size, own.handle, own.params, a.rows, a.columns,
                             type, a.data, a.leading, type);
  const int64_t each = std::min(a.rows, a.columns);
  for (int64_t k = 0; k < a.count; ++k)
    api_.getrf(own.handle, own.params, a.rows, a.columns, type, matrix_at(a, k), a.leading,
               static_cast<int64_t*>(pivots) + k * each, type, work.device(), work.device_bytes(),
               work.host(), work.host_bytes(), info + k);
}

void CudaSolver::solve_lu(const Matrices& lu, const void* pivots, MatrixOp op, const Matrices& b,
                          Stream& stream) {
  const int type = data_type(b.dtype);
  if (in_batch(lu)) {
    const CublasLease lease(device_, stream);
    const Addresses left(lu, stream), right(b, stream);
    int wrong_argument = 0;
    return blas_.getrs_batch[place_of_type(b.dtype)](
        lease.handle(), static_cast<int>(op), static_cast<int>(lu.rows), counted(b.columns, api_),
        left.get_const(), counted(lu.leading, api_), static_cast<const int*>(pivots), right.get(),
        counted(b.leading, api_), &wrong_argument, static_cast<int>(lu.count));
  }
  const SolverHandle own = solver_handle(device_, stream);
  const StreamMemory info(sizeof(int), stream);
  for (int64_t k = 0; k < lu.count; ++k)
    api_.getrs(own.handle, own.params, static_cast<int>(op), lu.rows, b.columns, type,
               matrix_at(lu, k), lu.leading, static_cast<const int64_t*>(pivots) + k * lu.rows,
               type, matrix_at(b, k), b.leading, static_cast<int*>(info.data()));
}

void CudaSolver::qr(const Matrices& a, void* tau, Stream& stream) {
  const SolverHandle own = solver_handle(device_, stream);
  const int type = data_type(a.dtype);
  const SolverWorkspace work(stream, api_.geqrf_size, own.handle, own.params, a.rows, a.columns,
                             type, a.data, a.leading, type, tau, type);
  const StreamMemory info(sizeof(int), stream);
  const int64_t each = std::min(a.rows, a.columns) * size_of(a.dtype);
  for (int64_t k = 0; k < a.count; ++k)
    api_.geqrf(own.handle, own.params, a.rows, a.columns, type, matrix_at(a, k), a.leading, type,
               static_cast<std::byte*>(tau) + k * each, type, work.device(), work.device_bytes(),
               work.host(), work.host_bytes(), static_cast<int*>(info.data()));
}

void CudaSolver::form_q(const Matrices& a, int64_t reflectors, const void* tau, Stream& stream) {
  const SolverHandle own = solver_handle(device_, stream);
  const int type = place_of_type(a.dtype);
  const int m = counted(a.rows, api_), n = counted(a.columns, api_);
  const int k = static_cast<int>(reflectors), leading = counted(a.leading, api_);
  int length = 0;
  api_.orgqr_size[type](own.handle, m, n, k, a.data, leading, tau, &length);
  const StreamMemory work(int64_t{length} * size_of(a.dtype), stream);
  const StreamMemory info(sizeof(int), stream);
  const int64_t each = reflectors * size_of(a.dtype);
  for (int64_t i = 0; i < a.count; ++i)
    api_.orgqr[type](own.handle, m, n, k, matrix_at(a, i), leading,
                     static_cast<const std::byte*>(tau) + i * each, work.data(), length,
                     static_cast<int*>(info.data()));
}

void CudaSolver::eigh_batch(const Matrices& a, Triangle triangle, int job, void* values,
                            int32_t* info, Stream& stream) {
  const SolverHandle own = solver_handle(device_, stream);
  const int type = data_type(a.dtype), real = real_type(a.dtype), fill = fill_mode(triangle);
  const auto size = [&](auto... all) { api_.syev_batch_size(all..., a.count); };
  const SolverWorkspace work(stream, size, own.handle, own.params, job, fill, a.rows, type, a.data,
                             a.leading, real, values, type);
  api_.syev_batch(own.handle, own.params, job, fill, a.rows, type, a.data, a.leading, real, values,
                  type, work.device(), work.device_bytes(), work.host(), work.host_bytes(), info,
                  a.count);
}

void CudaSolver::eigh(const Matrices& a, Triangle triangle, bool vectors, void* values,
                      int32_t* info, Stream& stream) {
  const int job = vectors ? 1 : 0;
  if (in_batch(a) && api_.syev_batch && a.leading == a.rows && a.step == a.rows * a.columns)
    return eigh_batch(a, triangle, job, values, info, stream);
  refuse_capture("cusolverDnXsyevd", stream);
  const SolverHandle own = solver_handle(device_, stream);
  const int type = data_type(a.dtype), real = real_type(a.dtype), fill = fill_mode(triangle);
  const SolverWorkspace work(stream, api_.syevd_size, own.handle, own.params, job, fill, a.rows,
                             type, a.data, a.leading, real, values, type);
  const int64_t each = a.rows * real_bytes(a.dtype);
  for (int64_t k = 0; k < a.count; ++k)
    api_.syevd(own.handle, own.params, job, fill, a.rows, type, matrix_at(a, k), a.leading, real,
               static_cast<std::byte*>(values) + k * each, type, work.device(), work.device_bytes(),
               work.host(), work.host_bytes(), info + k);
}

void CudaSolver::eig(const Matrices& a, void* values, const Matrices* vectors, int32_t* info,
                     Stream& stream) {
  if (!api_.geev || !api_.geev_size) api_.fail_missing("cusolverDnXgeev", "12.6");
  refuse_capture("cusolverDnXgeev", stream);
  const SolverHandle own = solver_handle(device_, stream);
  const int type = data_type(a.dtype), complex = complex_type(a.dtype);
  const Matrices right = vectors != nullptr ? *vectors : Matrices{a.dtype, nullptr, 0, 0, 1};
  const int job = vectors != nullptr ? 1 : 0;
  const int64_t leading = std::max<int64_t>(right.leading, 1);
  const SolverWorkspace work(stream, api_.geev_size, own.handle, own.params, 0, job, a.rows, type,
                             a.data, a.leading, complex, values, type, nullptr, 1, type, right.data,
                             leading, type);
  const int64_t each = a.rows * 2 * real_bytes(a.dtype);
  for (int64_t k = 0; k < a.count; ++k)
    api_.geev(own.handle, own.params, 0, job, a.rows, type, matrix_at(a, k), a.leading, complex,
              static_cast<std::byte*>(values) + k * each, type, nullptr, 1, type,
              vectors != nullptr ? matrix_at(right, k) : nullptr, leading, type, work.device(),
              work.device_bytes(), work.host(), work.host_bytes(), info + k);
}

void CudaSolver::solve_triangular(const Matrices& a, Triangle triangle, MatrixOp op,
                                  bool unit_diagonal, const Matrices& b, Stream& stream) {
  const CublasLease lease(device_, stream);
  const Factor one(1, real_bytes(a.dtype) == 8);
  const int type = place_of_type(a.dtype), fill = fill_mode(triangle);
  constexpr int left = 0;
  if (in_batch(a)) {
    const Addresses triangles(a, stream), sides(b, stream);
    return blas_.trsm_batch[type](
        lease.handle(), left, fill, static_cast<int>(op), unit_diagonal ? 1 : 0, b.rows, b.columns,
        one.address(), triangles.get_const(), a.leading, sides.get(), b.leading, a.count);
  }
  for (int64_t k = 0; k < a.count; ++k)
    blas_.trsm[type](lease.handle(), left, fill, static_cast<int>(op), unit_diagonal ? 1 : 0,
                     b.rows, b.columns, one.address(), matrix_at(a, k), a.leading, matrix_at(b, k),
                     b.leading);
}

}  // namespace

Solver& CudaDevice::solver() {
  enter();
  return solver_.get([this] { return std::make_unique<CudaSolver>(*this); });
}

}  // namespace gpuarr::cuda
