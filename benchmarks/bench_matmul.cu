// Products of matrices on the GPU, each against cuBLAS called directly in the same run, in turns.
#include <cublas_v2.h>

#include "cuda_bench.cuh"
#include "measure.hpp"

namespace {

using ::check;

void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s\n", cublasGetStatusString(status));
  std::exit(1);
}

struct Type {
  const char* name;
  gpuarr_dtype dtype;
  cudaDataType_t data;
  cublasComputeType_t compute;
  double operations;  // of a multiplication and an addition
};

const Type types[] = {
    {"f32", GPUARR_F32, CUDA_R_32F, CUBLAS_COMPUTE_32F, 2},
    {"f64", GPUARR_F64, CUDA_R_64F, CUBLAS_COMPUTE_64F, 2},
    {"f16", GPUARR_F16, CUDA_R_16F, CUBLAS_COMPUTE_32F, 2},
    {"bf16", GPUARR_BF16, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 2},
    {"c64", GPUARR_C64, CUDA_C_32F, CUBLAS_COMPUTE_32F, 8},
};

/// cuBLAS as who knows it would call it: its workspace as NVIDIA recommends, sums in float32.
class Direct {
 public:
  explicit Direct(cudaStream_t stream) {
    const size_t bytes = size_t{32} << 20;
    check(cublasCreate(&handle_));
    check(cublasSetStream(handle_, stream));
    check(cudaMalloc(&workspace_, bytes));
    check(cublasSetWorkspace(handle_, workspace_, bytes));
    check(cublasSetMathMode(handle_, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION));
  }
  ~Direct() {
    cublasDestroy(handle_);
    cudaFree(workspace_);
  }
  Direct(const Direct&) = delete;
  Direct& operator=(const Direct&) = delete;

  /// z = x y of square matrices in C order, which is z^T = y^T x^T in cuBLAS's.
  void multiply(const Type& type, const Set& s, int64_t n, int64_t batch, bool turned,
                bool tf32) const {
    const double one[2] = {1, 0}, zero[2] = {0, 0};
    const float single_one[2] = {1, 0}, single_zero[2] = {0, 0};
    const bool is_double = type.compute == CUBLAS_COMPUTE_64F;
    const void* alpha = is_double ? static_cast<const void*>(one) : single_one;
    const void* beta = is_double ? static_cast<const void*>(zero) : single_zero;
    const void *x = gpuarr_array_data(s.x), *y = gpuarr_array_data(s.y);
    void* z = gpuarr_array_data(s.z);
    const auto op = turned ? CUBLAS_OP_T : CUBLAS_OP_N;
    const auto compute = tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : type.compute;
    if (batch == 1)
      check(cublasGemmEx_64(handle_, CUBLAS_OP_N, op, n, n, n, alpha, y, type.data, n, x, type.data,
                            n, beta, z, type.data, n, compute, CUBLAS_GEMM_DEFAULT));
    else
      check(cublasGemmStridedBatchedEx_64(handle_, CUBLAS_OP_N, op, n, n, n, alpha, y, type.data, n,
                                          n * n, x, type.data, n, n * n, beta, z, type.data, n,
                                          n * n, batch, compute, CUBLAS_GEMM_DEFAULT));
  }

 private:
  cublasHandle_t handle_ = nullptr;
  void* workspace_ = nullptr;
};

class Table {
 public:
  explicit Table(Bench& bench) : bench_(bench), direct_(bench.stream()) {
    check(gpuarr_elementwise_create(fill_.out(), "int64 seed", "T z",
                                    "z = (T)(((i * 7919 + seed) % 1009) / 1009.0f - 0.5f)",
                                    nullptr));
  }

  void row(const std::string& what, const Type& type, int64_t n, int64_t batch, bool turned,
           bool tf32, double demand) {
    std::vector<Set> sets, views;
    const size_t count = n * n * batch * gpuarr_dtype_size(type.dtype) < (64 << 20) ? 8 : 2;
    for (size_t k = 0; k < count; ++k) {
      sets.push_back({filled(type, n, batch), filled(type, n, batch), filled(type, n, batch)});
      views.push_back({turned ? transpose(sets[k].x) : gpuarr_array_retain(sets[k].x),
                       gpuarr_array_retain(sets[k].y), gpuarr_array_retain(sets[k].z)});
    }
    const int32_t flags = tf32 ? GPUARR_MATMUL_TF32 : 0;
    std::vector<double> ours, theirs;
    for (int turn = 0; turn < 3; ++turn) {
      ours.push_back(median_us(count, bench_.stream(), [&](size_t k) {
        gpuarr_array* out = views[k].z;
        check(gpuarr_matmul(&out, views[k].x, views[k].y, flags, nullptr));
      }));
      theirs.push_back(median_us(count, bench_.stream(), [&](size_t k) {
        direct_.multiply(type, sets[k], n, batch, turned, tf32);
      }));
    }
    release(views);
    release(sets);
    const double us = median(ours), size = static_cast<double>(n);
    const double products = size * size * size * static_cast<double>(batch);
    const double gflops = type.operations * products / us / 1e3;
    bench_.report(what.c_str(), type.name, n * n * batch, us, gflops, median(theirs) / us, demand);
  }

  /// What a call takes of the CPU: many small products, until the last is done.
  void calls(int64_t n) {
    const Set s = {filled(types[0], n, 1), filled(types[0], n, 1), filled(types[0], n, 1)};
    constexpr int count = 2000;
    auto each_us = [&](auto&& multiply) {
      multiply();
      check(cudaStreamSynchronize(bench_.stream()));
      const double begin = now_us();
      for (int k = 0; k < count; ++k) multiply();
      const double end = now_us();
      check(cudaStreamSynchronize(bench_.stream()));
      return (end - begin) / count;
    };
    std::vector<double> ours, theirs;
    for (int turn = 0; turn < 7; ++turn) {
      ours.push_back(each_us([&] {
        gpuarr_array* out = s.z;
        check(gpuarr_matmul(&out, s.x, s.y, 0, nullptr));
      }));
      theirs.push_back(each_us([&] { direct_.multiply(types[0], s, n, 1, false, false); }));
    }
    release(s);
    bench_.report(("call, " + std::to_string(n) + " x " + std::to_string(n)).c_str(), "f32", n * n,
                  median(ours), 0, median(theirs) / median(ours), 0);
  }

 private:
  gpuarr_array* filled(const Type& type, int64_t n, int64_t batch) {
    const int64_t shape[] = {batch, n, n};
    gpuarr_array* out = nullptr;
    check(gpuarr_array_empty(&out, bench_.device(), type.dtype, batch == 1 ? 2 : 3,
                             shape + (batch == 1), GPUARR_ORDER_C, nullptr));
    const gpuarr_arg seed = gpuarr_arg_i64(seed_ += 77);
    check(gpuarr_elementwise_call(fill_.get(), &out, 1, &seed, 1, GPUARR_NO_SIZE, nullptr));
    return out;
  }

  Bench& bench_;
  Direct direct_;
  Kernel fill_;
  int64_t seed_ = 0;
};

}  // namespace

int main() {
  Bench bench("matmul");
  Table table(bench);
  for (const Type& type : types) table.row("x @ y, 8192", type, 8192, 1, false, false, 0.97);
  table.row("x.T @ y, 8192", types[0], 8192, 1, true, false, 0.97);
  table.row("x @ y, 8192, TF32", types[0], 8192, 1, false, true, 0.97);
  for (const Type& type : types) table.row("x @ y, 64 of 512", type, 512, 64, false, false, 0.97);
  for (const int64_t n : {64, 512}) table.calls(n);
  return 0;
}
