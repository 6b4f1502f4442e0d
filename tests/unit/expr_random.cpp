// Random expressions give what the eager functions give one after another, on $GPUARR_TEST_DEVICE:
// the same bits on the CPU with GPUARR_CONTRACT=0.
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "expr/kernel_nodes.hpp"
#include "expr_eager.hpp"
#include "linalg/products/matmul.hpp"

using namespace gpuarr;
using building::converted;
using building::stream;
using building::tested_device;
using building::values_of;
using expr::Expr;

namespace {

// An expression beside the array that eager calls have made of it, and how large what went into
// its elements was.
struct Both {
  Expr expr;
  Array array;
};

bool is_exact() {
  const char* const contract = std::getenv("GPUARR_CONTRACT");
  return tested_device().has_host_memory() && contract != nullptr && *contract == '0';
}

class Drawing {
 public:
  explicit Drawing(uint64_t seed) : random_(seed) {
    const auto ndim = static_cast<int>(between(1, 3));
    const int64_t most[] = {5000, 90, 30};
    for (int axis = 0; axis < ndim; ++axis) shape_.push_back(between(1, most[ndim - 1]));
  }

  std::vector<Both> draw() {
    const auto leaves = between(1, 4);
    for (int k = 0; k < leaves; ++k) add_leaf();
    const auto count = between(1, 30);
    for (int k = 0; k < count; ++k) add_node();
    std::vector<Both> roots;
    const auto wanted = between(1, 3);
    for (int k = 0; k < wanted; ++k)
      roots.push_back(all_[all_.size() - 1 -
                           static_cast<size_t>(between(
                               0, std::min<int64_t>(3, static_cast<int64_t>(all_.size()) - 1)))]);
    return roots;
  }

 private:
  int64_t between(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random_);
  }
  template <class T, size_t n>
  T one_of(const T (&list)[n]) {
    return list[between(0, n - 1)];
  }
  const Both& any() {
    return all_[static_cast<size_t>(between(0, static_cast<int64_t>(all_.size()) - 1))];
  }

  // The order in which columns are added up depends on how arrays lie, and what eager calls store
  // may lie otherwise than what it is made of.
  bool lies_in_c() { return is_exact() || between(0, 1) == 1; }

  void add_leaf() {
    constexpr DType dtypes[] = {DType::f32, DType::f32,     DType::f64, DType::i32,
                                DType::f16, DType::boolean, DType::u8};
    Dims shape = shape_;
    for (int axis = 0; axis < shape.size(); ++axis)
      if (between(0, 4) == 0) shape[axis] = 1;
    while (!shape.empty() && between(0, 5) == 0) shape.erase(0);
    std::vector<double> values(static_cast<size_t>(size_of(shape)));
    for (double& v : values) v = static_cast<double>(between(0, 64)) / 16;
    Array wide = Array::empty(stream(), DType::f64, shape, lies_in_c() ? Order::c : Order::f);
    if (!values.empty())
      write(wide, host_memory(DType::f64, shape, nullptr, values.data()), stream());
    const Array array = converted(wide, one_of(dtypes));
    all_.push_back({expr::array_node(array), array});
  }

  void add_node() {
    switch (between(0, 12)) {
      case 0:
      case 1:
        return add_reduction();
      case 2:
        return add_convert();
      case 3:
      case 4:
        return add_unary();
      case 5:
        return add_view();
      case 6:
        return between(0, 1) ? add_scan() : between(0, 2) ? add_kernel() : add_product();
      case 7:
        return add_where();
      case 8:
        return add_indices();
      default:
        return add_binary();
    }
  }

  // Of a whole array, a line of it, or what has one element along the axis.
  void add_indices() {
    const Both x = any();
    if (x.array.ndim() == 0) return;
    const auto axis = between(0, x.array.ndim() - 1);
    const int64_t extent = x.array.layout.shape[axis];
    Dims line;
    for (int k = 0; k < x.array.ndim(); ++k) line.push_back(k == axis ? extent : 1);
    std::vector<int64_t> values(static_cast<size_t>(extent));
    std::iota(values.begin(), values.end(), 0);
    Array places = Array::empty(stream(), DType::i64, line);
    if (extent > 0) write(places, host_memory(DType::i64, line, nullptr, values.data()), stream());
    const Array all = broadcast(places, x.array.layout.shape);
    all_.push_back({expr::indices_node(x.expr, axis), all});
  }

