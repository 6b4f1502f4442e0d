// Raw kernels on a GPU: what a launch costs on the CPU beside the driver's, and whether what NVRTC
// compiles is as fast as what nvcc does.
#include <cstdint>

#include "launch_bench.cuh"
#include "raw_kernels.cu"

namespace {

using Module = Handle<gpuarr_module, gpuarr_module_release>;
using Raw = Handle<gpuarr_raw, gpuarr_raw_release>;

Raw kernel_of(const Module& module, const char* name) {
  Raw out;
  check(gpuarr_module_kernel(out.out(), module.get(), name, nullptr));
  return out;
}

/// The same kernel through the driver, five pointers to arguments ready.
class TinyLaunch {
 public:
  TinyLaunch(cudaStream_t stream, float* x, float* y, float* z)
      : stream_(stream), x_(x), y_(y), z_(z) {
    cudaFunction_t function;
    check(cudaGetFuncBySymbol(&function, reinterpret_cast<void*>(tiny)));
    function_ = reinterpret_cast<CUfunction>(function);
  }
  TinyLaunch(const TinyLaunch&) = delete;
  TinyLaunch& operator=(const TinyLaunch&) = delete;
  void operator()() { cuLaunchKernel(function_, 4, 1, 1, 256, 1, 1, 0, stream_, args_, nullptr); }

 private:
  cudaStream_t stream_;
  CUfunction function_ = nullptr;
  float *x_, *y_, *z_;
  float a_ = 2;
  int n_ = 1024;
  void* args_[5] = {&x_, &y_, &z_, &a_, &n_};
};

void overhead(const Report& report, Bench& bench, const Module& module) {
  const Array x(bench.random(GPUARR_F32, 1024)), y(bench.random(GPUARR_F32, 1024)),
      z(bench.random(GPUARR_F32, 1024));
  const Raw kernel = kernel_of(module, "tiny");
  const gpuarr_arg args[] = {gpuarr_arg_array(x.get()), gpuarr_arg_array(y.get()),
                             gpuarr_arg_array(z.get()), gpuarr_arg_f32(2), gpuarr_arg_i32(1024)};
  const int64_t grid[] = {4, 1, 1}, block[] = {256, 1, 1};
  Call call;
  check(gpuarr_raw_prepare(call.out(), kernel.get(), grid, block, 0, args, 5, nullptr));
  TinyLaunch driver(bench.stream(), data<float>(x), data<float>(y), data<float>(z));
  const auto us = cpu_us_in_turns(
      bench.stream(),
      {std::ref(driver),
       [&] { check(gpuarr_raw_launch(kernel.get(), grid, block, 0, args, 5, nullptr)); },
       [&] { check(gpuarr_raw_launch_1d(kernel.get(), 1024, args, 5, nullptr)); },
       [&] { launch(call); }});
  report.add({"cuLaunchKernel, 5 arguments", us[0]});
  report.add({"raw launch, on top of it", us[1] - us[0], 0, 0, 0.4});
  report.add({"raw launch of n elements, on top of it", us[2] - us[0]});
  report.add({"prepared raw launch, on top of it", us[3] - us[0], 0, 0, 0.3});
}

void prime_factors(const Report& report, Bench& bench, const Module& module) {
  constexpr int count = 999999, threads = 256, blocks = (count + threads - 1) / threads;
  const Array ours(bench.random(GPUARR_I32, count)), theirs(bench.random(GPUARR_I32, count));
  const Raw kernel = kernel_of(module, "prime_factor_sums");
  const gpuarr_arg args[] = {gpuarr_arg_i32(2), gpuarr_arg_array(ours.get()),
                             gpuarr_arg_i32(count)};
  const int64_t grid[] = {blocks, 1, 1}, block[] = {threads, 1, 1};
  auto launch_ours = [&](size_t) {
    check(gpuarr_raw_launch(kernel.get(), grid, block, 0, args, 3, nullptr));
  };
  auto launch_theirs = [&](size_t) {
    prime_factor_sums<<<blocks, threads, 0, bench.stream()>>>(2, data<int>(theirs), count);
  };
  std::vector<double> us, against;
  for (int turn = 0; turn < 5; ++turn) {
    us.push_back(median_us(1, bench.stream(), launch_ours));
    against.push_back(median_us(1, bench.stream(), launch_theirs));
  }
  std::vector<int32_t> a(count), b(count);
  check(gpuarr_array_read(a.data(), count * sizeof(int32_t), nullptr, ours.get(), nullptr));
  check(gpuarr_array_read(b.data(), count * sizeof(int32_t), nullptr, theirs.get(), nullptr));
  if (a != b) std::exit(1);
  report.add({"prime factor sums to 1e6, against nvcc's", median(us), median(against), 0.98});
}

void compile_latency(const Report& report, Bench& bench) {
  std::vector<double> ms;
  for (int k = 0; k < 9; ++k) {
    const std::string text =
        "__global__ void k(float a, const float* x, float* y, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) y[i] = a * x[i] + " +
        std::to_string(k) + ";\n}\n";
    Module module;
    check(gpuarr_module_create(module.out(), text.c_str(), nullptr));
    const double begin = now_us();
    check(gpuarr_module_build(module.get(), bench.device()));
    ms.push_back((now_us() - begin) / 1e3);
  }
  report.add({"a new raw kernel", median(ms) * 1e3});
}

}  // namespace

int main() {
  const TemporaryCache cache;
  Bench bench("raw");
  const Report report("raw", gpuarr_device_description(bench.device()));
  Module module;
  check(gpuarr_module_open(module.out(), GPUARR_RAW_KERNELS, nullptr));
  overhead(report, bench, module);
  prime_factors(report, bench, module);
  compile_latency(report, bench);
  return 0;
}
