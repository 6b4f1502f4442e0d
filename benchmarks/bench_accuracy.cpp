// How far sums and variances of 1e8 elements are from those in float64, on each device.
#include <gpuarr.h>

#include <cmath>
#include <cstdio>

#include "objects.hpp"

namespace {

constexpr int64_t size = 100000000;

// Numbers of a hash, in [0, 1).
const char* const hash_text =
    "__device__ double uniform(unsigned long long k) {\n"
    "  k ^= k >> 33; k *= 0xff51afd7ed558ccdull; k ^= k >> 33;\n"
    "  k *= 0xc4ceb9fe1a85ec53ull; k ^= k >> 33;\n"
    "  return (k >> 11) * 0x1p-53;\n"
    "}\n";

class Accuracy {
 public:
  explicit Accuracy(gpuarr_device* device) : device_(device) {}

  Array fill(const char* params, gpuarr_dtype dtype, const char* body) const {
    Options options;
    check(gpuarr_kernel_options_create(options.out()));
    check(gpuarr_kernel_options_set_preamble(options.get(), hash_text));
    Kernel kernel;
    check(gpuarr_elementwise_create(kernel.out(), "", params, body, options.get()));
    Array array;
    check(gpuarr_array_empty(array.out(), device_, dtype, 1, &size, GPUARR_ORDER_C, nullptr));
    check(
        gpuarr_elementwise_call(kernel.get(), array.out(), 1, nullptr, 0, GPUARR_NO_SIZE, nullptr));
    return array;
  }

  /// The sum in float64 of what map makes of an element.
  static double exact(const Array& x, const char* map) {
    return read<double>(
        reduce(make_reduction({"T x", "float64 y", map}), {gpuarr_arg_array(x.get())}, {}));
  }

  template <class T>
  static double read(const Array& result) {
    T value;
    check(gpuarr_array_read(&value, sizeof value, nullptr, result.get(), nullptr));
    return static_cast<double>(value);
  }

  void report(const char* what, double value, double expected, double at_most) const {
    const double error = std::abs(value / expected - 1);
    std::printf("%-52s %-8s %10.2e  at most %.0e%s\n", what, gpuarr_device_name(device_), error,
                at_most, error <= at_most ? "" : "  <--");
    FILE* json = std::fopen("accuracy.jsonl", "a");
    if (json == nullptr) return;
    std::fprintf(json,
                 "{\"what\": \"%s\", \"device\": \"%s\", \"error\": %.3e, \"at_most\": %.0e}\n",
                 what, gpuarr_device_name(device_), error, at_most);
    std::fclose(json);
  }

 private:
  gpuarr_device* device_;
};

void measure(gpuarr_device* device) {
  const Accuracy accuracy(device);
  {
    const Array x = accuracy.fill("float32 x", GPUARR_F32, "x = uniform(i)");
    Array sum;
    check(gpuarr_sum(sum.out(), x.get(), nullptr, GPUARR_ALL_AXES, 0, nullptr));
    accuracy.report("sum of 1e8 uniform float32", Accuracy::read<float>(sum),
                    Accuracy::exact(x, "x"), 2e-6);
  }
  {
    const Array x = accuracy.fill("float16 x", GPUARR_F16, "x = uniform(i)");
    const Array sum =
        reduce(make_reduction({"T x", "float32 y", "x"}), {gpuarr_arg_array(x.get())}, {});
    accuracy.report("sum of 1e8 uniform float16, in float32", Accuracy::read<float>(sum),
                    Accuracy::exact(x, "x"), 2e-6);
  }
  const Array x =
      accuracy.fill("float64 x", GPUARR_F64,
                    "double sum = 0; for (int k = 0; k < 12; ++k) sum += uniform(12ull * i + k);\n"
                    "x = 1e6 + (sum - 6)");
  Array var;
  check(gpuarr_var(var.out(), x.get(), 0, nullptr, GPUARR_ALL_AXES, 0, nullptr));
  const double mean = Accuracy::exact(x, "x - 1e6") / size;
  const double square = Accuracy::exact(x, "(x - 1e6) * (x - 1e6)") / size;
  accuracy.report("variance of 1e8 float64, mean 1e6, deviation 1", Accuracy::read<double>(var),
                  square - mean * mean, 1e-6);
}

}  // namespace

int main() {
  int32_t gpus;
  check(gpuarr_device_count(&gpus, GPUARR_DEVICE_CUDA));
  for (const char* name : {"cuda:0", "host"}) {
    if (gpus == 0 && name[0] == 'c') continue;
    gpuarr_device* device;
    check(gpuarr_device_open(&device, name));
    measure(device);
  }
  return 0;
}
