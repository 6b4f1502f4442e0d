// Expressions: what they are worth, how many kernels they become, where they go, what they refuse.
#include <complex>

#include "check.hpp"
#include "gpuarr_ops.hpp"

using namespace gpuarr;

namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Integers = std::vector<int64_t>;

static_assert(std::is_convertible_v<const Expr&, Array> && std::is_convertible_v<Array, Expr>);
static_assert(std::is_convertible_v<Expr, Arg> && std::is_convertible_v<double, Expr>);
static_assert(!std::is_convertible_v<std::string, Expr> && !std::is_convertible_v<Stream, Expr> &&
              !std::is_convertible_v<double, Array> && !std::is_constructible_v<Expr, void*>);
static_assert(std::is_nothrow_move_constructible_v<Expr> && sizeof(Expr) == sizeof(void*));
static_assert(std::is_same_v<decltype(Array() + 1), Expr>);

/// How many kernels they become.
template <class... E> int64_t kernels(const E&... x) { return check::kernels(explain(x...)); }

/// Runs an operator on what arrays and expressions can be combined with, and in a loop.
template <class F> void operates(F&& f) {
  const Doubles x{7, -3, 0.5, 12}, y{2, 3, 4, 1};
  const Array a = Array::from(x), b = Array::from(y);
  const Expr twice = a + a;
  Doubles wanted[4];
  for (std::size_t i = 0; i < x.size(); ++i) {
    wanted[0].push_back(static_cast<double>(f(2 * x[i], y[i])));
    wanted[1].push_back(static_cast<double>(f(x[i], 2 * x[i])));
    wanted[2].push_back(static_cast<double>(f(2 * x[i], 3.0)));
    wanted[3].push_back(static_cast<double>(f(3.0, 2 * x[i])));
  }
  const Array found[4] = {f(twice, b), f(a, twice), f(twice, 3.0), f(3.0, twice)};
  for (std::size_t k = 0; k < 4; ++k)
    CHECK_SAME(found[k].astype(GPUARR_F64).to_vector<double>(), wanted[k], 1e-15);
  CHECK_EQ(kernels(f(twice, f(a, twice))), 1);
}

void every_operator() {
  operates([](const auto& x, const auto& y) { return x + y; });
  operates([](const auto& x, const auto& y) { return x - y; });
  operates([](const auto& x, const auto& y) { return x * y; });
  operates([](const auto& x, const auto& y) { return x / y; });
  operates([](const auto& x, const auto& y) { return x < y; });
  operates([](const auto& x, const auto& y) { return x <= y; });
  operates([](const auto& x, const auto& y) { return x > y; });
  operates([](const auto& x, const auto& y) { return x >= y; });
  operates([](const auto& x, const auto& y) { return x == y; });
  operates([](const auto& x, const auto& y) { return x != y; });
  const Array x = Array::from(Integers{7, -3, 12});
  const Expr next = x + 1;
  CHECK_SAME((next % 5).to_vector<int64_t>(), (Integers{3, 3, 3}), 0);
  CHECK_SAME((next & 12).to_vector<int64_t>(), (Integers{8, 12, 12}), 0);
  CHECK_SAME((next | x).to_vector<int64_t>(), (Integers{15, -1, 13}), 0);
  CHECK_SAME((x ^ next).to_vector<int64_t>(), (Integers{15, 3, 1}), 0);
  CHECK_SAME((next << 2).to_vector<int64_t>(), (Integers{32, -8, 52}), 0);
  CHECK_SAME((next >> 1).to_vector<int64_t>(), (Integers{4, -1, 6}), 0);
  CHECK_SAME((-next).to_vector<int64_t>(), (Integers{-8, 2, -13}), 0);
  CHECK_SAME((+next).to_vector<int64_t>(), (Integers{8, -2, 13}), 0);
  CHECK_SAME((~next).to_vector<int64_t>(), (Integers{-9, 1, -14}), 0);
}

void dtypes_and_shapes() {
  const Array x = Array::from(Floats{1, 2, 3}), n = Array::from(Integers{1, 2}, {2, 1});
  CHECK_EQ((2.5 * x).dtype(), GPUARR_F32);  // numbers are weak
  CHECK_EQ((x * n).dtype(), GPUARR_F64);
  CHECK_EQ((n * 2.5).dtype(), GPUARR_F64);
  CHECK_EQ((x + std::complex<double>(0, 1)).dtype(), GPUARR_C64);
  CHECK_EQ((x > n).dtype(), GPUARR_BOOL);
  CHECK_EQ(mean(n).dtype(), GPUARR_F64);
  CHECK((x * n).shape() == (Shape{2, 3}) && (x * n).size() == 6);
  CHECK(sum(x * n, {0}).shape() == (Shape{3}) && sum(x * n, {1}, true).shape() == (Shape{2, 1}));
  CHECK(sum(x).shape().empty() && sum(x).size() == 1);
  CHECK_SAME((x * n).to_vector<double>(), (Doubles{1, 2, 3, 2, 4, 6}), 0);
  CHECK_SAME(Expr(x).astype(GPUARR_I64).to_vector<int64_t>(), (Integers{1, 2, 3}), 0);
  const Expr none;
  CHECK(none == nullptr && none.dtype() == 0 && none.shape().empty() && none.size() == 0);
}

