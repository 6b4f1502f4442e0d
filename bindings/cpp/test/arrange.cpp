// Arrays made, joined, cut and turned, and elements by index or mask, against loops.
#include "check.hpp"
#include "gpuarr_arrange.hpp"

using namespace gpuarr;
using check::over;

namespace {

using Doubles = std::vector<double>;
using Integers = std::vector<int64_t>;
using Numbers = check::Both<double>;

Array indices(const Integers& numbers) { return Array::from(numbers); }

void same(const Array& x, const Shape& shape, const Doubles& wanted, int line) {
  if (x.shape() != shape) check::report(__FILE__, line) << "another shape\n";
  check::same(x.to_vector<double>(), wanted, 0, __FILE__, line);
}

void made() {
  CHECK_SAME(arange(GPUARR_I64, 5, 0, -2).to_vector<int64_t>(), (Integers{5, 3, 1}), 0);
  CHECK_SAME(linspace(GPUARR_F64, 1, 2, 5).to_vector<double>(), (Doubles{1, 1.25, 1.5, 1.75, 2}),
             1e-15);
  CHECK_EQ(linspace(GPUARR_F32, 0, 1, 4, false).shape()[0], 4);
  const auto on = [](int64_t k) { return [k](const Shape& i) { return i[1] - i[0] == k; }; };
  const auto below = [](int64_t k) { return [k](const Shape& i) { return i[1] - i[0] <= k; }; };
  same(eye(GPUARR_F64, 3), {3, 3}, over<double>({3, 3}, on(0)), __LINE__);
  same(eye(GPUARR_F64, 2, 4, 1), {2, 4}, over<double>({2, 4}, on(1)), __LINE__);
  same(tri(GPUARR_F64, 3), {3, 3}, over<double>({3, 3}, below(0)), __LINE__);
  same(tri(GPUARR_F64, 3, 2, -1), {3, 2}, over<double>({3, 2}, below(-1)), __LINE__);
}

void views() {
  const Numbers x({2, 3, 1});
  CHECK(squeeze(x.array).shape() == (Shape{2, 3}) &&
        squeeze(x.array, {-1}).data() == x.array.data());
  CHECK(expand(x.array, 0).shape() == (Shape{1, 2, 3, 1}));
  const Numbers m({3, 4});
  same(diagonal(m.array, 1), {3},
       over<double>({3},
                    [&](auto& i) {
                      return m({i[0], i[0] + 1});
                    }),
       __LINE__);
  same(flip(m.array), {3, 4},
       over<double>({3, 4},
                    [&](auto& i) {
                      return m({2 - i[0], 3 - i[1]});
                    }),
       __LINE__);
  same(flip(m.array, {-1}), {3, 4},
       over<double>({3, 4},
                    [&](auto& i) {
                      return m({i[0], 3 - i[1]});
                    }),
       __LINE__);
  same(rot90(m.array), {4, 3},
       over<double>({4, 3},
                    [&](auto& i) {
                      return m({i[1], 3 - i[0]});
                    }),
       __LINE__);
  const Arrays halves = split(m.array, 2, 1), parts = split_at(m.array, {1, 2}, 1);
  CHECK_EQ(halves.size() + parts.size(), 5U);
  same(halves[1], {3, 2},
       over<double>({3, 2},
                    [&](auto& i) {
                      return m({i[0], i[1] + 2});
                    }),
       __LINE__);
  same(parts[1], {3, 1}, over<double>({3, 1}, [&](auto& i) { return m({i[0], 1}); }), __LINE__);
  const Arrays wide = broadcast_arrays({m.array, m.array.select(0, 1)});
  same(wide[1], {3, 4}, over<double>({3, 4}, [&](auto& i) { return m({1, i[1]}); }), __LINE__);
  const Arrays grid = meshgrid({m.array.select(0, 0), m.array.select(1, 0)});
  same(grid[1], {3, 4}, over<double>({3, 4}, [&](auto& i) { return m({i[0], 0}); }), __LINE__);
  CHECK(meshgrid({}).empty() && broadcast_arrays({}).empty());
}

void copies() {
  const Numbers x({2, 3}), y({2, 2});
  same(concatenate({x.array, y.array}, 1), {2, 5},
       over<double>({2, 5},
                    [&](auto& i) {
                      return i[1] < 3 ? x({i[0], i[1]}) : y({i[0], i[1] - 3});
                    }),
       __LINE__);
  same(concatenate(split(x.array, 3, 1), -1), {2, 3}, x.values, __LINE__);
  same(stack({x.array, x.array}, -1), {2, 3, 2},
       over<double>({2, 3, 2},
                    [&](auto& i) {
                      return x({i[0], i[1]});
                    }),
       __LINE__);
  same(tile(x.array, {2, 2}), {4, 6},
       over<double>({4, 6},
                    [&](auto& i) {
                      return x({i[0] % 2, i[1] % 3});
                    }),
       __LINE__);
  same(repeat(x.array, 2, 1), {2, 6},
       over<double>({2, 6},
                    [&](auto& i) {
                      return x({i[0], i[1] / 2});
                    }),
       __LINE__);
  same(repeat_each(x.array, indices({0, 1, 2}), 1), {2, 3},
       over<double>({2, 3},
                    [&](auto& i) {
                      return x({i[0], i[1] == 0 ? 1 : 2});
                    }),
       __LINE__);
  same(roll(x.array, {1, -1}, {0, 1}), {2, 3},
       over<double>({2, 3},
                    [&](auto& i) {
                      return x({1 - i[0], (i[1] + 1) % 3});
                    }),
       __LINE__);
  same(roll(x.array, 2, -1), {2, 3},
       over<double>({2, 3},
                    [&](auto& i) {
                      return x({i[0], (i[1] + 1) % 3});
                    }),
       __LINE__);
  same(pad(x.array, {1, 0}, {0, 2}, GPUARR_PAD_CONSTANT, 9), {3, 5},
       over<double>({3, 5},
                    [&](auto& i) {
                      return i[0] < 1 || i[1] > 2 ? 9 : x({i[0] - 1, i[1]});
                    }),
       __LINE__);
  same(triu(x.array, 1), {2, 3},
       over<double>({2, 3}, [&](auto& i) { return i[1] > i[0] ? x(i) : 0; }), __LINE__);
  same(tril(x.array), {2, 3},
       over<double>({2, 3}, [&](auto& i) { return i[1] <= i[0] ? x(i) : 0; }), __LINE__);
  same(diag(x.array.select(0, 0), -1), {4, 4},
       over<double>({4, 4},
                    [&](auto& i) {
                      return i[0] == i[1] + 1 ? x({0, i[1]}) : 0;
                    }),
       __LINE__);
}

void by_indices() {
  const Numbers x({3, 4});
  const Integers places{-1, 0};
  const auto place = [&](int64_t k) { return k == 0 ? 3 : 0; };
  same(take(x.array, indices(places), 1), {3, 2},
       over<double>({3, 2},
                    [&](auto& i) {
                      return x({i[0], place(i[1])});
                    }),
       __LINE__);
  const Array each = indices({3, 0, 2}).reshape({3, 1});
  const auto there = [](const Shape& i) { return i[1] == (i[0] == 0 ? 3 : i[0] == 1 ? 0 : 2); };
  same(take_along_axis(x.array, each), {3, 1}, {x({0, 3}), x({1, 0}), x({2, 2})}, __LINE__);
  const Array z = x.array.copy();
  put(z, indices(places), -7, 1);
  put_add(z, indices({1, 1}), 5, 1);
  same(z, {3, 4},
       over<double>({3, 4}, [&](auto& i) { return i[1] == 1   ? x(i) + 10
                                                  : i[1] == 2 ? x(i)
                                                              : -7; }),
       __LINE__);
  z.assign(x.array);
  put_along_axis(z, each, 100);
  same(z, {3, 4}, over<double>({3, 4}, [&](auto& i) { return there(i) ? 100 : x(i); }), __LINE__);
}

void by_masks() {
  const Numbers x({3, 4});
  const bool chosen[] = {true,  false, false, true, false, true,
                         false, false, true,  true, false, true};
  const Array mask = Array::from(GPUARR_BOOL, chosen, sizeof chosen, {3, 4}), z = x.array.copy();
  Doubles values;
  Integers flat, rows, columns;
  for (std::size_t k = 0; k < 12; ++k) {
    if (!chosen[k]) continue;
    values.push_back(x.values[k]);
    flat.push_back(static_cast<int64_t>(k));
    rows.push_back(static_cast<int64_t>(k / 4));
    columns.push_back(static_cast<int64_t>(k % 4));
  }
  same(select(x.array, mask), {6}, values, __LINE__);
  const Array front = zeros(GPUARR_F64, {4});
  CHECK_EQ(select_into(front, x.array, mask).item<int64_t>(), 6);
  same(front, {4}, Doubles(values.begin(), values.begin() + 4), __LINE__);
  CHECK_SAME(flatnonzero(mask).to_vector<int64_t>(), flat, 0);
  const Arrays places = nonzero(mask);
  CHECK_SAME(places[0].to_vector<int64_t>(), rows, 0);
  CHECK_SAME(places[1].to_vector<int64_t>(), columns, 0);
  place(z, mask, 50);
  same(z, {3, 4},
       over<double>({3, 4}, [&](auto& i) { return chosen[i[0] * 4 + i[1]] ? 50 : x(i); }),
       __LINE__);
}

void refused() {
  const Array x = zeros(GPUARR_F64, {2, 3}), none;
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "pad: before has 1 numbers; it takes 2", [&] {
    pad(x, {1}, {1, 1});
  });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "pad: after has 3 numbers", [&] { pad(x, {1, 1}, {1, 1, 1}); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "roll: axes has 1 numbers; it takes 2", [&] {
    roll(x, {1, 2}, Axes{0});
  });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "gpuarr_concatenate: ", [&] { concatenate({}); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "NULL", [&] { stack({x, none}); });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "gpuarr_split: ", [&] { split(x, 2, 1); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "gpuarr_split: ", [&] { split(x, 0); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "gpuarr_split: ", [&] { split(x, -1); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "gpuarr_nonzero: ", [&] { nonzero(none); });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "gpuarr_select: ", [&] { select(x, x); });
  CHECK_FAILS(GPUARR_ERR_INDEX, "2", [&] { take(x, indices({2})).device().synchronize(); });
}

}  // namespace

int main() {
  check::choose_device();
  made();
  views();
  copies();
  by_indices();
  by_masks();
  refused();
  return check::result();
}
