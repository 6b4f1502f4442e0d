// Elementwise kernels on the GPU: dtypes, sizes and layouts, each against the best hand-written
// kernel (contiguous) or the device's copy (other layouts) of the same run.
#include <algorithm>
#include <functional>
#include <vector>

#include "ceiling.cuh"
#include "cuda_bench.cuh"

namespace {

constexpr int64_t edge = 16384;
constexpr int64_t copied = int64_t{1} << 29;

template <class T>
double best_hand_written(const std::vector<Set>& sets, size_t bytes, cudaStream_t stream) {
  size_t packs = bytes / 16;
  auto time = [&](auto u) {
    constexpr int U = decltype(u)::value;
    auto blocks = static_cast<unsigned>((packs + 256 * U - 1) / (256 * U));
    return median_us(sets.size(), stream, [&](size_t k) {
      ceiling::squared_difference_kernel<T, U>
          <<<blocks, 256, 0, stream>>>(static_cast<const T*>(gpuarr_array_data(sets[k].x)),
                                       static_cast<const T*>(gpuarr_array_data(sets[k].y)),
                                       static_cast<T*>(gpuarr_array_data(sets[k].z)), packs);
    });
  };
  return std::min({time(std::integral_constant<int, 1>()), time(std::integral_constant<int, 2>()),
                   time(std::integral_constant<int, 4>())});
}

double ours(Bench& bench, const std::vector<Set>& sets) {
  std::vector<gpuarr_call*> calls;
  for (const Set& s : sets) calls.push_back(bench.prepare(s));
  double us = median_us(sets.size(), bench.stream(),
                        [&](size_t k) { check(gpuarr_call_launch(calls[k], nullptr)); });
  for (gpuarr_call* c : calls) gpuarr_call_release(c);
  return us;
}

/// Against hand-written kernels; with demands for the two sizes that have them.
template <class T>
void contiguous(Bench& bench, const char* name, gpuarr_dtype dtype,
                const std::vector<int64_t>& sizes = {100000000, 1000000}) {
  for (int64_t n : sizes) {
    auto sets = bench.make_sets(dtype, n + 16);
    std::vector<Set> even, odd, mixed;
    for (const Set& s : sets) {
      even.push_back({slice(s.x, 0, n), slice(s.y, 0, n), slice(s.z, 0, n)});
      odd.push_back({slice(s.x, 1, n), slice(s.y, 1, n), slice(s.z, 1, n)});
      mixed.push_back({slice(s.x, 1, n), slice(s.y, 0, n), slice(s.z, 0, n)});
    }
    double bytes = 3.0 * static_cast<double>(n) * sizeof(T);
    double best = best_hand_written<T>(even, static_cast<size_t>(n) * sizeof(T), bench.stream());
    auto row = [&](const char* what, const std::vector<Set>& which, double demand) {
      double us = ours(bench, which);
      bench.report(what, name, n, us, bytes / us / 1e3, best / us, demand);
    };
    const bool judged = n == 100000000 || n == 1000000;
    row("contiguous", even, !judged ? 0 : n > 1000000 ? 0.97 : 0.90);
    if (judged) {
      row("all views one off", odd, 0.90);
      row("one view one off", mixed, 0.90);
    }
    for (auto* list : {&even, &odd, &mixed}) release(*list);
    release(sets);
  }
}

double copy_rate(Bench& bench) {  // bytes for each us
  auto sets = bench.make_sets(GPUARR_F32, edge * edge);
  size_t packs = static_cast<size_t>(edge * edge) / 4;
  auto time = [&](auto u) {
    constexpr int U = decltype(u)::value;
    return median_us(sets.size(), bench.stream(), [&](size_t k) {
      ceiling::copy_kernel<U>
          <<<static_cast<unsigned>((packs + 256 * U - 1) / (256 * U)), 256, 0, bench.stream()>>>(
              static_cast<const uint4*>(gpuarr_array_data(sets[k].x)),
              static_cast<uint4*>(gpuarr_array_data(sets[k].z)), packs);
    });
  };
  double us =
      std::min({time(std::integral_constant<int, 1>()), time(std::integral_constant<int, 2>()),
                time(std::integral_constant<int, 4>())});
  double memcpy_us = median_us(sets.size(), bench.stream(), [&](size_t k) {
    cudaMemcpyAsync(gpuarr_array_data(sets[k].z), gpuarr_array_data(sets[k].x), packs * 16,
                    cudaMemcpyDeviceToDevice, bench.stream());
  });
  release(sets);
  return 2.0 * static_cast<double>(packs) * 16 / std::min(us, memcpy_us);
}

void layouts(Bench& bench, double rate) {
  bench.report("copy", "f32", edge * edge, 0, rate / 1e3, 1, 0);
  const int64_t square[] = {edge, edge};
  auto sets = bench.make_sets(GPUARR_F32, edge * edge);
  double whole = static_cast<double>(edge * edge) * 4;
  auto row = [&](const char* what, double bytes, double demand,
                 const std::function<Set(const Set&)>& view) {
    std::vector<Set> viewed;
    for (const Set& s : sets) {
      Set matrix = {reshape(s.x, 2, square), reshape(s.y, 2, square), reshape(s.z, 2, square)};
      viewed.push_back(view(matrix));
      release(matrix);
    }
    double us = ours(bench, viewed);
    bench.report(what, "f32", edge * edge, us, bytes / us / 1e3, bytes / us / rate, demand);
    release(viewed);
  };
  auto keep = [](gpuarr_array* a) { return gpuarr_array_retain(a); };
  row("row broadcast", 2 * whole, 0.93, [&](const Set& s) {
    return Set{keep(s.x), select(s.y, 0), keep(s.z)};
  });
  row("column broadcast", 2 * whole, 0.93, [&](const Set& s) {
    return Set{keep(s.x), columns(s.y, 0, 1), keep(s.z)};
  });
  row("[:, :-1] into [:, :-1]", 3 * whole, 0.93, [&](const Set& s) {
    return Set{columns(s.x, 0, edge - 1), columns(s.y, 0, edge - 1), columns(s.z, 0, edge - 1)};
  });
  row("[:, :-1] into [:, 1:]", 3 * whole, 0.93, [&](const Set& s) {
    return Set{columns(s.x, 0, edge - 1), columns(s.y, 0, edge - 1), columns(s.z, 1, edge)};
  });
  row("one transposed operand", 3 * whole, 0.75, [&](const Set& s) {
    return Set{keep(s.x), transpose(s.y), keep(s.z)};
  });
  row("two transposed operands", 3 * whole, 0, [&](const Set& s) {
    return Set{transpose(s.x), transpose(s.y), keep(s.z)};
  });
  row("[::2, ::2]", 3 * whole / 4, 0, [&](const Set& s) {
    return Set{every_second(s.x), every_second(s.y), every_second(s.z)};
  });
  release(sets);
}

/// What copies a whole array, against the hand-written copy's bytes for each us.
void copies(Bench& bench, double rate) {
  const Array x(bench.random(GPUARR_F32, copied)), z(bench.random(GPUARR_F32, copied));
  const double bytes = 2.0 * copied * sizeof(float);
  const double us = median_us(
      1, bench.stream(), [&](size_t) { check(gpuarr_array_assign(z.get(), x.get(), nullptr)); });
  bench.report("array assigned", "f32", copied, us, bytes / us / 1e3, bytes / us / rate, 0);
}

/// A body that computes: the sums of the prime factors of 2 ... 1000000.
void prime_factors(Bench& bench) {
  Options options;
  check(gpuarr_kernel_options_create(options.out()));
  check(gpuarr_kernel_options_set_preamble(
      options.get(),
      "__device__ long long prime_factors(long long rest) {\n"
      "  long long sum = 0;\n"
      "  for (; rest % 2 == 0; rest /= 2) sum += 2;\n"
      "  for (long long divisor = 3; divisor * divisor <= rest; divisor += 2)\n"
      "    for (; rest % divisor == 0; rest /= divisor) sum += divisor;\n"
      "  return rest > 1 ? sum + rest : sum;\n"
      "}\n"));
  Kernel kernel;
  check(gpuarr_elementwise_create(kernel.out(), "", "int64 y", "y = prime_factors(i + 2)",
                                  options.get()));
  const int64_t n = 999999;
  const Array y(bench.random(GPUARR_I64, n));
  gpuarr_array* output = y.get();
  Call call;
  check(
      gpuarr_elementwise_prepare(call.out(), kernel.get(), &output, 1, nullptr, 0, GPUARR_NO_SIZE));
  const double us = median_us(1, bench.stream(), [&](size_t) { launch(call); });
  bench.report("prime factor sums", "i64", n, us, 0, 0, 0);
}

}  // namespace

int main() {
  Bench bench("elementwise");
  contiguous<int8_t>(bench, "i8", GPUARR_I8);
  contiguous<__half>(bench, "f16", GPUARR_F16);
  contiguous<__nv_bfloat16>(bench, "bf16", GPUARR_BF16);
  contiguous<float>(bench, "f32", GPUARR_F32);
  contiguous<double>(bench, "f64", GPUARR_F64);
  contiguous<ceiling::Complex>(bench, "c64", GPUARR_C64);
  for (const int64_t n : {int64_t{500000000}, int64_t{10000000}, int64_t{10000}}) {
    contiguous<__half>(bench, "f16", GPUARR_F16, {n});
    contiguous<float>(bench, "f32", GPUARR_F32, {n});
    contiguous<double>(bench, "f64", GPUARR_F64, {n});
  }
  const double rate = copy_rate(bench);
  layouts(bench, rate);
  copies(bench, rate);
  prime_factors(bench);
  return 0;
}