void functions() {
  const Array x = Array::from(Floats{0.25f, 4});
  CHECK_EQ(kernels(exp(log(sqrt(x)))), 1);
  CHECK_SAME(exp(log(sqrt(x))).to_vector<float>(), (Floats{0.5, 2}), 1e-6);
  CHECK_SAME(where(x + 1 > 2, x * 2, 0).to_vector<float>(), (Floats{0, 8}), 0);
  CHECK_SAME(clip(x * 2, 1, 2).to_vector<float>(), (Floats{1, 2}), 0);
  CHECK_SAME(clip(x * 2, {}, 2).to_vector<float>(), (Floats{0.5, 2}), 0);
  CHECK_SAME(round(x + 0.01, 1).to_vector<float>(), (Floats{0.3f, 4}), 1e-6);
  CHECK_SAME(power(x + 0, 2).to_vector<float>(), (Floats{0.0625, 16}), 0);
  CHECK_EQ(sum(isclose(x * 2, 0.5, 0, 1e-3)).item<int64_t>(), 1);
  const auto [quotient, rest] = divmod(x * 2, 3);
  CHECK_EQ(kernels(quotient, rest), 1);
  const auto [whole_part, left] = evaluate(quotient, rest);
  CHECK_SAME(whole_part.to_vector<float>(), (Floats{0, 2}), 0);
  CHECK_SAME(left.to_vector<float>(), (Floats{0.5, 2}), 0);
}

void reductions() {
  const Array x = Array::from(Floats{1, 2, 3, 4, 5, 9}, {2, 3});
  CHECK_EQ(kernels(sum(square(x - 1))), 1);
  CHECK_EQ(sum(square(x - 1)).item<float>(), 94.0f);
  CHECK_SAME(max(-x, {0}).to_vector<float>(), (Floats{-1, -2, -3}), 0);
  CHECK_SAME(argmax(x * x, {-1}).to_vector<int64_t>(), (Integers{2, 2}), 0);
  CHECK_SAME(var(x + 1, 1.0, {1}).to_vector<float>(), (Floats{1, 7}), 1e-6);
  CHECK_SAME(stddev(x, 0.0, {0}).to_vector<float>(), (Floats{1.5, 1.5, 3}), 1e-6);
  CHECK_SAME(norm(x, 1, {1}).to_vector<float>(), (Floats{6, 18}), 0);
  CHECK_SAME(norm(-x, INFINITY, {1}, true).to_vector<float>(), (Floats{3, 9}), 0);
  CHECK_EQ(norm(Array::from(Floats{3, 4}), 2).item<float>(), 5.0f);
  CHECK(any(x > 8).item<bool>() && !all(x > 8).item<bool>());
  const Array rows = ones(GPUARR_F32, {2, 40});  // long enough to be one kernel on the CPU
  const Expr e = exp(rows - max(rows, {-1}, true)), softmax = e / sum(e, {-1}, true);
  CHECK_EQ(kernels(softmax), 1);
  CHECK_SAME(sum(softmax, {-1}).to_vector<float>(), (Floats{1, 1}), 1e-6);
}

void views() {
  const Array x = Array::from(Floats{1, 2, 3, 4, 5, 6}, {2, 3});
  const Expr twice = x * 2;
  CHECK_SAME(twice.slice(1, 0, GPUARR_NONE, 2).to_vector<float>(), (Floats{2, 6, 8, 12}), 0);
  CHECK_SAME(twice.select(0, -1).to_vector<float>(), (Floats{8, 10, 12}), 0);
  CHECK_SAME(twice.transpose().to_vector<float>(), (Floats{2, 8, 4, 10, 6, 12}), 0);
  CHECK_SAME(twice.transpose({0, 1}).to_vector<float>(), twice.to_vector<float>(), 0);
  CHECK(twice.reshape({-1}).shape() == (Shape{6}));
  CHECK_SAME(sum(x, {0}).broadcast({2, 3}).to_vector<float>(), (Floats{5, 7, 9, 5, 7, 9}), 0);
  CHECK(expand(twice, 1).shape() == (Shape{2, 1, 3}));
  CHECK_SAME(flip(twice).to_vector<float>(), (Floats{12, 10, 8, 6, 4, 2}), 0);
  CHECK_SAME(flip(twice, {1}).to_vector<float>(), (Floats{6, 4, 2, 12, 10, 8}), 0);
  const Expr steps = x.slice(1, 1) - x.slice(1, 0, -1);
  CHECK_EQ(kernels(steps), 1);
  CHECK_SAME(steps.to_vector<float>(), (Floats{1, 1, 1, 1}), 0);
}

