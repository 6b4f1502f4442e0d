// Random numbers on the GPU: 1e9 of each kind against a hand-written fill of the same run, which is
// the most that memory takes, and beside cuRAND's own Philox in a kernel built by nvcc.
#include <functional>
#include <vector>

#include "cuda_bench.cuh"

#if __has_include(<curand_kernel.h>)
#include <curand_kernel.h>
#define HAS_CURAND 1
#endif

namespace {

__global__ void fill_kernel(uint4* out, size_t packs, uint4 value) {
  const size_t k = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < packs) out[k] = value;
}

// Each thread writes several packs, as a kernel that does more would.
template <int U>
__global__ void fill_several_kernel(uint4* out, size_t packs, uint4 value) {
  const size_t base = static_cast<size_t>(blockIdx.x) * blockDim.x * U + threadIdx.x;
#pragma unroll
  for (int u = 0; u < U; ++u)
    if (base + u * blockDim.x < packs) out[base + u * blockDim.x] = value;
}

/// Time of the best fill of as many bytes, in us.
double fill_us(Bench& bench, const Array& out, size_t bytes) {
  auto* to = data<uint4>(out);
  const size_t packs = bytes / 16;
  const uint4 value = {1, 2, 3, 4};
  const double one = median_us(1, bench.stream(), [&](size_t) {
    fill_kernel<<<static_cast<unsigned>((packs + 255) / 256), 256, 0, bench.stream()>>>(to, packs,
                                                                                        value);
  });
  const double four = median_us(1, bench.stream(), [&](size_t) {
    fill_several_kernel<4>
        <<<static_cast<unsigned>((packs + 1023) / 1024), 256, 0, bench.stream()>>>(to, packs,
                                                                                   value);
  });
  return std::min(one, four);
}

#ifdef HAS_CURAND
template <class Draw>
__global__ void curand_kernel(float4* out, size_t packs, Draw draw) {
  const size_t thread = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(1, thread, 0, &state);
  for (size_t k = thread; k < packs; k += static_cast<size_t>(gridDim.x) * blockDim.x)
    out[k] = draw(&state);
}

struct Uniform {
  __device__ float4 operator()(curandStatePhilox4_32_10_t* state) const {
    return curand_uniform4(state);
  }
};
struct Normal {
  __device__ float4 operator()(curandStatePhilox4_32_10_t* state) const {
    return curand_normal4(state);
  }
};

template <class Draw>
void beside(Bench& bench, const char* what, const Array& out, int64_t count, double ceiling) {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  const auto blocks = static_cast<unsigned>(properties.multiProcessorCount * 8);
  const double us = median_us(1, bench.stream(), [&](size_t) {
    curand_kernel<<<blocks, 256, 0, bench.stream()>>>(data<float4>(out),
                                                      static_cast<size_t>(count) / 4, Draw());
  });
  bench.report(what, "f32", count, us, 4e-3 * static_cast<double>(count) / us, ceiling / us, 0);
}
#endif

struct Work {
  const char* what;
  const char* name;
  gpuarr_dtype dtype;
  int64_t count;
  double demand;
  std::function<gpuarr_status(gpuarr_array** out, gpuarr_generator* g)> call;
};

std::vector<Work> all_work() {
  constexpr int64_t n = 1000000000;
  constexpr gpuarr_dtype f16 = GPUARR_F16, f32 = GPUARR_F32, f64 = GPUARR_F64;
  const auto real = [](double x) { return gpuarr_arg_f64(x); };
  const auto whole = [](int64_t x) { return gpuarr_arg_i64(x); };
  const auto uniform = [=](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_uniform(out, g, real(0), real(1), 0, 0, nullptr, nullptr);
  };
  const auto normal = [=](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_normal(out, g, real(0), real(1), 0, 0, nullptr, nullptr);
  };
  const auto lognormal = [=](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_lognormal(out, g, real(0), real(1), 0, 0, nullptr, nullptr);
  };
  const auto exponential = [=](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_exponential(out, g, real(1), 0, 0, nullptr, nullptr);
  };
  const auto gamma = [=](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_gamma(out, g, real(2.5), real(1), 0, 0, nullptr, nullptr);
  };
  const auto integers = [=](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_integers(out, g, whole(0), whole(1000), 0, 0, nullptr, nullptr);
  };
  const auto poisson = [=](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_poisson(out, g, real(100), 0, nullptr, nullptr);
  };
  const auto binomial = [=](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_binomial(out, g, whole(1000), real(0.3), 0, nullptr, nullptr);
  };
  const auto bernoulli = [=](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_bernoulli(out, g, real(0.3), 0, nullptr, nullptr);
  };
  const auto permutation = [](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_permutation(out, g, gpuarr_array_size(*out), nullptr);
  };
  return {{"uniform", "f32", f32, n, 0.90, uniform},
          {"normal", "f32", f32, n, 0.70, normal},
          {"uniform", "f64", f64, n / 2, 0, uniform},
          {"normal", "f64", f64, n / 2, 0, normal},
          {"uniform", "f16", f16, n, 0, uniform},
          {"normal", "f16", f16, n, 0, normal},
          {"lognormal", "f32", f32, n, 0, lognormal},
          {"exponential", "f32", f32, n, 0, exponential},
          {"integers below 1000", "i32", GPUARR_I32, n, 0, integers},
          {"bernoulli", "bool", GPUARR_BOOL, n, 0, bernoulli},
          {"gamma(2.5)", "f32", f32, n / 10, 0, gamma},
          {"poisson(100)", "i64", GPUARR_I64, n / 10, 0, poisson},
          {"binomial(1000, 0.3)", "i64", GPUARR_I64, n / 10, 0, binomial},
          {"permutation", "i64", GPUARR_I64, n / 10, 0, permutation}};
}

void run(Bench& bench, const Work& work, gpuarr_generator* generator) {
  Array out;
  check(gpuarr_array_empty(out.out(), bench.device(), work.dtype, 1, &work.count, GPUARR_ORDER_C,
                           nullptr));
  const auto bytes = static_cast<size_t>(work.count * gpuarr_dtype_size(work.dtype));
  const double best = fill_us(bench, out, bytes);
  const double us =
      median_us(1, bench.stream(), [&](size_t) { check(work.call(out.out(), generator)); });
  bench.report(work.what, work.name, work.count, us, static_cast<double>(bytes) / us / 1e3,
               best / us, work.demand);
#ifdef HAS_CURAND
  if (work.demand == 0) return;
  if (std::string(work.what) == "uniform")
    beside<Uniform>(bench, "  by cuRAND's functions", out, work.count, best);
  else
    beside<Normal>(bench, "  by cuRAND's functions", out, work.count, best);
#endif
}

}  // namespace

int main() {
  Bench bench("random");
  gpuarr_generator* generator;
  check(gpuarr_generator_create(&generator, bench.device(), 1, 0));
  for (const Work& work : all_work()) run(bench, work, generator);
  gpuarr_generator_release(generator);
  return 0;
}
