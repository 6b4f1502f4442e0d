// Products of matrices on a GPU.

#include "cuda/libraries/blas_handle.hpp"

namespace gpuarr::cuda {
namespace {

// cudaDataType and cublasComputeType_t.
enum DataType { R_32F = 0, R_64F = 1, R_16F = 2, C_32F = 4, C_64F = 5, R_16BF = 14 };
enum ComputeType { COMPUTE_32F = 68, COMPUTE_64F = 70, COMPUTE_32F_FAST_TF32 = 77 };
constexpr int default_algorithm = -1;

struct TypeRow {
  DType dtype;
  DataType data;
  ComputeType compute;  // alpha and beta are so too
};

constexpr TypeRow type_rows[] = {
    {DType::f16, R_16F, COMPUTE_32F}, {DType::bf16, R_16BF, COMPUTE_32F},
    {DType::f32, R_32F, COMPUTE_32F}, {DType::f64, R_64F, COMPUTE_64F},
    {DType::c64, C_32F, COMPUTE_32F}, {DType::c128, C_64F, COMPUTE_64F},
};

const TypeRow* find_row(DType dtype) {
  for (const TypeRow& row : type_rows)
    if (row.dtype == dtype) return &row;
  return nullptr;
}

class CudaBlas final : public Blas {
 public:
  explicit CudaBlas(CudaDevice& device) : device_(device), api_(cublas()) {}

  bool takes(DType dtype) const override { return find_row(dtype) != nullptr; }

  void gemm(const Gemm& g, Stream& stream) override {
    const TypeRow& row = *find_row(g.dtype);
    const ComputeType compute =
        g.tf32 && row.compute == COMPUTE_32F && (row.data == R_32F || row.data == C_32F)
            ? COMPUTE_32F_FAST_TF32
            : row.compute;
    const bool is_double = row.compute == COMPUTE_64F;
    const Factor alpha(g.alpha, is_double), beta(g.beta, is_double);
    const int op_a = static_cast<int>(g.a.op);
    const int op_b = static_cast<int>(g.b.op);
    const CublasLease lease(device_, stream);
    if (g.batch == 1)
      api_.gemm(lease.handle(), op_a, op_b, g.m, g.n, g.k, alpha.address(), g.a.data, row.data,
                g.a.leading, g.b.data, row.data, g.b.leading, beta.address(), g.c.data, row.data,
                g.c.leading, compute, default_algorithm);
    else
      api_.gemm_batch(lease.handle(), op_a, op_b, g.m, g.n, g.k, alpha.address(), g.a.data,
                      row.data, g.a.leading, g.a.step, g.b.data, row.data, g.b.leading, g.b.step,
                      beta.address(), g.c.data, row.data, g.c.leading, g.c.step, g.batch, compute,
                      default_algorithm);
  }

  std::string description() override { return api_.description(); }

 private:
  CudaDevice& device_;
  const Cublas& api_;
};

}  // namespace

Blas& CudaDevice::blas() {
  enter();
  return blas_.get([this] { return std::make_unique<CudaBlas>(*this); });
}

}  // namespace gpuarr::cuda