/// An expression of arrays that only it knows.
auto made_elsewhere() {
  const Array x = Array::from(Floats{1, 2}), y = Array::from(Floats{10, 20});
  const auto sum_of_both = x + y;
  return 2 * sum_of_both;
}

void owns_what_it_refers_to() {
  const auto z = made_elsewhere();
  CHECK_SAME(z.to_vector<float>(), (Floats{22, 44}), 0);
  Array x = Array::from(Floats{1, 2});
  auto e = x + 1, again = e;
  Expr taken = std::move(e);
  x.fill(5);  // an array counts as it is when it is computed
  CHECK_SAME(again.to_vector<float>(), (Floats{6, 6}), 0);
  x = Array::from(Floats{0, 0});  // another array, not that of the expression
  CHECK_SAME(taken.to_vector<float>(), (Floats{6, 6}), 0);
  taken = 2 * taken;
  CHECK_SAME(taken.to_vector<float>(), (Floats{12, 12}), 0);
  CHECK_SAME(again.to_vector<float>(), (Floats{6, 6}), 0);
}

void is_deep() {
  const Array x = Array::from(Integers{1, 2});
  Expr e = x;
  for (int k = 0; k < 10000; ++k) e = e + k;
  CHECK(kernels(e) > 1);
  Expr less = x;
  for (int k = 0; k < 1000; ++k) less += k;
  CHECK_SAME(less.to_vector<int64_t>(), (Integers{499501, 499502}), 0);
}

void multiplies_matrices() {
  const Array x = Array::from(Floats{1, 2, 3, 4}, {2, 2}), b = Array::from(Floats{-30, -10});
  const Expr product = matmul(x + 1, x), relu = maximum(product + b, 0.0);
  CHECK_EQ(kernels(relu), 3);
  CHECK_SAME(relu.to_vector<float>(), (Floats{0, 6, 0, 18}), 0);
  CHECK_EQ(kernels(maximum(matmul(Expr(x), x.transpose()) + b, 0)), 2);
  CHECK_SAME(matmul(x, x * 2).to_vector<float>(), (Floats{14, 20, 30, 44}), 0);
  CHECK_SAME(matmul(x, x).to_vector<float>(), (Floats{7, 10, 15, 22}), 0);  // at once
  static_assert(std::is_same_v<decltype(matmul(x, x)), Array>);
  static_assert(std::is_same_v<decltype(matmul(x, relu)), Expr>);
  const Array eager = matmul(x + 1, x, GPUARR_MATMUL_TF32);
  CHECK_EQ(eager.size(), 4);
  CHECK_FAILS(GPUARR_ERR_SHAPE, "in matmul(add(...): float32 (2,), float32 ())",
              [&] { matmul(b + 1, x.select(0, 0).select(0, 0)); });
}

void knows_indices() {
  const Array x = Array::from(Floats{5, 6, 7, 8}), wide = Array::from(Floats{1, 2, 3, 4}, {2, 2});
  CHECK_SAME(indices(x).to_vector<int64_t>(), (Integers{0, 1, 2, 3}), 0);
  const Expr weighed = sum(x * indices(x));
  CHECK_EQ(kernels(weighed), 1);
  CHECK_SAME(weighed.to_vector<double>(), (std::vector<double>{44}), 0);
  CHECK_SAME((wide + 10 * indices(wide + 1, -1)).to_vector<double>(),
             (std::vector<double>{1, 12, 3, 14}), 0);
  CHECK_FAILS(GPUARR_ERR_AXIS, "in indices(float32 (4,))", [&] { indices(x, 1); });
}

Array doubled(const Array& x) { return x + x; }

