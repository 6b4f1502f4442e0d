// Functions of expressions: called, prepared and captured, against loops; and what they refuse.
#include "check.hpp"
#include "gpuarr_ops.hpp"

using namespace gpuarr;

namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Integers = std::vector<int64_t>;

static_assert(std::is_nothrow_move_constructible_v<Function> && sizeof(Function) == sizeof(void*));
static_assert(!std::is_convertible_v<Expr, Function>);

const auto root_mean_square = [](auto x, auto y) { return sqrt(mean(square(x - y))); };

Function momentum_step() {
  return Function([](const Expr& x, const Expr& m, const Expr& g, const Expr& rate) {
    const auto next = 0.5 * m + g;
    return std::array{x - rate * next, next};
  });
}

template <class T> void takes_any_shapes(const Function& f) {
  for (int round = 0; round < 10; ++round) {
    const check::Both<T> x(check::random_shape(3, 6)), y(x.shape);
    double squares = 0;
    for (std::size_t k = 0; k < x.values.size(); ++k) {
      const auto d = static_cast<double>(x.values[k]) - static_cast<double>(y.values[k]);
      squares += d * d / static_cast<double>(x.values.size());
    }
    const Array found = f(x.array, y.array);
    CHECK_EQ(found.dtype(), mean(x.array).dtype());
    CHECK_SAME(found.astype(GPUARR_F64).template to_vector<double>(), (Doubles{std::sqrt(squares)}),
               1e-5);
    CHECK_EQ(check::kernels(f.explain(x.array, y.array)), 1);
    CHECK(allclose(f(x.array, 2), root_mean_square(x.array, Expr(2)), 1e-6));
  }
}

void takes_any_dtypes() {
  const Function f(root_mean_square);
  takes_any_shapes<float>(f);
  takes_any_shapes<double>(f);
  takes_any_shapes<int32_t>(f);
  CHECK_EQ(f(Array::from(Floats{1, 2}), 0.5f).dtype(), GPUARR_F32);              // numbers are weak
  CHECK_EQ(f(Array::from(Floats{1, 2}) * 3, 3).item<float>(), std::sqrt(4.5f));  // computed before
}

void is_made_in_several_ways() {
  const Array x = Array::from(Floats{1, 2, 4});
  const Expr in = Function::input(0), other = Function::input(1);
  const Function of_list{in * other}, of_lambda([](Expr a, Expr b) { return a *= b; });
  CHECK_SAME(of_list(x, x).to_vector<float>(), (Floats{1, 4, 16}), 0);
  CHECK_SAME(of_lambda(x, x).to_vector<float>(), (Floats{1, 4, 16}), 0);
  const Function copy = of_list, constant([&] { return 2 * x; }), same([](auto a) { return a; });
  CHECK(copy == of_list);
  CHECK_SAME(constant().to_vector<float>(), (Floats{2, 4, 8}), 0);
  CHECK(array_equal(same(x), x) && same(x).data() != x.data());
  CHECK_EQ(gpuarr_function_input_count(of_lambda), 2);
  const Function parts([](const auto& a) {
    const auto [fraction, whole] = modf(a);
    return std::vector<Expr>{fraction, whole};
  });
  CHECK_EQ(gpuarr_function_output_count(parts), 2);
  const Function ninth{Function::input(8) - Function::input(0)};
  CHECK_SAME(ninth(x, 0, 0, 0, 0, 0, 0, 0, x * x).to_vector<float>(), (Floats{0, 2, 12}), 0);
}

void has_several_outputs() {
  const Array x = Array::from(Floats{4, 4}), m = Array::from(Floats{0, 2}),
              g = Array::from(Floats{1, 1});
  const Function step = momentum_step();
  CHECK_EQ(check::kernels(step.explain(x, m, g, 0.5)), 1);
  Array moved, next, same_x = x, same_m = m;
  step.run({moved, next}, {x, m, g, 0.5});  // made
  CHECK_SAME(moved.to_vector<float>(), (Floats{3.5, 3}), 0);
  CHECK_SAME(next.to_vector<float>(), (Floats{1, 2}), 0);
  const void* data = x.data();
  for (int k = 0; k < 2; ++k) step.run({same_x, same_m}, {x, m, g, 0.5});  // in place
  CHECK_SAME(x.to_vector<float>(), (Floats{2.75, 2}), 0);
  CHECK_SAME(m.to_vector<float>(), (Floats{1.5, 2}), 0);
  CHECK(same_x.data() == data);
  const Stream stream(x.device());
  step.run({moved, next}, {x, m, g, 0}, stream);
  stream.synchronize();
  CHECK(array_equal(moved, x));
}

void keeps_arrays_that_are_no_inputs() {
  const auto make = [](const Array& weight) {
    return Function([&](auto x) { return x * weight; });
  };
  Array weight = Array::from(Floats{1, 2});
  const Function f = make(weight);
  weight.fill(3);
  weight.reset();
  CHECK_SAME(f(Array::from(Floats{1, 2})).to_vector<float>(), (Floats{3, 6}), 0);
}

