// Ways to put nodes together that do not always pay: what lies beside results, sums that are scaled
// by a max, arrays that lie otherwise. Each gives what its nodes give one after another, on
// $GPUARR_TEST_DEVICE.
#include <cmath>
#include <string>
#include <vector>

#include "check.hpp"
#include "expr/plan.hpp"
#include "expr_eager.hpp"

using namespace gpuarr;
using namespace building;

namespace {

size_t kernels(const std::vector<Expr>& roots) {
  const expr::Numbered numbered = expr::number(roots);
  return expr::make_plan(numbered, expr::limits_of(tested_device())).groups.size();
}

void compare(const std::string& what, const Array& actual, const Array& wanted) {
  const std::vector<double> a = values_of(actual), w = values_of(wanted);
  const double close = size_of(wanted.dtype) == 2   ? 2e-2
                       : wanted.dtype == DType::f64 ? 1e-11
                                                    : 2e-4;
  CHECK_EQ(a.size(), w.size());
  for (size_t k = 0; k < a.size() && k < w.size(); ++k) {
    const bool same = a[k] == w[k] || (std::isnan(a[k]) && std::isnan(w[k])) ||
                      std::abs(a[k] - w[k]) <= close * (1 + std::abs(w[k]));
    if (same) continue;
    check::report(__FILE__, __LINE__) << what << ": element " << k << " is " << a[k] << ", not "
                                      << w[k] << " (seed " << test_seed() << ")\n";
    return;
  }
}

constexpr size_t any = 0;

void check_way(const std::string& what, const std::vector<Expr>& roots, size_t on_gpu,
               size_t on_cpu) {
  const size_t wanted = tested_device().has_host_memory() ? on_cpu : on_gpu;
  const size_t got = kernels(roots);
  if (got != wanted && wanted != any)
    check::report(__FILE__, __LINE__)
        << what << " is " << got << " kernels, not " << wanted << '\n';
  const std::vector<const Array*> none(roots.size());
  const auto made = expr::evaluate(roots, none, &stream());
  for (size_t k = 0; k < roots.size(); ++k) compare(what, *made[k], one_after_another(roots[k]));
}
void check_way(const std::string& what, const std::vector<Expr>& roots, size_t count) {
  check_way(what, roots, count, count);
}

void beside(DType dtype) {
  const Expr x = random_of(dtype, {70, 90}), v = random_of(dtype, {90}),
             rows = random_of(dtype, {70}), c = random_of(dtype, {70, 1}),
             one = random_of(dtype, {1}), cut = of(slice(drawn(dtype, {140}), 0, 0, 140, 2));
  check_way("sum(x) + sum(v)", {sum(x) + sum(v)}, 2);
  check_way("a loss and a penalty", {mean(square(x)) + 0.5 * sum(square(v)), sum(square(v))}, 2);
  const Expr middle = over(Reducer::mean, x, 1);
  check_way("a running mean", {0.9 * rows + 0.1 * middle}, 1);
  check_way("one whose old value lies apart", {0.9 * cut + 0.1 * middle}, 1);
  check_way("a mean less a column", {over(Reducer::mean, x, 1, true) - c}, 1);
  check_way("a mean and one element", {middle * exp(one)}, 1);
  check_way("means along rows less all", {middle - mean(x)}, 2);
  check_way("means along rows less sums along columns",
            {over(Reducer::mean, x, 1, true) - over(Reducer::sum, x, 0, true)}, 2);
  const Expr old = 2 * rows;
  check_way("a value that is wanted and lies beside", {old + middle, old}, 2);
  check_way("three reductions of three arrays", {sum(x) * sum(v) - mean(rows)}, 3);
  check_way("a result of two, in a loop", {x - 2 * over(Reducer::mean, x, 0), sum(x)}, 3);
}

Expr softmax(const Expr& x, int axis) {
  const Expr e = exp(x - over(Reducer::max, x, axis, true));
  return e / over(Reducer::sum, e, axis, true);
}

void scaled(DType dtype) {
  const Expr x = random_of(dtype, {90, 70}), long_rows = random_of(dtype, {3, 1000000});
  check_way("softmax of columns", {softmax(x, 0)}, 2, 4);
  const Expr e = exp(long_rows - over(Reducer::max, long_rows));
  check_way("softmax of all", {e / sum(e)}, 2, any);
  check_way("softmax of long rows", {softmax(long_rows, 1)}, 2, any);
  const int32_t capability = tested_device().facts().compute_capability;
  if (!tested_device().has_host_memory())
    check_way("softmax of rows in clusters", {softmax(random_of(dtype, {20, 200000}), 1)},
              capability >= 90 ? 1 : 2);
  const Expr a_row_for_each = random_of(dtype, {tested_device().facts().processors, 70000});
  if (tested_device().has_host_memory())
    check_way("softmax of a long row for each thread", {softmax(a_row_for_each, 1)}, 1);
  const Expr most = over(Reducer::max, x, 0);
  check_way("logsumexp", {log(over(Reducer::sum, exp(x - most), 0)) + most}, 1, 2);
  const Expr other = random_of(dtype, {90, 70});
  check_way("a sum that is scaled by another array's",
            {over(Reducer::sum, exp(x - over(Reducer::max, other, 0)), 0)}, 2);
}

// A row of what is infinite gives no number, as x - max(x) does.
void infinite() {
  std::vector<double> values = {-INFINITY, -INFINITY, 1, 2, INFINITY, 0, NAN, 1, -INFINITY, 3};
  Array x = Array::empty(stream(), DType::f64, {5, 2});
  write(x, host_memory(DType::f64, Dims{5, 2}, nullptr, values.data()), stream());
  const Array columns = reverse_axes(x);
  const Expr e = exp(of(columns) - over(Reducer::max, of(columns), 0));
  check_way("softmax of what is infinite", {e / over(Reducer::sum, e, 0)}, any);
}

void transposed(DType dtype) {
  const Expr x = of(reverse_axes(drawn(dtype, {700, 600}))), y = random_of(dtype, {600, 700}),
             z = random_of(dtype, {600, 700}), column = random_of(dtype, {600, 1});
  check_way("sum(x.T * y, 1)", {over(Reducer::sum, x * y, 1)}, 2);
  check_way("sum(x.T * y * z, 0)", {over(Reducer::sum, x * y * z, 0)}, 2);
  check_way("sum(x.T * column, 1)", {over(Reducer::sum, x * column, 1)}, 1);
  check_way("sum(exp(x.T), 1)", {over(Reducer::sum, exp(x), 1)}, 1);
  check_way("sum(x.T) + sum(y)", {sum(x) + sum(y)}, 2);
  check_way("x.T + y", {x + y}, 1);
  check_way("few elements",
            {sum(of(reverse_axes(drawn(dtype, {30, 20}))) * random_of(dtype, {20, 30}))}, 1);
}

}  // namespace

int main() {
  for (const DType dtype : {DType::f32, DType::f16}) {
    if (check::sanitized && dtype != DType::f32) continue;
    beside(dtype);
    scaled(dtype);
    transposed(dtype);
  }
  infinite();
  return check::result();
}
