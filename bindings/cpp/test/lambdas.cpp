// Kernels that are written as lambdas: the same on the host and on the device.
#include <algorithm>

#include "check.hpp"
#include "gpuarr_lambda.hpp"
#include "gpuarr_ops.hpp"

using namespace gpuarr;

namespace {

const auto squared = [] { return GPUARR_LAMBDA([](auto x, auto y) { return (x - y) * (x - y); }); };

template <class T> void of_one_dtype() {
  const auto kernel = squared();
  const auto x = check::random_elements<T>({40}), y = check::random_elements<T>({40});
  std::vector<T> expected;
  for (std::size_t k = 0; k < x.size(); ++k) expected.push_back(static_cast<T>(kernel(x[k], y[k])));
  const Array z = kernel(Array::from(x), Array::from(y));
  CHECK_EQ(z.dtype(), dtype_of<T>());
  CHECK_SAME(z.to_vector<T>(), expected, 1e-6);
}

void parameters_with_types() {
  const auto above = GPUARR_LAMBDA([](float x, const double& limit) {
    if (x < 0) return false;
    const double wide = x;
    return wide > limit;
  });
  const Array x = Array::from(std::vector<float>{-3, 1, 2, 3});
  const Array z = above(x, Array::from(std::vector<double>{0, 1, 1, 4}));
  CHECK_EQ(z.dtype(), GPUARR_BOOL);
  CHECK(z.astype(GPUARR_I32).to_vector<int32_t>() == (std::vector<int32_t>{0, 0, 1, 0}));
  CHECK(above(2.f, 1.0) && !above(-2.f, -4.0));
  CHECK_FAILS(GPUARR_ERR_DTYPE, "float32", [&] { above(x.astype(GPUARR_F64), 1.0); });
}

void commas_templates_and_no_parameters() {
  const auto odd = GPUARR_LAMBDA([](auto x, auto) -> decltype(x) {
    struct pair {
      int first, second;
    };
    const pair p = {1, 2};
    return x * p.second + static_cast<decltype(x)>(p.first);
  });
  CHECK(odd(Array::from(std::vector<double>{1, 2}), 0).to_vector<double>() ==
        (std::vector<double>{3, 5}));
  CHECK_EQ(odd(4, 0), 9);
  const auto seven = GPUARR_LAMBDA([]() { return 7; });
  Array z = zeros(GPUARR_I32, {2});
  seven.run({z}, {});
  CHECK(z.to_vector<int32_t>() == (std::vector<int32_t>{7, 7}));
  CHECK_EQ(seven(), 7);
}

void in_expressions_and_reductions() {
  const Array x = Array::from(std::vector<double>{1, 2, 3, 4});
  const Expr twice = x + x;
  const Expr e = squared()(twice, x);
  CHECK((e + 1.0).to_vector<double>() == (std::vector<double>{2, 5, 10, 17}));
  const auto add = GPUARR_LAMBDA([](auto a, auto b) { return a + b; });
  const Reduction sum_of_squares = reduction(squared(), add, "0");
  CHECK_EQ(sum_of_squares(x, 1.0).item<double>(), 14.0);
  CHECK_EQ(sum_of_squares(zeros(GPUARR_F64, {0}), 1.0).item<double>(), 0.0);
  const auto larger = GPUARR_LAMBDA([](float a, float b) { return a > b ? a : b; });
  const auto narrow = GPUARR_LAMBDA([](double v) { return static_cast<float>(v); });
  const Array largest = reduction(narrow, larger)(x);
  CHECK_EQ(largest.dtype(), GPUARR_F32);
  CHECK_EQ(largest.item<float>(), 4.f);
}

void functions_of_a_preamble() {
  struct host {  // what the text calls is here by the same name
    static int half(int x) { return x / 2; }
  };
  const auto kernel = GPUARR_LAMBDA([](int x) { return host::half(x); });
  CHECK_EQ(kernel(9), 4);
  Options options;
  options.set(gpuarr_kernel_options_set_preamble,
              "struct host { static __device__ int half(int x) { return x / 2; } };");
  const Array z = kernel.with(options)(Array::from(std::vector<int32_t>{4, 9}));
  CHECK(z.to_vector<int32_t>() == (std::vector<int32_t>{2, 4}));
}

constexpr int limit = 3;

void names_of_the_program_are_refused_with_the_line() {
  const auto kernel = GPUARR_LAMBDA([](int x) { return x < limit ? x : limit; });
  const int line = __LINE__ - 1;
  CHECK_EQ(kernel(7), 3);
  CHECK_FAILS(GPUARR_ERR_COMPILE, "lambdas.cpp, line " + std::to_string(line),
              [&] { kernel(Array::from(std::vector<int32_t>{1})); });
}

}  // namespace

int main() {
  check::choose_device();
  of_one_dtype<float>();
  of_one_dtype<double>();
  of_one_dtype<int32_t>();
  of_one_dtype<int64_t>();
  parameters_with_types();
  commas_templates_and_no_parameters();
  in_expressions_and_reductions();
  functions_of_a_preamble();
  names_of_the_program_are_refused_with_the_line();
  return check::result();
}