void stands_for_an_array() {
  const Array x = Array::from(Floats{1, 2, 3}), y = Array::from(Floats{3, 2, 1});
  Array z = (x - y) * (x - y);
  CHECK_EQ(kernels((x - y) * (x - y)), 1);
  CHECK_SAME(z.to_vector<float>(), (Floats{4, 0, 4}), 0);
  z = x + y;
  const Array &bound = x * y, braced{x * 2};
  CHECK_SAME(bound.to_vector<float>(), (Floats{3, 4, 3}), 0);
  CHECK_SAME(braced.to_vector<float>(), (Floats{2, 4, 6}), 0);
  CHECK_SAME(doubled(x * y).to_vector<float>(), (Floats{6, 8, 6}), 0);
  CHECK_SAME(matmul(x + 0, y * 1).to_vector<float>(), (Floats{10}), 0);
  CHECK(concatenate({x, x + 1}).size() == 6 && allclose(x + 1e-7, x));
  CHECK_SAME(sort(x * y).to_vector<float>(), (Floats{3, 3, 4}), 0);
  CHECK_SAME((x + 1).copy().to_vector<float>(), (Floats{2, 3, 4}), 0);
  CHECK_SAME((x + 1).to_device({}).to_vector<float>(), (Floats{2, 3, 4}), 0);
  float first[3];
  (x + 1).read(first, 3);
  CHECK_EQ(first[2], 4.0f);
  into(z, gpuarr_sqrt, x * x);  // C functions, too
  CHECK_SAME(z.to_vector<float>(), (Floats{1, 2, 3}), 0);
  CHECK_EQ(get<Array>(gpuarr_array_squeeze, expand(x + 1, 0), 0, nullptr).size(), 3);
  CHECK_EQ(get<Expr>(gpuarr_expr_expand, x + 1, 0).shape().size(), 2U);
}

void is_an_argument() {
  const Array x = Array::from(Floats{1, 2, 3});
  const Elementwise plus("T x, T y", "T z", "z = x + y");
  const Expr twice = 2 * x;
  Array z;
  CHECK_SAME(plus(twice, twice).to_vector<float>(), (Floats{4, 8, 12}), 0);
  plus.run({z}, {x + 1, 1.0});
  CHECK_SAME(z.to_vector<float>(), (Floats{3, 4, 5}), 0);
  const Reduction total("T x", "T y", "x", "a + b", "y = a", "0");
  CHECK_EQ(total(twice).item<float>(), 12.0f);
  place(z, z > 4, 10 * x.slice(0, 0, 1));
  CHECK_SAME(z.to_vector<float>(), (Floats{3, 4, 10}), 0);
  apply({z}, "negative", {twice}, twice > 3);
  CHECK_SAME(z.to_vector<float>(), (Floats{3, -4, -6}), 0);
  CHECK_EQ(result_type({twice, 1}), GPUARR_F32);
  const Elementwise many("T a, T b, T c, T d, T e, T f, T g, T h, T k", "T z",
                         "z = a + b + c + d + e + f + g + h + k");
  CHECK_SAME(many(x, 1, x, 1, twice, 1, x, 1, x + 1).to_vector<float>(), (Floats{11, 17, 23}), 0);
}

void several_at_once() {
  const Array x = Array::from(Floats{1, 2, 3, 6});
  CHECK_EQ(kernels(sum(x), sum(x * x), min(x), max(x)), 1);
  const auto [average, spread, least, most] = evaluate(mean(x), var(x, 0.0), min(x), max(x));
  CHECK_EQ(average.item<float>(), 3.0f);
  CHECK_EQ(spread.item<float>(), 3.5f);
  CHECK_EQ(least.item<float>(), 1.0f);
  CHECK_EQ(most.item<float>(), 6.0f);
  const auto [same, plus] = evaluate(x, x + 1);
  CHECK(same.data() != x.data());
  CHECK_SAME(plus.to_vector<float>(), (Floats{2, 3, 4, 7}), 0);
  const Array alone = evaluate(x + 1);
  CHECK(array_equal(alone, plus));
}

void into_arrays() {
  Array x = Array::from(Floats{1, 2, 3, 4}), y = Array::from(Floats{5, 6, 7, 8}), fresh;
  const void* data = x.data();
  evaluate_into({x, y, fresh}, {y, x, x * y});  // all are read before one is written
  CHECK_SAME(x.to_vector<float>(), (Floats{5, 6, 7, 8}), 0);
  CHECK_SAME(y.to_vector<float>(), (Floats{1, 2, 3, 4}), 0);
  CHECK_SAME(fresh.to_vector<float>(), (Floats{5, 12, 21, 32}), 0);
  const Stream stream{Device()};
  evaluate_into({x}, {x / sum(x)}, stream);
  stream.synchronize();
  CHECK_SAME((26 * x).to_vector<float>(), (Floats{5, 6, 7, 8}), 1e-6);
  CHECK(x.data() == data);
  x += y * y;
  x -= 26 * x - x;
  CHECK(x.data() == data);
  y.slice(0, 1) *= y.slice(0, 0, -1) + 1;  // a view, which overlaps
  CHECK_SAME(y.to_vector<float>(), (Floats{1, 4, 9, 16}), 0);
}

