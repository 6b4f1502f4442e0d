// Functions and operators of arrays.
#include "check.hpp"
#include "gpuarr_ops.hpp"

using namespace gpuarr;

namespace {

using Floats = std::vector<float>;

void operators() {
  const Array x = Array::from(Floats{1, 2, 3}), y = Array::from(Floats{4, 1, 2});
  CHECK_SAME((x + y * 2 - 1.0f / x).to_vector<float>(), (Floats{8, 3.5, 7 - 1.0f / 3}), 1e-6);
  CHECK_SAME((-x % 2).to_vector<float>(), (Floats{1, 0, 1}), 1e-6);
  CHECK_EQ((x / 2.0).dtype(), GPUARR_F32);  // a number is weak
  CHECK_EQ((x + y.astype(GPUARR_F64)).dtype(), GPUARR_F64);
  const Array mask = (x < y) | (x == 3);
  CHECK_EQ(mask.dtype(), GPUARR_BOOL);
  CHECK_EQ(count_nonzero(mask).item<int64_t>(), 2);
  CHECK_EQ(count_nonzero(~mask & (x != 1) & (x <= 2) & (2 >= x) & (x > 1)).item<int64_t>(), 1);
}

void in_place() {
  const Array x = Array::from(std::vector<int64_t>{6, 7});
  const void* data = x.data();
  x += x;
  x *= 3;
  x -= 1;
  x %= 10;
  CHECK_SAME(x.to_vector<int64_t>(), (std::vector<int64_t>{5, 1}), 1e-6);
  x <<= 2;
  x |= 1;
  CHECK_SAME(x.to_vector<int64_t>(), (std::vector<int64_t>{21, 5}), 1e-6);
  into(x, gpuarr_square, x);
  CHECK_SAME(x.to_vector<int64_t>(), (std::vector<int64_t>{441, 25}), 1e-6);
  CHECK(x.data() == data);
}

void functions() {
  const Array x = Array::from(Floats{0.25f, 4});
  CHECK_SAME(exp(log(sqrt(x))).to_vector<float>(), (Floats{0.5, 2}), 1e-6);
  CHECK_SAME(where(x > 1, x, 0).to_vector<float>(), (Floats{0, 4}), 1e-6);
  CHECK_SAME(clip(x, 1, 2).to_vector<float>(), (Floats{1, 2}), 1e-6);
  const auto [quotient, rest] = divmod(x, 3);
  CHECK_SAME((quotient * 3 + rest).to_vector<float>(), (Floats{0.25f, 4}), 1e-6);
  Array z = full(GPUARR_F32, {2}, 7);
  apply({z}, "negative", {x}, x > 1);
  CHECK_SAME(z.to_vector<float>(), (Floats{7, -4}), 1e-6);
  CHECK(allclose(x, x + 1e-7) && !allclose(x, x + 1));
  CHECK(array_equal(x, x) && !array_equal(x, z));
}

void along_an_axis() {
  const Array x = Array::from(Floats{3, 1, 2, 6, 5, 4}, {2, 3});
  CHECK_SAME(sort(x).to_vector<float>(), (Floats{1, 2, 3, 4, 5, 6}), 1e-6);
  CHECK_SAME(cumsum(x, 0).to_vector<float>(), (Floats{3, 1, 2, 9, 6, 6}), 1e-6);
  CHECK_SAME(take_along_axis(x, argsort(x), 1).to_vector<float>(), (Floats{1, 2, 3, 4, 5, 6}),
             1e-6);
  const auto [values, places] = topk(x, 1);
  CHECK_SAME(values.to_vector<float>(), (Floats{3, 6}), 1e-6);
  CHECK_SAME(places.to_vector<int64_t>(), (std::vector<int64_t>{0, 0}), 1e-6);
  const Array rows = Array::from(std::vector<int32_t>{-1, 0});
  CHECK_SAME(take(x, rows).to_vector<float>(), (Floats{6, 5, 4, 3, 1, 2}), 1e-6);
  put(x, rows, 0);
  CHECK_SAME(x.to_vector<float>(), Floats(6, 0), 1e-6);
}

void random_numbers() {
  const Generator g(7);
  const Array u = g.uniform({1000}), i = g.integers({100}, 0, 6, GPUARR_I32);
  CHECK(min(u).item<float>() >= 0 && max(u).item<float>() < 1);
  CHECK(min(i).item<int32_t>() >= 0 && max(i).item<int32_t>() < 6);
  CHECK(array_equal(Generator(7).uniform({1000}), u));
  CHECK_SAME(sort(g.permutation(3)).to_vector<int64_t>(), (std::vector<int64_t>{0, 1, 2}), 1e-6);
}

void refused() {
  const Array x = Array::from(Floats{1, 2}), y = Array::from(Floats{1, 2, 3});
  CHECK_FAILS(GPUARR_ERR_BROADCAST, "(2,)", [&] { x + y; });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "bool", [&] { -(x > 1); });
  CHECK_FAILS(GPUARR_ERR_AXIS, "axis", [&] { sort(x, 3); });
}

}  // namespace

int main() {
  operators();
  in_place();
  functions();
  along_an_axis();
  random_numbers();
  refused();
  return check::result();
}