  void add_where() {
    const Both c = any(), x = any(), y = any();
    const Both truth{expr::convert_node(c.expr, DType::boolean),
                     converted(c.array, DType::boolean)};
    try_function(Op::where, {truth.expr, x.expr, y.expr},
                 {{&truth.array, nullptr}, {&x.array, nullptr}, {&y.array, nullptr}});
  }

  void add_view() {
    const Both x = any();
    const int ndim = x.array.ndim();
    if (ndim == 0) return;
    const auto axis = static_cast<int32_t>(between(0, ndim - 1));
    const int64_t extent = x.array.layout.shape[axis];
    switch (is_exact() ? 3 * between(0, 1) : between(0, 3)) {
      case 0: {
        const int64_t step = lies_in_c() ? 1 : -1;
        const int64_t start = between(0, extent), stop = between(0, extent);
        all_.push_back({expr::slice_node(x.expr, axis, start, stop, step),
                        slice(x.array, axis, start, stop, step)});
        return;
      }
      case 1:
        all_.push_back({expr::transpose_node(x.expr, {}), reverse_axes(x.array)});
        return;
      case 2:
        all_.push_back({expr::flip_node(x.expr, {{axis}}), flip(x.array, {{axis}})});
        return;
      default:
        all_.push_back({expr::expand_node(x.expr, axis), expand(x.array, axis)});
    }
  }

  void add_scan() {
    constexpr Scanner scanners[] = {Scanner::cumsum, Scanner::cumprod, Scanner::cummax};
    const Scanner scanner = one_of(scanners);
    const Both x = any();
    if (x.array.ndim() == 0) return;
    const ScanRequest request{static_cast<int>(between(0, x.array.ndim() - 1)), between(0, 1) == 1};
    all_.push_back({expr::scan_node(scanner, x.expr, request.axis, request.exclusive),
                    *scan(scanner, x.array, nullptr, request, &stream())});
  }

  // Of whole numbers, which are added up exactly: that of a node with its transpose, mostly.
  void add_product() {
    const auto counted = [&](const Both& x) {
      return Both{expr::convert_node(expr::convert_node(x.expr, DType::boolean), DType::i32),
                  converted(converted(x.array, DType::boolean), DType::i32)};
    };
    const Both x = counted(any());
    Both y = x;
    if (between(0, 2) == 0)
      y = counted(any());
    else
      y = {expr::transpose_node(x.expr, {}), reverse_axes(x.array)};
    try {
      product_of(x.array, y.array);
    } catch (const Error&) {
      return;  // shapes that do not go together
    }
    all_.push_back(
        {expr::matmul_node(x.expr, y.expr), *matmul(nullptr, x.array, y.array, 0, &stream())});
  }

  // One that is a part of others, or not.
  void add_kernel() {
    static const auto inlined = std::make_shared<Elementwise>(
        "T x, float64 y", "T z, float64 w", "z = x < (T)2 ? x : (T)y; w = y + 1", KernelOptions{});
    static const auto alone = std::make_shared<Elementwise>(
        "T x, float64 y", "T z, float64 w", "z = i < 3 ? x : (T)y; w = y + 1", KernelOptions{});
    const auto& kernel = between(0, 1) ? inlined : alone;
    const Both x = any();
    const Both other = any();
    const Both y{expr::convert_node(other.expr, DType::f64), converted(other.array, DType::f64)};
    const Argument inputs[] = {{&x.array, nullptr}, {&y.array, nullptr}};
    const Array* const none[] = {nullptr, nullptr};
    const Expr operands[] = {x.expr, y.expr};
    MadeOutputs made;
    try {
      made = kernel->call(inputs, none, no_size, &stream());
    } catch (const Error&) {
      return;  // shapes that do not go together
    }
    const auto nodes = expr::kernel_nodes(kernel, operands);
    for (size_t k = 0; k < nodes.size(); ++k) all_.push_back({nodes[k], made[k].second});
  }

  void add_unary() {
    constexpr Op ops[] = {Op::abs, Op::square, Op::sqrt, Op::tanh, Op::arctan, Op::exp2, Op::sign};
    const Op op = one_of(ops);
    const Both x = any();
    try_function(op, {x.expr}, {{&x.array, nullptr}});
  }

  void add_binary() {
    constexpr Op ops[] = {Op::add,  Op::subtract, Op::multiply, Op::maximum, Op::minimum,
                          Op::less, Op::arctan2,  Op::divide,   Op::equal};
    const Op op = one_of(ops);
    const Both x = any(), y = any();
    if (between(0, 3) > 0)
      return try_function(op, {x.expr, y.expr}, {{&x.array, nullptr}, {&y.array, nullptr}});
    const Scalar scalar = between(0, 1) ? Scalar::of(int64_t{between(1, 9)})
                                        : Scalar::of(static_cast<double>(between(1, 99)) / 8);
    try_function(op, {x.expr, expr::scalar_node(scalar)},
                 {{&x.array, nullptr}, {nullptr, &scalar}});
  }

