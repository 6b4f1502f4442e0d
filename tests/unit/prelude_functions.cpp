// Every function of CUDA's documentation is there in kernels of every kind on the CPU, and has the
// same results: elementwise, reduction, scan, raw. The words decide what stands before the first
// three, and do so in one place, so that some of the functions are enough for two of them.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "device_functions.hpp"
#include "gpuarr.h"

namespace {

void must(gpuarr_status status) {
  if (status != GPUARR_OK) check::report(__FILE__, __LINE__) << gpuarr_last_error() << '\n';
}

constexpr int sampled = 16;

/// One result for each function of the text, and what makes them.
class Calls {
 public:
  Calls() {
    text_ = device_functions::text(count_);
    must(gpuarr_device_open(&device_, "host"));
    must(gpuarr_array_arange(&numbers_, device_, GPUARR_I32, gpuarr_arg_i32(0),
                             gpuarr_arg_i32(count_), gpuarr_arg_i32(1), nullptr));
    const int64_t column[] = {count_, 1};
    must(gpuarr_array_reshape(&column_, numbers_, 2, column));
  }
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;
  ~Calls() {
    gpuarr_array_release(column_);
    gpuarr_array_release(numbers_);
  }

  int count() const { return count_; }

  std::vector<double> elementwise() const {
    gpuarr_elementwise* kernel = nullptr;
    gpuarr_array* out = nullptr;
    must(gpuarr_elementwise_create(&kernel, "int32 k", "float64 y", "y = call(k)",
                                   options_with(1).get()));
    const gpuarr_arg in = gpuarr_arg_array(numbers_);
    must(gpuarr_elementwise_call(kernel, &out, 1, &in, 1, GPUARR_NO_SIZE, nullptr));
    gpuarr_elementwise_release(kernel);
    return read(out);
  }

  std::vector<double> reduction() const {
    gpuarr_reduction* kernel = nullptr;
    gpuarr_array* out = nullptr;
    must(gpuarr_reduction_create(&kernel, "int32 k", "float64 y", "call(k)", "a + b", "y = a",
                                 nullptr, options_with(sampled).get()));
    const gpuarr_arg in = gpuarr_arg_array(column_);
    const int32_t axis = 1;
    must(gpuarr_reduction_call(kernel, &out, 1, &in, 1, &axis, 1, 0, nullptr));
    gpuarr_reduction_release(kernel);
    return read(out);
  }

  std::vector<double> scan() const {
    gpuarr_scan* kernel = nullptr;
    gpuarr_array* out = nullptr;
    must(gpuarr_scan_create(&kernel, "int32 k", "float64 y", "call(k)", "a + b", "y = a", nullptr,
                            options_with(sampled).get()));
    const gpuarr_arg in = gpuarr_arg_array(column_);
    must(gpuarr_scan_call(kernel, &out, 1, &in, 1, 1, 0, nullptr));
    gpuarr_scan_release(kernel);
    return read(out);
  }

  std::vector<double> raw() const {
    const std::string source = text_ +
                               "extern \"C\" __global__ void calls(double* y) {\n"
                               "  y[threadIdx.x] = call(threadIdx.x);\n}\n";
    gpuarr_raw* kernel = nullptr;
    gpuarr_array* out = nullptr;
    const int64_t shape = count_;
    must(gpuarr_array_zeros(&out, device_, GPUARR_F64, 1, &shape, GPUARR_ORDER_C, nullptr));
    must(gpuarr_raw_create(&kernel, source.c_str(), "calls", nullptr, options_with(0).get()));
    const gpuarr_arg in = gpuarr_arg_array(out);
    const int64_t one[] = {1, 1, 1};
    const int64_t block[] = {count_, 1, 1};
    must(gpuarr_raw_launch(kernel, one, block, 0, &in, 1, nullptr));
    gpuarr_raw_release(kernel);
    return read(out);
  }

 private:
  using Options = std::unique_ptr<gpuarr_kernel_options, decltype(&gpuarr_kernel_options_release)>;

  // With every step-th function; 0 for none.
  static Options options_with(int step) {
    gpuarr_kernel_options* options = nullptr;
    must(gpuarr_kernel_options_create(&options));
    must(gpuarr_kernel_options_add(options, "-O0"));
    int count = 0;
    if (step > 0)
      must(
          gpuarr_kernel_options_set_preamble(options, device_functions::text(count, step).c_str()));
    return {options, gpuarr_kernel_options_release};
  }

  std::vector<double> read(gpuarr_array* array) const {
    std::vector<double> values(static_cast<size_t>(count_));
    if (const void* data = gpuarr_array_data(array))
      std::memcpy(values.data(), data, values.size() * sizeof(double));
    gpuarr_array_release(array);
    return values;
  }

  int count_ = 0;
  std::string text_;
  gpuarr_device* device_ = nullptr;
  gpuarr_array* numbers_ = nullptr;
  gpuarr_array* column_ = nullptr;
};

// Raw kernels call libm for one element, the others libmvec, which promises 4 ulp, of float here.
bool is_near(double value, double raw) {
  return std::bit_cast<uint64_t>(value) == std::bit_cast<uint64_t>(raw) ||
         std::fabs(value - raw) <= 4 * 0x1p-23 * std::fabs(raw);
}

void compare(const char* kind, size_t step, const std::vector<double>& values,
             const std::vector<double>& raw) {
  for (size_t k = 0; k < values.size(); k += step)
    if (!is_near(values[k], raw[k]))
      check::report(__FILE__, __LINE__)
          << kind << ", function " << k << ": " << values[k] << ", not " << raw[k] << '\n';
}

}  // namespace

int main() {
  const Calls calls;
  const std::vector<double> raw = calls.raw();
  compare("elementwise", 1, calls.elementwise(), raw);
  compare("reduction", sampled, calls.reduction(), raw);
  compare("scan", sampled, calls.scan(), raw);
  std::cout << calls.count() << " calls\n";
  return check::result();
}
