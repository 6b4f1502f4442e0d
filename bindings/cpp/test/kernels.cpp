// Elementwise kernels, reductions and raw kernels, against loops.
#include <algorithm>
#include <complex>

#include "check.hpp"

using namespace gpuarr;

namespace {

/// A random view of random elements that broadcasts to a shape, and its elements there.
struct Operand {
  explicit Operand(const Shape& shape) {
    Shape own = shape;
    for (int64_t& extent : own)
      if (check::random(4) == 0) extent = 1;
    const auto missing = check::random(static_cast<int64_t>(own.size()) + 1);
    if (check::random(2) == 0) own.erase(own.begin(), own.begin() + missing);
    const Shape reversed(own.rbegin(), own.rend());
    if (check::random(2) == 0)
      array = Array::from(check::random_elements<double>(own), own);
    else
      array = Array::from(check::random_elements<double>(reversed), reversed).transpose();
    elements = array.broadcast(shape).to_vector<double>();
  }
  Array array;
  std::vector<double> elements;
};

void random_shapes() {
  const Elementwise kernel("T x, T y, T s", "T sum, T product",
                           "sum = x + s * y; product = x * y;");
  for (int round = 0; round < 20; ++round) {
    const Shape shape = check::random_shape(4, 7);
    const Operand x(shape), y(shape);
    const Array at_full_shape = zeros(GPUARR_F64, shape);
    std::vector<double> sum, product;
    for (std::size_t i = 0; i < x.elements.size(); ++i) {
      sum.push_back(x.elements[i] + 3 * y.elements[i]);
      product.push_back(x.elements[i] * y.elements[i]);
    }
    Array given = empty(GPUARR_F64, shape), made;
    kernel.run({given, made}, {x.array, y.array, 3});
    CHECK_SAME(given.to_vector<double>(), sum, 0);
    CHECK_SAME(made.to_vector<double>(), product, 0);
  }
}

void results_that_are_made() {
  Elementwise squared("T x, T y", "T z", "z = (x - y) * (x - y)");
  Array x = Array::from(std::vector<float>{1, 2, 3});
  CHECK(squared(x, 1).to_vector<float>() == (std::vector<float>{0, 1, 4}));
  CHECK(squared(x, x).dtype() == GPUARR_F32);
  CHECK(squared(Array::from(std::vector<std::complex<double>>{{0, 1}}), 0)
            .item<std::complex<double>>() == -1.0);

  Array z;
  Elementwise numbers("", "int64 z", "z = i * i");
  numbers.run({z}, {}, {}, 4);
  CHECK(z.to_vector<int64_t>() == (std::vector<int64_t>{0, 1, 4, 9}));

  // more outputs than there is room for at hand
  Array a, b, c, d, e, f, g, h, i;
  Elementwise nine("T x", "T a, T b, T c, T d, T e, T f, T g, T h, T k",
                   "a = x; b = 2 * x; c = d = e = f = g = x; h = 8 * x; k = 9 * x;");
  nine.run({a, b, c, d, e, f, g, h, i}, {x});
  CHECK(a.to_vector<float>() == x.to_vector<float>());
  CHECK(i.to_vector<float>() == (std::vector<float>{9, 18, 27}));

  // in place; an output that is a temporary view
  Elementwise twice("T x", "T x", "x *= 2");
  Array part = x.slice(0, 1);
  twice.run({part}, {part});
  CHECK(x.to_vector<float>() == (std::vector<float>{1, 4, 6}));
}

void prepared() {
  Elementwise scaled("T x, T s", "T z", "z = x * s");
  Array x = Array::from(std::vector<int32_t>{1, 2}), z = zeros(GPUARR_I32, {2});
  Call call = scaled.prepare({z}, {x, 2});
  call.launch();
  CHECK(z.to_vector<int32_t>() == (std::vector<int32_t>{2, 4}));
  call.set(1, 5);
  x.reset();
  call.launch(Stream());
  CHECK(z.to_vector<int32_t>() == (std::vector<int32_t>{5, 10}));
}

void options_and_texts() {
  Options options;
  options.set(gpuarr_kernel_options_set_name, "named")
      .set(gpuarr_kernel_options_set_preamble, "/* \"\u00fcber\" */ constexpr int offset = 40;")
      .set(gpuarr_kernel_options_add, "-DTWO=2");
  Elementwise kernel("T x", "T z", "/* \u4e2d \"quoted\" '\\' */ z = x + offset + TWO", options);
  Options moved = std::move(options);
  CHECK(options == nullptr && moved != nullptr);
  CHECK_EQ(kernel(Array::from(std::vector<int32_t>{1})).item<int32_t>(), 43);
}

void own_reductions() {
  const std::string numbers = "T x, T y";
  Reduction mse(numbers, "float64 z", "(x - y) * (x - y)", "a + b", "z = a / n", "0");
  for (int round = 0; round < 10; ++round) {
    Shape shape = check::random_shape(2, 9);
    shape.push_back(check::random(9) + 1);
    const auto x = check::random_elements<float>(shape), y = check::random_elements<float>(shape);
    double all = 0;
    std::vector<double> along_last;
    for (std::size_t i = 0, last = static_cast<std::size_t>(shape.back()); i < x.size(); ++i) {
      const double square = (x[i] - y[i]) * (x[i] - y[i]);
      if (i % last == 0) along_last.push_back(0);
      along_last.back() += square / static_cast<double>(x.size());
      all += square / static_cast<double>(x.size());
    }
    Array a = Array::from(x, shape), b = Array::from(y, shape), kept;
    CHECK(std::abs(mse(a, b).item<double>() - all) <= 1e-12 * all);
    mse.run({kept}, {a, b}, {-1}, true);
    CHECK_EQ(kept.shape().size(), shape.size());
    CHECK_SAME(kept.to_vector<double>(), along_last, 1e-12);
  }
}

void ready_made() {
  Array x = Array::from(std::vector<float>{3, -1, 0, NAN, 5, 2}, {2, 3});
  Array y = x.select(0, 0), whole = Array::from(std::vector<int32_t>{1, 2, 3, 4});
  CHECK(sum(y).item<float>() == 2 && prod(y).item<float>() == 0);
  CHECK(min(y).item<float>() == -1 && max(y).item<float>() == 3);
  CHECK(argmin(y).item<int64_t>() == 1 && argmax(y).item<int64_t>() == 0);
  CHECK(any(y).dtype() == GPUARR_BOOL && all(y).astype(GPUARR_I32).item<int32_t>() == 0);
  CHECK(count_nonzero(y).item<int64_t>() == 2);
  CHECK(nansum(x).item<float>() == 9 && nanmin(x).item<float>() == -1 &&
        nanmax(x).item<float>() == 5);
  CHECK(sum(x, {0}).shape() == Shape{3} && sum(x, {0}, true).shape() == (Shape{1, 3}));
  CHECK(sum(whole).item<int64_t>() == 10 && mean(whole).item<double>() == 2.5);
  CHECK_SAME(var(whole, 0).to_vector<double>(), std::vector<double>{1.25}, 1e-15);
  CHECK_SAME(var(whole, 1).to_vector<double>(), std::vector<double>{5.0 / 3}, 1e-15);
  CHECK_SAME(stddev(whole, 0, {0}).to_vector<double>(), std::vector<double>{std::sqrt(1.25)},
             1e-15);
  CHECK(norm(y, 1).item<float>() == 4 && norm(y, INFINITY).item<float>() == 3);
  CHECK(dot(whole, whole).item<int64_t>() == 30);
  CHECK(std::abs(logsumexp(y.astype(GPUARR_F64)).item<double>() -
                 std::log(std::exp(3) + std::exp(-1) + 1)) < 1e-12);
}

void raw_kernels() {
  Module module(R"(
    #include <gpuarr.cuh>
    template <class T> __global__ void scale(T a, const T* x, T* y, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] = a * x[i];
    }
    struct Pair { int a, b; };
    __global__ void outer(gpuarr_view<float, 2> x, Pair pair) {
      x(blockIdx.y, threadIdx.x) = 10 * blockIdx.y + threadIdx.x + pair.a * pair.b;
    }
    __global__ void reversed(float* x) {
      extern __shared__ float shared[];
      shared[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      x[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
    })");
  Raw scale = module.kernel("scale<float>"), outer = module.kernel("outer"),
      reversed = module.kernel("reversed");
  module.reset();
  Array x = Array::from(std::vector<float>{1, 2, 3}), y = zeros(GPUARR_F32, {3});
  scale.launch(2, 2, {2.f, x, y, 3});
  CHECK(y.to_vector<float>() == (std::vector<float>{2, 4, 6}));
  reversed.launch(1, 3, {y}, {}, 3 * sizeof(float));
  CHECK(y.to_vector<float>() == (std::vector<float>{6, 4, 2}));
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "shared",
              [&] { reversed.launch(1, 3, {y}, {}, int64_t{1} << 40); });
  Array columns = zeros(GPUARR_F32, {2, 3}).transpose();
  struct {
    int a, b;
  } pair{20, 5};
  outer.launch({1, 3}, 2, {gpuarr_arg_view(columns), gpuarr_arg_bytes(&pair, sizeof pair)});
  CHECK(columns.to_vector<float>() == (std::vector<float>{100, 101, 110, 111, 120, 121}));
  CHECK_EQ(std::string(get<const char*>(gpuarr_raw_signature, outer, nullptr)).substr(0, 6),
           "outer(");
}

}  // namespace

int main() {
  check::choose_device();
  random_shapes();
  results_that_are_made();
  prepared();
  options_and_texts();
  own_reductions();
  ready_made();
  raw_kernels();
  return check::result();
}
