#include "ops/base/copy_kernel.hpp"

#include "kernel/elementwise.hpp"

namespace gpuarr {
namespace {

Elementwise* make_kernel(const char* name, const char* in_params, const char* body) {
  KernelOptions options;
  options.name = name;
  return new Elementwise(in_params, "T y", body, options);
}

void run(Elementwise& kernel, const Array& target, std::span<const Argument> inputs,
         Stream& stream) {
  const Array* output = &target;
  kernel.call(inputs, {&output, 1}, no_size, &stream);
}

void run_range(Elementwise& kernel, const Array& target, const Scalar& start, const Scalar& step,
               Stream& stream) {
  const Argument inputs[] = {{nullptr, &start}, {nullptr, &step}};
  run(kernel, target, inputs, stream);
}

}  // namespace

// The kernels are never destroyed: they may be asked for while the process ends.

void run_fill_kernel(const Array& target, const Scalar& value, Stream& stream) {
  static Elementwise* const kernel = make_kernel("fill", "T value", "y = value;");
  const Argument input{nullptr, &value};
  run(*kernel, target, {&input, 1}, stream);
}

void run_arange_kernel(const Array& target, int64_t start, int64_t step, Stream& stream) {
  // Unsigned, so that a range modulo 2^64 is no overflow.
  static Elementwise* const kernel =
      make_kernel("arange", "int64 start, int64 step",
                  "y = (T)(int64)((uint64)start + (uint64)i * (uint64)step);");
  run_range(*kernel, target, Scalar::of(start), Scalar::of(step), stream);
}

void run_arange_kernel(const Array& target, double start, double step, Stream& stream) {
  static Elementwise* const kernel =
      make_kernel("arange", "float64 start, float64 step", "y = (T)(start + i * step);");
  run_range(*kernel, target, Scalar::of(start), Scalar::of(step), stream);
}

}  // namespace gpuarr
