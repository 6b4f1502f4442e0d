// Ready-made elementwise functions on the GPU: each against the device's copy of the same run, by
// bytes that must be moved, and what a call costs beside that of an elementwise kernel.
#include <functional>
#include <vector>

#include "launch_bench.cuh"

namespace {

constexpr int64_t size = 100000000;

/// Bytes for each us of the best copy, of as many bytes as the largest row moves.
double copy_rate(Bench& bench) {
  const size_t packs = static_cast<size_t>(size) * 8 / 16;
  const Array x(bench.random(GPUARR_F64, size)), z(bench.random(GPUARR_F64, size));
  const auto time = [&](auto u) {
    constexpr int U = decltype(u)::value;
    return median_us(1, bench.stream(), [&](size_t) {
      ceiling::copy_kernel<U>
          <<<static_cast<unsigned>((packs + 256 * U - 1) / (256 * U)), 256, 0, bench.stream()>>>(
              data<const uint4>(x), data<uint4>(z), packs);
    });
  };
  const double us =
      std::min({time(std::integral_constant<int, 1>()), time(std::integral_constant<int, 2>()),
                time(std::integral_constant<int, 4>())});
  return 2.0 * static_cast<double>(packs) * 16 / us;
}

using Inputs = const std::vector<gpuarr_arg>&;

struct Work {
  const char* what;
  const char* dtype;
  std::vector<gpuarr_dtype> inputs;
  gpuarr_dtype output;
  double demand;
  std::function<gpuarr_status(gpuarr_array** out, Inputs in)> call;
};

void run(Bench& bench, const Work& work, double rate) {
  std::vector<Array> arrays;
  std::vector<gpuarr_arg> inputs;
  double bytes = static_cast<double>(gpuarr_dtype_size(work.output)) * size;
  for (gpuarr_dtype dtype : work.inputs) {
    arrays.emplace_back(bench.random(dtype == GPUARR_BOOL ? GPUARR_U8 : dtype, size));
    bytes += static_cast<double>(gpuarr_dtype_size(dtype)) * size;
  }
  for (size_t k = 0; k < arrays.size(); ++k) {
    if (work.inputs[k] == GPUARR_BOOL) {  // of random bytes, which are more than half
      Array flags;
      check(gpuarr_greater(flags.out(), gpuarr_arg_array(arrays[k].get()), gpuarr_arg_i64(100),
                           nullptr));
      std::swap(arrays[k], flags);
    }
    inputs.push_back(gpuarr_arg_array(arrays[k].get()));
  }
  Array out(bench.random(work.output, size));
  const double us =
      median_us(1, bench.stream(), [&](size_t) { check(work.call(out.out(), inputs)); });
  bench.report(work.what, work.dtype, size, us, bytes / us / 1e3, bytes / us / rate, work.demand);
}

std::vector<Work> all_work() {
  constexpr gpuarr_dtype f16 = GPUARR_F16, f32 = GPUARR_F32, f64 = GPUARR_F64, i32 = GPUARR_I32;
  const auto add = [](gpuarr_array** out, Inputs in) {
    return gpuarr_add(out, in[0], in[1], nullptr);
  };
  const auto where = [](gpuarr_array** out, Inputs in) {
    return gpuarr_where(out, in[0], in[1], in[2], nullptr);
  };
  const auto exponential = [](gpuarr_array** out, Inputs in) {
    return gpuarr_exp(out, in[0].array, nullptr);
  };
  const auto squared = [](gpuarr_array** out, Inputs in) {
    return gpuarr_power(out, in[0], gpuarr_arg_f64(2), nullptr);
  };
  const auto cubed = [](gpuarr_array** out, Inputs in) {
    return gpuarr_power(out, in[0], gpuarr_arg_f64(3), nullptr);
  };
  const auto sine = [](gpuarr_array** out, Inputs in) {
    return gpuarr_sin(out, in[0].array, nullptr);
  };
  const auto assign = [](gpuarr_array** out, Inputs in) {
    return gpuarr_array_assign(*out, in[0].array, nullptr);
  };
  const auto less = [](gpuarr_array** out, Inputs in) {
    return gpuarr_less(out, in[0], in[1], nullptr);
  };
  return {{"x + y, mixed", "f32", {f32, f64}, f64, 0.93, add},
          {"x + y", "f32", {f32, f32}, f32, 0.93, add},
          {"x + y, mixed", "i32", {i32, f32}, f64, 0, add},
          {"where(c, x, y)", "f32", {GPUARR_BOOL, f32, f32}, f32, 0.93, where},
          {"where(c, x, y)", "f64", {GPUARR_BOOL, f64, f64}, f64, 0.93, where},
          {"exp(x)", "f16", {f16}, f16, 0, exponential},
          {"exp(x)", "f32", {f32}, f32, 0.93, exponential},
          {"exp(x)", "f64", {f64}, f64, 0, exponential},
          {"x**2", "f32", {f32}, f32, 0.93, squared},
          {"x**2", "f64", {f64}, f64, 0.93, squared},
          {"x**3", "f32", {f32}, f32, 0, cubed},
          {"sin(x)", "f32", {f32}, f32, 0, sine},
          {"x < y", "f32", {f32, f32}, GPUARR_BOOL, 0, less},
          {"to float64", "f32", {f32}, f64, 0, assign},
          {"to float32", "f64", {f64}, f32, 0, assign},
          {"to float32", "u8", {GPUARR_U8}, f32, 0, assign}};
}

/// CPU time of a call with its output given, beside the same elementwise kernel's.
void calls(Bench& bench) {
  const int64_t few = 1024;
  const Array x(bench.random(GPUARR_F32, few)), y(bench.random(GPUARR_F32, few));
  Array z(bench.random(GPUARR_F32, few));
  Kernel kernel;
  check(gpuarr_elementwise_create(kernel.out(), "T x, T y", "T z", "z = x + y", nullptr));
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x.get()), gpuarr_arg_array(y.get())};
  const auto us = cpu_us_in_turns(
      bench.stream(), {[&] {
                         check(gpuarr_elementwise_call(kernel.get(), z.out(), 1, inputs, 2,
                                                       GPUARR_NO_SIZE, nullptr));
                       },
                       [&] { check(gpuarr_add(z.out(), inputs[0], inputs[1], nullptr)); }});
  bench.report("call of add", "f32", few, us[1], 0, us[0] / us[1], 0.95);
}

}  // namespace

int main() {
  Bench bench("functions");
  const double rate = copy_rate(bench);
  bench.report("copy", "f64", size, 16.0 * size / rate, rate / 1e3, 1, 0);
  for (const Work& work : all_work()) run(bench, work, rate);
  calls(bench);
  return 0;
}
