// Which kernels expressions become, and what they move.
#include <functional>
#include <string>
#include <vector>

#include "check.hpp"
#include "expr/kernel_nodes.hpp"
#include "expr/plan.hpp"
#include "expr_build.hpp"

using namespace gpuarr;
using namespace building;

namespace {

using expr::Limits;
using expr::Plan;

Plan plan_of(const std::vector<Expr>& roots, bool gpu) {
  Limits limits = expr::limits_of(host_device());
  if (gpu) {
    limits = {};
    limits.row_fits = [](const expr::Numbered&, const Plan&, const expr::Group& group) {
      const int inner = group.space.size() - 1;
      return group.axes == uint32_t{1} << inner && group.space[inner] <= 50000;
    };
  }
  return expr::make_plan(expr::number(roots), limits);
}

void check_counts(const char* what, const std::vector<Expr>& roots, size_t gpu, size_t host) {
  for (bool on_gpu : {true, false}) {
    const Plan plan = plan_of(roots, on_gpu);
    const size_t expected = on_gpu ? gpu : host;
    if (plan.groups.size() != expected)
      check::report(__FILE__, __LINE__)
          << what << (on_gpu ? " on a GPU" : " on the CPU") << " is " << plan.groups.size()
          << " kernels, expected " << expected << '\n';
  }
}
void check_counts(const char* what, const std::vector<Expr>& roots, size_t count) {
  check_counts(what, roots, count, count);
}

const Dims shape{8192, 1024};

void loops() {
  const Expr x = f32(shape), y = f32(shape), w = f32(shape);
  check_counts("(x-y)*(x-y)", {(x - y) * (x - y)}, 1);
  check_counts("2*x + 3*y - 4*w", {2 * x + 3 * y - 4 * w}, 1);
  Expr ten = x;
  for (int k = 0; k < 10; ++k) ten = ten + x;
  check_counts("ten adds", {ten}, 1);
  Expr forty = f32(shape);
  for (int k = 1; k < 40; ++k) forty = forty + f32(shape);
  check_counts("the sum of 40 arrays", {forty}, 2);
  Expr chain = x;
  for (int k = 0; k < 10000; ++k) chain = chain + 1;
  check_counts("10 000 adds", {chain}, 20);
  const Expr g = f32(shape), m = f32(shape), v = f32(shape);
  const Expr m1 = 0.9 * m + 0.1 * g, v1 = 0.99 * v + 0.01 * square(g);
  check_counts("Adam", {x - 0.001 * m1 / (sqrt(v1) + 1e-8), m1, v1}, 1);
  const auto left = expr::slice_node(x, 1, left_out, -1, 1),
             right = expr::slice_node(x, 1, 1, left_out, 1);
  check_counts("x[:,1:] - x[:,:-1]", {right - left}, 1);
  std::vector<Expr> multiples;
  for (int k = 0; k < 20; ++k) multiples.push_back(k * x);
  check_counts("20 multiples of an array", multiples, 2);  // for their arrays and numbers
  check_counts("two that share nothing", {x + 1, f32(Dims{10}) + 1}, 2);
}

void reductions() {
  const Expr x = f32(shape), y = f32(shape), b = f32(Dims{100000000}), v = f32(Dims{1024});
  check_counts("sum((x-y)**2)", {sum(square(x - y))}, 1);
  check_counts("sqrt(mean((x-y)**2, 1))", {sqrt(over(Reducer::mean, square(x - y), 1))}, 1);
  check_counts("sqrt(mean((x-y)**2, 0))", {sqrt(over(Reducer::mean, square(x - y), 0))}, 1);
  check_counts("mean, min and max", {mean(b), over(Reducer::min, b), over(Reducer::max, b)}, 1);
  check_counts("mean, var, min and max",
               {mean(b), over(Reducer::var, b), over(Reducer::min, b), over(Reducer::max, b)}, 1,
               2);
  const auto moments = [](const Expr& of) {
    return std::vector<Expr>{over(Reducer::mean, of, 1), over(Reducer::var, of, 1)};
  };
  check_counts("mean and var of rows", moments(x), 1);
  check_counts("mean and var of short rows", moments(f32(Dims{100000, 20})), 1, 2);
  check_counts("norms",
               {over(Reducer::norm_1, b), over(Reducer::norm_2, b), over(Reducer::norm_inf, b),
                sum(b), mean(b)},
               1);
  check_counts("sum(x) + sum(y)", {sum(x) + sum(y)}, 1);
  check_counts("sum(x) + sum(v)", {sum(x) + sum(v)}, 2);
  check_counts("sum(x, 0), sum(x, 1)", {over(Reducer::sum, x, 0), over(Reducer::sum, x, 1)}, 2);
  std::vector<Expr> multiples, roots;
  for (int k = 0; k < 40; ++k) multiples.push_back(k * sum(x)), roots.push_back(sqrt(k * sum(x)));
  check_counts("40 multiples of a sum", multiples, 5);  // 13 to a loop
  check_counts("their roots", roots, 5);
  const Expr e = exp(x);
  check_counts("sums of exp along both axes", {over(Reducer::sum, e, 0), over(Reducer::sum, e, 1)},
               2);
  check_counts("argmax(x*v, 1)", {over(Reducer::argmax, x * v, 1)}, 1);
  check_counts("cosine",
               {over(Reducer::sum, x * y, 1) /
                (sqrt(over(Reducer::sum, x * x, 1)) * sqrt(over(Reducer::sum, y * y, 1)))},
               1);
  check_counts("mean(where(x > 0, x, 0)), max - min",
               {mean(call(Op::where, {call(Op::greater, {x, number(0)}), x, number(0)})),
                over(Reducer::max, x) - over(Reducer::min, x)},
               1);
}

// What lies between two reductions is stored where it is dear, and computed again where it is not.
void shared() {
  const Expr x = f32(shape);
  const Expr dear = call(Op::gamma, {exp(x)}) + call(Op::gamma, {x + 1});
  check_counts("sums of something dear along both axes",
               {over(Reducer::sum, dear, 0), over(Reducer::sum, dear, 1)}, 2);
  const Expr centred = x - over(Reducer::mean, x, 0, true);
  check_counts("standardised columns",
               {centred / sqrt(over(Reducer::mean, square(centred), 0, true))}, 3);
}

Expr softmax(const Expr& x, int axis, bool keepdims = true) {
  const Expr e = exp(x - over(Reducer::max, x, axis, keepdims));
  return e / over(Reducer::sum, e, axis, keepdims);
}

Expr layer_norm(const Expr& x, const Expr& w, const Expr& b) {
  const Expr d = x - over(Reducer::mean, x, 1, true);
  return d / sqrt(over(Reducer::mean, square(d), 1, true) + 1e-5) * w + b;
}

void rows() {
  const Expr x = f32(shape), v = f32(Dims{1024}), w = f32(Dims{1024});
  check_counts("softmax", {softmax(x, 1)}, 1);
  check_counts("log-softmax", {log(softmax(x, 1))}, 1);
  check_counts("softmax of columns", {softmax(x, 0)}, 2, 4);
  check_counts("softmax of rows of 50 000", {softmax(f32(Dims{1000, 50000}), 1)}, 1);
  check_counts("softmax of 4096 rows of 10^5", {softmax(f32(Dims{4096, 100000}), 1)}, 2, 1);
  const bool is_row_for_each = host_device().facts().processors == 1;
  check_counts("softmax of a row of 10^6", {softmax(f32(Dims{1, 1000000}), 1)}, 2,
               is_row_for_each ? 1 : 4);
  check_counts("layer norm", {layer_norm(x, v, w)}, 1);
  check_counts("z-scores", {(x - over(Reducer::mean, x, 1, true)) / over(Reducer::std, x, 1, true)},
               1);
  check_counts("rows of norm 1", {x / over(Reducer::norm_2, x, 1, true)}, 1);
  check_counts("RMS norm", {x / sqrt(over(Reducer::mean, square(x), 1, true) + 1e-6) * v}, 1);
  check_counts("softmax and layer norm", {softmax(x, 1), layer_norm(x, v, w)}, 1);
  const Expr d = x - f32(shape);
  check_counts("a difference and its softmax", {d, softmax(d, 1)}, 1);
  check_counts(
      "softmax and the sums",
      {softmax(x, 1), over(Reducer::sum, exp(x - over(Reducer::max, x, 1, true)), 1, true)}, 1);
  std::vector<Expr> multiples;
  for (int k = 0; k < 25; ++k) multiples.push_back(k * (x - over(Reducer::mean, x, 1, true)));
  check_counts("25 multiples of centred rows", multiples, 3);  // too many for a kernel
  check_counts("double centring",
               {x - over(Reducer::mean, x, 1, true) - over(Reducer::mean, x, 0, true) + mean(x)},
               3);
}

// In memory's order as Fortran and Julia have it rows are along the first axis, and what they give
// broadcasts with them without an axis of 1. The GPU of these tests has rows along the last axis.
void column_major_rows() {
  const Expr x = leaf(DType::f32, shape, Order::f);
  const Expr square_one = leaf(DType::f32, Dims{512, 512}, Order::f);
  check_counts("softmax of columns", {softmax(x, 0)}, 2, 1);
  check_counts("softmax of columns, axes dropped", {softmax(x, 0, false)}, 2, 1);
  check_counts("softmax along what does not lie together", {softmax(x, 1)}, 1, 4);
  check_counts("columns less what rows give, axes dropped",
               {exp(square_one - over(Reducer::max, square_one, 1))}, 2);
}

// Kernels say why they are apart.
void reasons() {
  const Expr x = f32(shape), v = f32(Dims{1024}), y = leaf(DType::f32, shape, Order::f);
  const auto check_reason = [](const std::vector<Expr>& roots, const char* reason) {
    const std::string text = explain(expr::number(roots), plan_of(roots, true));
    if (text.find(reason) == std::string::npos)
      check::report(__FILE__, __LINE__) << "nothing of \"" << reason << "\" in:\n" << text;
  };
  check_reason({softmax(x, 0)}, "rows do not fit the device, or are too short");
  const Expr middle = over(Reducer::mean, leaf(DType::f32, Dims{512, 512}), 1);
  check_reason({leaf(DType::f32, Dims{512, 512}) * middle}, "reduced, and used by a larger shape");
  const Expr square_one = leaf(DType::f32, Dims{512, 512});
  check_reason({exp(square_one - over(Reducer::max, square_one, 1))},
               "they use results of several rows, or too many arrays");
  check_reason({sum(x) + sum(v)}, "computed with what another reduction gives");
  check_reason({over(Reducer::sum, x * y, 1)}, "arrays meet that lie otherwise");
  check_reason({sum(expr::indices_node(v, 0))}, "indices that the loop does not have itself");
  check_reason({softmax(v * expr::indices_node(v, 0), 0)}, "they are computed from their indices");
}

// What is computed of a product is another kernel, and so is what is multiplied.
void products() {
  const Expr x = f32(Dims{256, 512}), w = f32(Dims{512, 1024}), b = f32(Dims{1024});
  const Expr product = expr::matmul_node(x, w);
  check_counts("x @ w", {product}, 1);
  check_counts("relu(x @ w + b)", {call(Op::maximum, {product + b, number(0)})}, 2);
  check_counts("a product twice", {product + b, expr::matmul_node(x, w) - b}, 2);
  check_counts("softmax(x @ w)", {softmax(product, 1)}, 2);
  check_counts("sum((x @ w)**2)", {sum(square(product))}, 2);
  check_counts("x.T @ x", {expr::matmul_node(expr::transpose_node(x, {}), x)}, 1);
  check_counts("(x + 1) @ w", {expr::matmul_node(x + 1, w)}, 2);
  check_counts("(x + 1) @ (x + 1).T", {expr::matmul_node(x + 1, expr::transpose_node(x + 1, {}))},
               3);
  const Expr columns = expr::matmul_node(leaf(DType::f32, Dims{256, 512}, Order::f),
                                         leaf(DType::f32, Dims{512, 1024}, Order::f));
  check_counts("softmax of columns of a product in Fortran's order", {softmax(columns, 0)}, 3, 2);
  check_counts(
      "two layers",
      {expr::matmul_node(call(Op::maximum, {product + b, number(0)}), f32(Dims{1024, 16})) + 1}, 4);
  check_counts("mean(x, 0) @ w", {expr::matmul_node(over(Reducer::mean, x, 0), w)}, 2);
}

// An index is known to loops and reductions over its axis alone; elsewhere a line of them is
// stored.
void indices() {
  const Expr v = f32(Dims{100000}), x = f32(shape), one = f32(Dims{1});
  const Expr i = expr::indices_node(v, 0);
  check_counts("v*i", {v * i}, 1);
  check_counts("i, which reads nothing", {i}, 1);
  check_counts("one + i", {one + i}, 1);
  check_counts("sum(v*i)", {sum(v * i)}, 1);
  check_counts("sum(v*i), sum(i*i)", {sum(v * i), sum(i * i)}, 1);
  check_counts("sum(i)", {sum(i)}, 2);
  check_counts("sum(one + i)", {sum(one + i)}, 2);
  check_counts("softmax(v*i)", {softmax(v * i, 0)}, 2, 4);
  check_counts("cumsum(v*i)", {expr::scan_node(Scanner::cumsum, v * i, 0, false)}, 2);
  for (int axis = 0; axis < 2; ++axis) {
    const Expr along = expr::indices_node(x, axis);
    check_counts("x*i", {x * along}, 2);
    check_counts("sum(x*i)", {sum(x * along)}, 2);
    check_counts("softmax(x*i)", {softmax(x * along, 1)}, 2);
  }
  const Expr product = v * i;
  const expr::Numbered numbered = expr::number({&product, 1});
  const Plan plan = plan_of({product}, true);
  CHECK_EQ(expr::needs_of(numbered, plan, plan.groups[0]).read.size(), size_t{1});
}

void nothing_to_do() {
  const Expr x = f32(shape);
  check_counts("an array", {x}, 0);
  check_counts("equal results but for their scalars", {x + 1, x + 1}, 1);
  const Expr same = x + number(1);
  check_counts("a node twice", {same, same}, 1);
}

}  // namespace

int main() {
  loops();
  reductions();
  shared();
  rows();
  column_major_rows();
  reasons();
  products();
  indices();
  nothing_to_do();
  return check::result();
}
