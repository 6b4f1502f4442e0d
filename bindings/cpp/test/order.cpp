// Scans, sorting and what follows from it, and random numbers, against loops.
#include <algorithm>
#include <numeric>

#include "check.hpp"
#include "gpuarr_order.hpp"
#include "gpuarr_random.hpp"

using namespace gpuarr;
using check::over;

namespace {

using Doubles = std::vector<double>;
using Integers = std::vector<int64_t>;
using Numbers = check::Both<double>;

/// A loop along the last of two axes.
template <class F> Doubles running(const Numbers& x, double first, bool exclusive, F&& f) {
  double last = first;
  return over<double>(x.shape, [&](const Shape& i) {
    if (i[1] == 0) last = first;
    const double before = last;
    last = f(last, x(i));
    return exclusive ? before : last;
  });
}

void scans() {
  const Numbers x({3, 5});
  const auto plus = [](double a, double b) { return a + b; };
  const auto least = [](double a, double b) { return std::min(a, b); };
  const auto greatest = [](double a, double b) { return std::max(a, b); };
  CHECK_SAME(cumsum(x.array).to_vector<double>(), running(x, 0, false, plus), 0);
  CHECK_SAME(cumsum(x.array, 1, true).to_vector<double>(), running(x, 0, true, plus), 0);
  CHECK_SAME(cumprod(x.array).to_vector<double>(), running(x, 1, false, std::multiplies<double>()),
             1e-14);
  CHECK_SAME(cummin(x.array).to_vector<double>(), running(x, INFINITY, false, least), 0);
  CHECK_SAME(cummax(x.array).to_vector<double>(), running(x, -INFINITY, false, greatest), 0);
  CHECK_SAME(diff(x.array, 2).to_vector<double>(),
             over<double>({3, 3},
                          [&](auto& i) {
                            return x({i[0], i[1] + 2}) - 2 * x({i[0], i[1] + 1}) + x(i);
                          }),
             0);

  const Scan longest("T x", "T z", "x", "max(a, b)", "z = a", "-1");
  CHECK_SAME(longest(x.array).to_vector<double>(), running(x, -1, false, greatest), 0);
  Array z;
  longest.run({z}, {x.array}, -1, true);
  CHECK_SAME(z.to_vector<double>(), running(x, -1, true, greatest), 0);
}

void sorting() {
  const Numbers x({4, 9});
  Doubles sorted, falling;
  Integers order;
  for (int64_t row = 0; row < 4; ++row) {
    Integers places(9);
    std::iota(places.begin(), places.end(), 0);
    std::stable_sort(places.begin(), places.end(), [&](int64_t a, int64_t b) {
      return x({row, a}) < x({row, b});
    });
    for (int64_t place : places) sorted.push_back(x({row, place}));
    falling.insert(falling.end(), sorted.rbegin(), sorted.rbegin() + 9);
    order.insert(order.end(), places.begin(), places.end());
  }
  CHECK_SAME(sort(x.array).to_vector<double>(), sorted, 0);
  CHECK_SAME(sort(x.array, 1, true).to_vector<double>(), falling, 0);
  CHECK_SAME(argsort(x.array).to_vector<int64_t>(), order, 0);
  CHECK_SAME(partition(x.array, 4).slice(1, 4, 5).to_vector<double>(),
             over<double>({4}, [&](auto& i) { return sorted[std::size_t(i[0]) * 9 + 4]; }), 0);
  const auto [values, indices] = topk(x.array, 2);
  CHECK_SAME(values.to_vector<double>(),
             over<double>({4, 2}, [&](auto& i) { return falling[std::size_t(i[0] * 9 + i[1])]; }),
             0);
  const Integers at = indices.to_vector<int64_t>();
  for (std::size_t k = 0; k < at.size(); ++k)
    CHECK_EQ(x({static_cast<int64_t>(k / 2), at[k]}), falling[k / 2 * 9 + k % 2]);
  CHECK_SAME(median(x.array).to_vector<double>(),
             over<double>({4}, [&](auto& i) { return sorted[std::size_t(i[0]) * 9 + 4]; }), 0);
  CHECK_SAME(nanmedian(x.array).to_vector<double>(), median(x.array).to_vector<double>(), 0);
  const Array quarters = quantile(x.array, {0.25, 0.75}, 1, GPUARR_QUANTILE_LOWER);
  CHECK_SAME(
      quarters.to_vector<double>(),
      over<double>({2, 4},
                   [&](auto& i) { return sorted[std::size_t(i[1] * 9 + (i[0] == 0 ? 2 : 6))]; }),
      0);
  CHECK_SAME(nanquantile(x.array, {0.5}).to_vector<double>(), median(x.array).to_vector<double>(),
             0);
}

void what_differs() {
  const Array x = Array::from(Doubles{3, 1, 3, 3, 0, 1});
  CHECK_SAME(unique(x).to_vector<double>(), (Doubles{0, 1, 3}), 0);
  const auto [values, indices, inverse, counts] = unique_all(x);
  CHECK_SAME(values.to_vector<double>(), (Doubles{0, 1, 3}), 0);
  CHECK_SAME(indices.to_vector<int64_t>(), (Integers{4, 1, 0}), 0);
  CHECK_SAME(inverse.to_vector<int64_t>(), (Integers{2, 1, 2, 2, 0, 1}), 0);
  CHECK_SAME(counts.to_vector<int64_t>(), (Integers{1, 2, 3}), 0);
  CHECK_SAME(searchsorted(values, x).to_vector<int64_t>(), inverse.to_vector<int64_t>(), 0);
  CHECK_EQ(searchsorted(values, Array::from(Doubles{3}), true).item<int64_t>(), 3);

  const auto [in_bins, edges] = histogram(x, 3);
  CHECK_SAME(in_bins.to_vector<int64_t>(), (Integers{1, 2, 3}), 0);
  CHECK_SAME(edges.to_vector<double>(), (Doubles{0, 1, 2, 3}), 1e-15);
  CHECK_SAME(histogram(x, 2, 1, 2).counts.to_vector<int64_t>(), (Integers{2, 0}), 0);
  CHECK_SAME(histogram_between(x, edges).to_vector<int64_t>(), (Integers{1, 2, 3}), 0);
  const Array whole = x.astype(GPUARR_I64);
  CHECK_SAME(bincount(whole, {}, 5).to_vector<int64_t>(), (Integers{1, 2, 0, 3, 0}), 0);
  CHECK_SAME(bincount(whole, x).to_vector<double>(), (Doubles{0, 2, 0, 9}), 0);
}

void random_numbers() {
  const Generator g(7, 3);
  const Array u = g.uniform({1000});
  for (float number : u.to_vector<float>()) CHECK(number >= 0 && number < 1);
  for (int64_t number : g.integers({100}, 2, 5).to_vector<int64_t>())
    CHECK(number >= 2 && number < 5);
  CHECK(g.seed() == 7 && g.stream() == 3 && g.position() == 250 + 25);
  g.set_position(0);
  CHECK(g.uniform({1000}).to_vector<float>() == u.to_vector<float>());
  g.set_position(0);
  g.advance(5);
  const Array later = zeros(GPUARR_F32, {4});
  into(later, gpuarr_random_uniform, g, Arg(0.0), Arg(1.0), 0, 0, nullptr);
  CHECK(later.to_vector<float>() == u.slice(0, 20, 24).to_vector<float>());
  CHECK(random_seed() != random_seed());

  const double center = mean(g.normal({20000}, 3.0, 2.0, GPUARR_F64)).item<double>();
  CHECK(std::abs(center - 3) < 0.1);
  CHECK_EQ(g.gamma({0, 2}, 3.0, 2.0, GPUARR_F64).dtype(), GPUARR_F64);

  Integers all(10);
  std::iota(all.begin(), all.end(), 0);
  const auto sorted = [](Integers numbers) {
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  };
  CHECK(sorted(g.permutation(10).to_vector<int64_t>()) == all);
  CHECK(sorted(g.shuffle(Array::from(all)).to_vector<int64_t>()) == all);
  for (int64_t chosen : g.choice(5, {100}).to_vector<int64_t>()) CHECK(chosen >= 0 && chosen < 5);
}

/// Whose numbers are not looked at, as other tests do that: which argument is which.
void arguments_of_distributions() {
  const Generator g(1);
  const auto refuses = [](const char* part, const std::function<void()>& draw) {
    check::fails(GPUARR_ERR_ARGUMENT, part, draw, __FILE__, __LINE__);
  };
  refuses("gpuarr_random_normal: std", [&] { g.normal({2}, -1.0, -1.0); });
  refuses("gpuarr_random_lognormal: std", [&] { g.lognormal({2}, -1.0, -1.0); });
  refuses("gpuarr_random_exponential: scale", [&] { g.exponential({2}, -1.0); });
  refuses("gpuarr_random_gamma: scale", [&] { g.gamma({2}, 1.0, -1.0); });
  refuses("gpuarr_random_poisson: lam", [&] { g.poisson({2}, -1); });
  refuses("gpuarr_random_binomial: p", [&] { g.binomial({2}, 3, 1.5); });
  refuses("gpuarr_random_bernoulli: p", [&] { g.bernoulli({2}, 1.5); });
  refuses("gpuarr_random_integers: ", [&] { g.integers({2}, 5, 5); });
  refuses("gpuarr_random_choice: ", [&] { g.choice(3, {4}, false); });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "gpuarr_random_choice: p has shape (2,), but n is 3",
              [&] { g.choice(3, {2}, true, zeros(GPUARR_F64, {2})); });
}

void refused() {
  const Array x = Array::from(Doubles{1, 2});
  CHECK_FAILS(GPUARR_ERR_AXIS, "gpuarr_sort: ", [&] { sort(x, 3); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "gpuarr_topk: ", [&] { topk(x, 3); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "gpuarr_quantile: ", [&] { quantile(x, {1.5}); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "gpuarr_histogram: ", [&] { histogram(x, 3, 1, 0); });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "gpuarr_bincount: ", [&] { bincount(x); });
  CHECK_FAILS(GPUARR_ERR_SYNTAX,
              "gpuarr_scan_create: ", [] { Scan("T x y", "T z", "x", "a + b", "z = a"); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "gpuarr_scan_call: ", [&] {
    Array z;
    Scan("T x", "T z", "x", "max(a, b)", "z = a").run({z}, {x}, 0, true);
  });
}

}  // namespace

int main() {
  check::choose_device();
  scans();
  sorting();
  what_differs();
  random_numbers();
  arguments_of_distributions();
  refused();
  return check::result();
}