void views_and_scans_and_kernels() {
  const Array x = Array::from(Integers{1, 4, 9, 16});
  const Function steps([](auto a) { return a.slice(0, 1) - a.slice(0, 0, -1); });
  CHECK_SAME(steps(x).to_vector<int64_t>(), (Integers{3, 5, 7}), 0);
  CHECK_SAME(steps(x.slice(0, GPUARR_NONE, GPUARR_NONE, -1)).to_vector<int64_t>(),
             (Integers{-7, -5, -3}), 0);
  const Function table([](auto a) { return expand(a, 0) * expand(flip(a), 1); });
  CHECK(table(x).shape() == (Shape{4, 4}));
  const Function running([](auto a) { return cumsum(2 * a, -1, true); });
  CHECK_SAME(running(x).to_vector<int64_t>(), (Integers{0, 2, 10, 28}), 0);
  const Elementwise next("T x", "T y", "y = x + 1");
  const Reduction total("T x", "T y", "x", "a + b", "y = a", "0");
  const Function own([&](auto a) { return total(next(a * a)); });
  CHECK_EQ(check::kernels(own.explain(x)), 1);
  CHECK_EQ(own(x).item<int64_t>(), 1 + 16 + 81 + 256 + 4);
  CHECK_EQ(own(x * 1.0).dtype(), GPUARR_F64);
  const auto shares = [](auto a) {
    const auto e = exp(a - max(a, {-1}, true));
    return e / sum(e, {-1}, true);
  };
  const Function softmax(shares);
  const Array rows = cumsum(full(GPUARR_F32, {3, 64}, 0.25f));
  CHECK_EQ(check::kernels(softmax.explain(rows)), 1);
  CHECK(allclose(softmax(rows), shares(Expr(rows))));
}

void prepared() {
  const Function step = momentum_step();
  Array x = zeros(GPUARR_F32, {2}), m = Array::from(Floats{0, 2}), g = ones(GPUARR_F32, {2});
  Call call = step.prepare({x, m}, {x, m, g, 0.5});
  call.launch();
  CHECK_SAME(x.to_vector<float>(), (Floats{-0.5, -1}), 0);
  call.set(3, 0);
  call.launch();
  CHECK_SAME(x.to_vector<float>(), (Floats{-0.5, -1}), 0);
  CHECK_SAME(m.to_vector<float>(), (Floats{1.5, 2}), 0);
  const Stream stream(x.device());
  Graph graph = stream.capture([&] { step.run({x, m}, {x, m, g, 1}, stream); });
  stream.launch(graph);
  stream.launch(graph);
  stream.synchronize();
  CHECK_SAME(m.to_vector<float>(), (Floats{1.875, 2}), 0);
  CHECK_SAME(x.to_vector<float>(), (Floats{-4.125, -5}), 0);
}

void refused() {
  const Array x = Array::from(Floats{1, 2}), y = Array::from(Floats{1, 2, 3}), none;
  const Expr in = Function::input(0);
  Function f(root_mean_square), bits([](auto a) { return ~a; }),
      rows([](auto a) { return sum(a, {1}); });
  Array z, other, wrong = y.copy();
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "input_count is 1, but the function has 2 inputs",
              [&] { f(x); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "input_count is 3", [&] { f(x, x, x); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "output_count is 2, but the function has 1 output", [&] {
    f.run({z, other}, {x, x});
  });
  CHECK_FAILS(GPUARR_ERR_BROADCAST, "in subtract(float32 (2,), float32 (3,))", [&] { f(x, y); });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "outputs[0] has shape (3,)", [&] { f.run({wrong}, {x, x}); });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "float32", [&] { bits(x); });
  CHECK_FAILS(GPUARR_ERR_AXIS, "axes[0] is 1", [&] { rows(x); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "no operand is an array", [&] { f(1, 2); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "inputs[1] is neither", [&] { f(x, none); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "outputs[0] is NULL; a prepared call needs all outputs", [&] {
    f.prepare({z}, {x, x});
  });
  CHECK_FAILS(GPUARR_ERR_BROADCAST, "(3,)", [&] { f.explain(x, y); });
  // An input stands for nothing outside of a function.
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "has inputs that stand for nothing", [&] { z = in + x; });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "has inputs that stand for nothing",
              [&] { sum(in).item<int>(); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "has inputs that stand for nothing", [&] { f(x, in); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "has inputs that stand for nothing", [&] {
    Function([&](auto a) { return f(x, a) + a; });  // call root_mean_square instead
  });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "number is 1024", [] { Function::input(1024); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "number is -1", [] { Function::input(-1); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "count is 0", [] { Function(std::initializer_list<Expr>{}); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "exprs[0] is NULL", [] { Function{Expr()}; });
  f.reset();
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "function is NULL", [&] { f(x, x); });
  CHECK(z == nullptr && in.dtype() == 0 && in.shape().empty());
}

}  // namespace

int main() {
  check::choose_device();
  takes_any_dtypes();
  is_made_in_several_ways();
  has_several_outputs();
  keeps_arrays_that_are_no_inputs();
  views_and_scans_and_kernels();
  prepared();
  refused();
  return check::result();
}
