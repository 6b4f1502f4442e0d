// Kernels of one's own, and scans, as parts of expressions: against loops, and what is refused.
#include "check.hpp"
#include "gpuarr_ops.hpp"

using namespace gpuarr;

namespace {

using Floats = std::vector<float>;
using Integers = std::vector<int64_t>;

template <class F, class... A> using Result = std::invoke_result_t<const F&, const A&...>;
static_assert(std::is_same_v<Result<Elementwise, Array, int>, Array>);
static_assert(std::is_same_v<Result<Elementwise, Array, Expr>, Expr>);
static_assert(std::is_same_v<Result<Reduction, Array>, Array>);
static_assert(std::is_same_v<Result<Reduction, Expr, float>, Expr>);
static_assert(std::is_same_v<decltype(cumsum(Array())), Array>);
static_assert(std::is_same_v<decltype(cumsum(Expr())), Expr>);

/// How many kernels they become.
template <class... E> int64_t kernels(const E&... x) { return check::kernels(explain(x...)); }

const char* const difference = "z = (x - y) * (x - y)";

template <class T> void joins_expressions() {
  const Elementwise squared("T x, T y", "T z", difference);
  for (int round = 0; round < 10; ++round) {
    const check::Both<T> x(check::random_shape(3, 6)), y(x.shape);
    const auto of_half = squared(2 * x.array, y.array) + 1;
    CHECK_EQ(kernels(of_half), 1);
    CHECK_EQ(of_half.dtype(), dtype_of<T>());
    CHECK_SAME(
        of_half.template to_vector<T>(),
        check::over<T>(x.shape,
                       [&](const Shape& i) { return (2 * x(i) - y(i)) * (2 * x(i) - y(i)) + 1; }),
        0);
    T total = 0;
    for (const T value : of_half.template to_vector<T>()) total += value;
    const auto whole = sum(of_half);
    CHECK_EQ(kernels(whole), 1);
    CHECK_SAME(Expr(whole).astype(dtype_of<T>()).template to_vector<T>(), (std::vector<T>{total}),
               1e-5);
  }
}

void takes_numbers_and_arrays() {
  const Elementwise scaled("T x, T a, T b", "T z", "z = a * x + b");
  const Array x = Array::from(Floats{1, 2, 3}), ones3 = ones(GPUARR_F32, {3});
  const auto e = scaled(x, x + 1, 0.5) + scaled(x + 0, 2, ones3);
  CHECK_EQ(e.dtype(), GPUARR_F32);
  CHECK_EQ(kernels(e), 1);
  CHECK_SAME(e.to_vector<float>(), (Floats{5.5, 11.5, 19.5}), 0);
  CHECK_SAME(scaled(x, 2, 1).to_vector<float>(), (Floats{3, 5, 7}), 0);  // at once
}

void has_several_outputs() {
  const Elementwise both("T x", "T s, T c", "s = x + 1; c = x * x");
  const Array x = Array::from(Floats{1, 2, 3});
  const auto [next, square] = both.expr<2>({2 * x});
  const auto ratio = square / next;
  CHECK_EQ(kernels(ratio), 1);
  CHECK_SAME(ratio.to_vector<float>(), (Floats{4.0f / 3, 16.0f / 5, 36.0f / 7}), 1e-6);
  CHECK_EQ(kernels(next, square), 1);
  const Reduction ends("T x", "T low, T high", "x", "a + b", "low = a; high = 2 * a", "0");
  const auto [low, high] = ends.expr<2>({x + 1});
  CHECK_EQ((low + high).item<float>(), 27.0f);
}

void runs_alone_if_it_has_to() {
  const Elementwise numbered("T x", "T z", "z = x + i");
  const Array x = Array::from(Floats{1, 2, 3});
  const auto e = 2 * numbered(10 * x);
  CHECK_EQ(kernels(e), 3);
  CHECK_SAME(e.to_vector<float>(), (Floats{20, 42, 64}), 0);
}

void reduces() {
  const Reduction mse("T x, T y", "float64 z", "(x - y) * (x - y)", "a + b", "z = a / n", "0");
  for (int round = 0; round < 10; ++round) {
    Shape shape = check::random_shape(2, 9);
    shape.push_back(check::random(9) + 1);
    const check::Both<float> x(shape), y(shape);
    double all = 0;
    const int64_t rows = x.array.size() / shape.back();
    std::vector<double> of_row(static_cast<std::size_t>(rows), 0);
    for (std::size_t k = 0; k < x.values.size(); ++k) {
      const double d = 2 * x.values[k] - y.values[k];
      all += d * d / static_cast<double>(x.values.size());
      of_row[k / static_cast<std::size_t>(shape.back())] += d * d / double(x.values.size());
    }
    const auto whole = sqrt(mse(2 * x.array, y.array)), rooted = mse.expr({2 * x.array, y.array});
    CHECK_EQ(kernels(whole), 1);
    CHECK_SAME(whole.to_vector<double>(), (std::vector<double>{std::sqrt(all)}), 1e-12);
    CHECK_SAME(rooted.to_vector<double>(), (std::vector<double>{all}), 1e-12);
    const auto kept = mse.expr({2 * x.array, y.array}, {-1}, true);
    CHECK_EQ(kept.shape().size(), shape.size());
    CHECK_SAME((kept + 0.0).to_vector<double>(), of_row, 1e-12);
    CHECK(mse.expr({2 * x.array, y.array}, {-1}).shape() == Shape(shape.begin(), shape.end() - 1));
  }
}

void is_kept_by_what_is_made_of_it() {
  const auto make = [] {
    const Elementwise twice("T x", "T z", "z = 2 * x");
    const Reduction total("T x", "T y", "x", "a + b", "y = a", "0");
    return total(twice(Array::from(Floats{1, 2, 3}) + 1));
  };
  CHECK_EQ(make().item<float>(), 18.0f);
}

/// What a scan gives along the last axis, by a loop.
template <class F> Integers scanned(const check::Both<int64_t>& x, bool exclusive, F&& f) {
  Integers results;
  const auto row = static_cast<std::size_t>(x.shape.back());
  int64_t last = 0;
  for (std::size_t k = 0; k < x.values.size(); ++k) {
    const int64_t value = 3 * x.values[k] - 100;
    const bool first = k % row == 0;
    const int64_t so_far = first ? value : f(last, value);
    results.push_back(!exclusive ? so_far : first ? f(0, 0) : last);
    last = so_far;
  }
  return results;
}

void scans() {
  const auto plus = [](int64_t x, int64_t y) { return x + y; };
  const auto least = [](int64_t x, int64_t y) { return x < y ? x : y; };
  const auto most = [](int64_t x, int64_t y) { return x < y ? y : x; };
  for (int round = 0; round < 10; ++round) {
    Shape shape = check::random_shape(2, 5);
    shape.push_back(check::random(9) + 1);
    const check::Both<int64_t> x(shape);
    const auto e = 3 * x.array - 100;
    CHECK_EQ(kernels(cumsum(e)), 1);
    CHECK_SAME(cumsum(e).to_vector<int64_t>(), scanned(x, false, plus), 0);
    CHECK_SAME(cumsum(e, -1, true).to_vector<int64_t>(), scanned(x, true, plus), 0);
    CHECK_SAME(cummin(e).to_vector<int64_t>(), scanned(x, false, least), 0);
    CHECK_SAME(cummax(e).to_vector<int64_t>(), scanned(x, false, most), 0);
    CHECK_SAME((cumsum(e) + e).to_vector<int64_t>(),
               (Array(cumsum(Array(e))) + e).to_vector<int64_t>(), 0);
  }
  const Array x = Array::from(Integers{1, 2, 3, 4}, {2, 2});
  CHECK_SAME(cumprod(x + 1, 0).to_vector<int64_t>(), (Integers{2, 3, 8, 15}), 0);
  CHECK_SAME(cumprod(x, 0).to_vector<int64_t>(), (Integers{1, 2, 3, 8}), 0);
}

void refused() {
  const Array x = Array::from(Floats{1, 2}), y = Array::from(Floats{1, 2, 3}), none;
  Elementwise squared("T x, T y", "T z", difference);
  const Elementwise ints("int32 x", "int32 z", "z = x");
  Reduction total("T x", "T y", "x", "a + b", "y = a");
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "output_count is 2, but the kernel has 1 outputs", [&] {
    squared.expr<2>({x, x});
  });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "there are 1 operands, but elementwise takes 2",
              [&] { squared(x + 1); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "there are 3 operands", [&] { squared(x + 1, x, x); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "operands[1] is NULL", [&] { squared(x + 1, Expr()); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "array is NULL", [&] { squared(x + 1, none); });
  CHECK_FAILS(GPUARR_ERR_BROADCAST, "(3,)", [&] { squared(x + 1, y); });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "float32", [&] { ints(x + 1); });
  CHECK_FAILS(GPUARR_ERR_AXIS, "axes[0] is 1", [&] { total.expr({x + 1}, {1}); });
  CHECK_FAILS(GPUARR_ERR_EMPTY, "identity", [&] { total(x.slice(0, 0, 0) + 1); });
  CHECK_FAILS(GPUARR_ERR_AXIS, "axis is 1", [&] { cumsum(x + 1, 1); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "x is a scalar", [] { cumsum(Expr(1)); });
  squared.reset();
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "kernel is NULL", [&] { squared(x + 1, x); });
}

}  // namespace

int main() {
  check::choose_device();
  joins_expressions<float>();
  joins_expressions<double>();
  joins_expressions<int32_t>();
  takes_numbers_and_arrays();
  has_several_outputs();
  runs_alone_if_it_has_to();
  reduces();
  is_kept_by_what_is_made_of_it();
  scans();
  refused();
  return check::result();
}
