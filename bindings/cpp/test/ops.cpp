// Functions and operators of elements.
#include <complex>

#include "check.hpp"
#include "gpuarr_elementwise.hpp"

using namespace gpuarr;

namespace {

using Floats = std::vector<float>;
using Integers = std::vector<int64_t>;

/// Runs an operator on arrays, an array and a number, or a number and an array, and in a loop.
template <class F> void operates(int round, F&& f) {
  const Integers x{7, -3, 0, 12}, y{2, 3, 5, 1};
  const Array a = Array::from(x), b = Array::from(y);
  const int64_t number = 3;
  Array z;
  Integers wanted;
  for (std::size_t i = 0; i < x.size(); ++i)
    wanted.push_back(round == 0 ? f(x[i], y[i]) : round == 1 ? f(x[i], number) : f(number, y[i]));
  z = round == 0 ? f(a, b) : round == 1 ? f(a, number) : f(number, b);
  CHECK_SAME(z.astype(GPUARR_I64).to_vector<int64_t>(), wanted, 0);
}

void every_operator() {
  operates(0, [](auto& x, auto& y) { return x + y; });
  operates(1, [](auto& x, auto& y) { return x - y; });
  operates(2, [](auto& x, auto& y) { return x * y; });
  operates(0, [](auto& x, auto& y) { return x & y; });
  operates(1, [](auto& x, auto& y) { return x | y; });
  operates(2, [](auto& x, auto& y) { return x ^ y; });
  operates(2, [](auto& x, auto& y) { return x << y; });
  operates(1, [](auto& x, auto& y) { return x >> y; });
  operates(2, [](auto& x, auto& y) { return x % y; });
  operates(0, [](auto& x, auto& y) { return x < y; });
  operates(1, [](auto& x, auto& y) { return x <= y; });
  operates(2, [](auto& x, auto& y) { return x > y; });
  operates(0, [](auto& x, auto& y) { return x >= y; });
  operates(1, [](auto& x, auto& y) { return x == y; });
  operates(2, [](auto& x, auto& y) { return x != y; });
  const Array x = Array::from(Integers{7, -3, 0});
  CHECK_SAME((-x).to_vector<int64_t>(), (Integers{-7, 3, 0}), 0);
  CHECK_SAME((+x).to_vector<int64_t>(), (Integers{7, -3, 0}), 0);
  CHECK_SAME((~x).to_vector<int64_t>(), (Integers{~7, 2, -1}), 0);
}

void numbers_are_weak() {
  const Array x = Array::from(Floats{1, 2, 3});
  CHECK_SAME((1 / x).to_vector<float>(), (Floats{1, 0.5, 1.0f / 3}), 1e-7);
  CHECK_EQ((1.0 / x).dtype(), GPUARR_F32);
  CHECK_EQ((x + Array::from(std::vector<double>{1})).dtype(), GPUARR_F64);
  CHECK_EQ(result_type({x, 1.0}), GPUARR_F32);
  CHECK_EQ(result_type({x, std::complex<double>(1)}), GPUARR_C64);
  CHECK_EQ((x > 1).dtype(), GPUARR_BOOL);
}

void in_place() {
  const Array x = Array::from(Integers{6, 7}), y = x;
  const void* data = x.data();
  x += x;
  x *= 3;
  x -= 1;
  x %= 10;
  CHECK_SAME(x.to_vector<int64_t>(), (Integers{5, 1}), 0);
  x <<= 3;
  x >>= 1;
  x |= 1;
  x &= 21;
  x ^= 2;
  CHECK_SAME(y.to_vector<int64_t>(), (Integers{23, 7}), 0);
  into(x.slice(0, 1), gpuarr_square, x.slice(0, 1));
  CHECK_SAME(x.to_vector<int64_t>(), (Integers{23, 49}), 0);
  const Array z = Array::from(Floats{3});
  z /= 2;
  CHECK_EQ(z.item<float>(), 1.5f);
  CHECK(x.data() == data);
  CHECK_FAILS(GPUARR_ERR_DTYPE, "outputs[0] is int64, to which the result's float64",
              [&] { x /= 2; });
}

void functions() {
  const Array x = Array::from(Floats{0.25f, 4});
  CHECK_SAME(exp(log(sqrt(x))).to_vector<float>(), (Floats{0.5, 2}), 1e-6);
  CHECK_SAME(where(x > 1, x, 0).to_vector<float>(), (Floats{0, 4}), 0);
  CHECK_SAME(clip(x, 1, 2).to_vector<float>(), (Floats{1, 2}), 0);
  CHECK_SAME(round(x, 1).to_vector<float>(), (Floats{0.2f, 4}), 1e-6);
  const auto [quotient, rest] = divmod(x, 3);
  CHECK_SAME(quotient.to_vector<float>(), (Floats{0, 1}), 0);
  CHECK_SAME(rest.to_vector<float>(), (Floats{0.25f, 1}), 0);
  const auto [mantissa, exponent] = frexp(x);
  CHECK_SAME(mantissa.to_vector<float>(), (Floats{0.5, 0.5}), 0);
  CHECK_SAME(exponent.to_vector<int32_t>(), (std::vector<int32_t>{-1, 3}), 0);
  const auto [fraction, whole] = modf(x);
  CHECK_SAME(fraction.to_vector<float>(), (Floats{0.25f, 0}), 0);
  CHECK_SAME(whole.to_vector<float>(), (Floats{0, 4}), 0);
  Array z = full(GPUARR_F32, {2}, 7);
  apply({z}, "negative", {x}, x > 1);
  CHECK_SAME(z.to_vector<float>(), (Floats{7, -4}), 0);
  CHECK_EQ(count_nonzero(isclose(x, 0.25, 0, 1e-3)).item<int64_t>(), 1);
  CHECK(allclose(x, x + 1e-7) && !allclose(x, x + 1));
  CHECK(array_equal(x, x) && !array_equal(x, z));
}

void refused() {
  const Array x = Array::from(Floats{1, 2}), y = Array::from(Floats{1, 2, 3}), none;
  CHECK_FAILS(GPUARR_ERR_BROADCAST, "(2,)", [&] { x + y; });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "bool", [&] { -(x > 1); });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "float32", [&] { x << 1; });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "NULL", [&] { exp(none); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "in divmod(1, 2)", [&] { divmod(1, 2); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "no_such", [&] { apply({}, "no_such", {x}); });
}

}  // namespace

int main() {
  check::choose_device();
  every_operator();
  numbers_are_weak();
  in_place();
  functions();
  refused();
  return check::result();
}