void assigns_to_views() {
  const Array x = zeros(GPUARR_F32, {2, 4}), y = Array::from(Integers{1, 2, 3, 4});
  x.slice(1, 0, GPUARR_NONE, 2).assign(10 * y.slice(0, 0, 2));  // broadcast and converted
  CHECK_SAME(x.to_vector<float>(), (Floats{10, 0, 20, 0, 10, 0, 20, 0}), 0);
  x.select(0, 1).assign(x.select(0, 0) + y);
  CHECK_SAME(x.select(0, 1).to_vector<float>(), (Floats{11, 2, 23, 4}), 0);
  x.assign(sum(x, {1}, true));
  CHECK_SAME(x.to_vector<float>(), (Floats{30, 30, 30, 30, 40, 40, 40, 40}), 0);
  y.assign(2.5 * x.select(0, 0) / 2);  // by C's rules, as astype
  CHECK_SAME(y.to_vector<int64_t>(), (Integers{37, 37, 37, 37}), 0);
}

void changes_names() {
  const Array x = Array::from(Integers{6, 7});
  auto e = x + 0;
  const Expr before = e;
  e += x;
  e *= 3;
  e -= 1;
  CHECK_SAME(e.to_vector<int64_t>(), (Integers{35, 41}), 0);
  CHECK_SAME(before.to_vector<int64_t>(), (Integers{6, 7}), 0);
  CHECK_SAME(x.to_vector<int64_t>(), (Integers{6, 7}), 0);
}

void refused() {
  const Array x = Array::from(Floats{1, 2}), y = Array::from(Floats{1, 2, 3}), none;
  const Expr empty_one;
  Array z, ints = Array::from(Integers{1, 2});
  CHECK_FAILS(GPUARR_ERR_BROADCAST,
              "gpuarr_expr_apply: y has shape (3,), which does not broadcast with (2,); in "
              "subtract(float32 (2,), float32 (3,))",
              [&] { x - y; });
  CHECK_FAILS(GPUARR_ERR_BROADCAST, "in add(multiply(...): float32 (2,), float32 (3,))",
              [&] { x* x + y; });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "bool", [&] { -(x > 1); });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "float32", [&] { (x + 1) << 1; });
  CHECK_FAILS(GPUARR_ERR_AXIS, "in mean(add(...): float32 (2,))", [&] { mean(x + 1, {1}); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "x is a scalar", [] { sum(1); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "ord is 3", [&] { norm(x, 3); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "array is NULL", [&] { none + 1; });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "x is left out", [&] { empty_one + 1; });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "exprs[0] is NULL", [&] { z = empty_one; });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "exprs[0] is a scalar", [&] { z = Expr(1); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "NULL", [&] { none.assign(x + 1); });
  CHECK_FAILS(GPUARR_ERR_AXIS, "axis is 1", [&] { (x + 1).slice(1, 0); });
  CHECK_FAILS(GPUARR_ERR_BROADCAST, "(3,)", [&] { x.assign(y + 1); });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "outputs[0] has shape (1,)", [&] { x.slice(0, 1) += x; });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "outputs[0] is int64", [&] { ints *= 0.5; });
  CHECK_FAILS(GPUARR_ERR_OVERLAP, "share memory", [&] {
    evaluate_into({ints, ints}, {ints, ints});
  });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "1 outputs for 2 expressions", [&] {
    evaluate_into({z}, {x, x});
  });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "float64 is asked for", [&] { (x + 1).to_vector<double>(); });
  CHECK(z == nullptr);
}

void explains() {
  const Array x = ones(GPUARR_F32, {8, 16});
  CHECK_EQ(explain(mean(square(x))),
           "kernel 1: reduction of (8, 16) over axes (0, 1): mean; 1 operations; reads 1 "
           "arrays, 512 bytes; writes 1, 4 bytes\n"
           "  stores mean(...): float32 (): a result\n"
           "1 kernels move 516 bytes; one call after another would move 1540\n");
}

}  // namespace

int main() {
  check::choose_device();
  every_operator();
  dtypes_and_shapes();
  functions();
  reductions();
  views();
  owns_what_it_refers_to();
  is_deep();
  multiplies_matrices();
  knows_indices();
  stands_for_an_array();
  is_an_argument();
  several_at_once();
  into_arrays();
  assigns_to_views();
  changes_names();
  refused();
  explains();
  return check::result();
}