  // A refusal is the same by both ways, and adds nothing.
  void try_function(Op op, const std::vector<Expr>& operands, const std::vector<Argument>& inputs) {
    Both made;
    std::string refused;
    try {
      const Array* none = nullptr;
      made.array = apply(op, inputs, {&none, 1}, nullptr, &stream())[0].second;
    } catch (const Error& error) {
      refused = status_name(error.status());
    }
    try {
      made.expr = expr::function_node(op, operands);
      CHECK_EQ(refused, "");
      CHECK(made.expr->dtype == made.array.dtype);
      CHECK(made.expr->shape == made.array.layout.shape);
      all_.push_back(made);
    } catch (const Error& error) {
      CHECK_EQ(std::string(status_name(error.status())), refused);
    }
  }

  void add_convert() {
    constexpr DType dtypes[] = {DType::f32, DType::f64, DType::f16, DType::i32};
    const DType dtype = one_of(dtypes);
    const Both x = any();
    all_.push_back({expr::convert_node(x.expr, dtype), converted(x.array, dtype)});
  }

  void add_reduction() {
    constexpr Reducer reducers[] = {Reducer::sum, Reducer::mean,   Reducer::max, Reducer::min,
                                    Reducer::var, Reducer::argmax, Reducer::any, Reducer::norm_2};
    const Reducer reducer = one_of(reducers);
    const Both x = any();
    std::vector<int32_t> list;
    for (int axis = 0; axis < x.array.ndim(); ++axis)
      if (between(0, 1)) list.push_back(axis);
    const AxisRequest axes{list, list.empty(), between(0, 1) == 1};
    const Scalar ddof = Scalar::of(0.0);
    std::vector<Argument> inputs{{&x.array, nullptr}};
    if (reducer == Reducer::var) inputs.push_back({nullptr, &ddof});
    std::string refused;
    Both made;
    try {
      made.array = *reduce(reducer, inputs, nullptr, axes, &stream());
    } catch (const Error& error) {
      refused = status_name(error.status());
    }
    try {
      made.expr = expr::reduction_node(reducer, x.expr, axes, 0);
      CHECK_EQ(refused, "");
      all_.push_back(made);
    } catch (const Error& error) {
      CHECK_EQ(std::string(status_name(error.status())), refused);
    }
  }

  std::mt19937_64 random_;
  Dims shape_;
  std::vector<Both> all_;
};

// Fused multiply-adds and the order of sums may change the last bits, which further operations
// enlarge; comparisons and integers then jump. So the bulk is compared.
void compare(const Array& actual, const Array& expected, uint64_t seed) {
  CHECK(actual.dtype == expected.dtype);
  CHECK(actual.layout.shape == expected.layout.shape);
  const auto a = values_of(actual), e = values_of(expected);
  const bool exact = is_exact();
  size_t wrong = 0, first = a.size();
  for (size_t k = 0; k < a.size(); ++k) {
    const bool same = a[k] == e[k] || (std::isnan(a[k]) && std::isnan(e[k])) ||
                      (!exact && std::abs(a[k] - e[k]) <= 2e-2 * (1 + std::abs(e[k])));
    if (!same && ++wrong == 1) first = k;
  }
  if (wrong > (exact ? 0 : a.size() / 50))
    check::report(__FILE__, __LINE__)
        << "seed " << seed << ": " << wrong << " of " << a.size() << " elements differ, " << first
        << ": " << a[first] << " for " << e[first] << " (" << name(actual.dtype) << ")\n";
}

void check_seed(uint64_t seed) {
  const std::vector<Both> roots = Drawing(seed).draw();
  std::vector<Expr> exprs;
  for (const Both& root : roots) exprs.push_back(root.expr);
  const std::vector<const Array*> none(exprs.size());
  try {
    const auto made = expr::evaluate(exprs, none, &stream());
    for (size_t k = 0; k < made.size(); ++k) compare(*made[k], roots[k].array, seed);
  } catch (const Error& error) {
    check::report(__FILE__, __LINE__) << "seed " << seed << ": " << error.what() << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = test_seed();
  const int count = argc > 1 ? std::atoi(argv[1]) : check::sanitized ? 6 : 20;
  for (int k = 0; k < count && check::failures < 10; ++k)
    check_seed(seed * 1000 + static_cast<uint64_t>(k));
  return check::result();
}
