#include "expr_repeated.hpp"

#include <array>

#include "objects.hpp"

namespace {

using Expr = Handle<gpuarr_expr, gpuarr_expr_release>;

Expr leaf(const Array& array) {
  Expr out;
  check(gpuarr_expr_array(out.out(), array.get()));
  return out;
}

Expr input(int32_t number) {
  Expr out;
  check(gpuarr_expr_input(out.out(), number));
  return out;
}

Expr number(double value) {
  Expr out;
  check(gpuarr_expr_scalar(out.out(), gpuarr_arg_f64(value)));
  return out;
}

Expr applied(const char* function, const Expr& x, const Expr& y) {
  Expr out;
  const gpuarr_expr* const operands[] = {x.get(), y.get()};
  check(gpuarr_expr_apply(out.out(), 1, function, operands, 2));
  return out;
}

Expr ten_nodes(const Expr& x, const Expr& y) {
  const Expr both = applied("multiply", applied("subtract", x, y), applied("add", x, y));
  return applied("add", applied("add", applied("multiply", number(2), both), x), number(1));
}

class Repeated {
 public:
  explicit Repeated(const char* device) {
    check(gpuarr_device_open(&device_, device));
    for (Array* a : {&x_, &y_, &z_})
      check(gpuarr_array_zeros(a->out(), device_, GPUARR_F32, 1, &length, GPUARR_ORDER_C, nullptr));
    inputs_ = {gpuarr_arg_array(x_.get()), gpuarr_arg_array(y_.get())};
  }

  std::vector<Figure> run() {
    Kernel kernel;
    check(gpuarr_elementwise_create(kernel.out(), "float32 x, float32 y", "float32 z",
                                    "z = 2 * ((x - y) * (x + y)) + x + 1", nullptr));
    Call call;
    gpuarr_array* const outputs[] = {z_.get()};
    check(gpuarr_elementwise_prepare(call.out(), kernel.get(), outputs, 1, inputs_.data(), 2,
                                     GPUARR_NO_SIZE));
    const double launch = each([&] { check(gpuarr_call_launch(call.get(), nullptr)); });
    const auto above = [&](const char* what, double us, double at_most) {
      Figure out{std::string(what) + ", on top of a launch", us - launch};
      out.at_most_us = at_most;
      return out;
    };
    return {{"building ten nodes", each([&] { ten_nodes(leaf(x_), leaf(y_)); })},
            above("ten nodes built and evaluated", each([&] { evaluate(); }), 2),
            above("the same as text", each([&] { evaluate_text(); }), 2.5),
            above("the same as a function", function(), 0),
            above("a call of one kernel", each([&] {
                    gpuarr_array* out = z_.get();
                    check(gpuarr_elementwise_call(kernel.get(), &out, 1, inputs_.data(), 2,
                                                  GPUARR_NO_SIZE, nullptr));
                  }),
                  0)};
  }

 private:
  void evaluate() {
    const Expr root = ten_nodes(leaf(x_), leaf(y_));
    const gpuarr_expr* const roots[] = {root.get()};
    gpuarr_array* out = z_.get();
    check(gpuarr_evaluate(&out, roots, 1, nullptr));
  }

  void evaluate_text() {
    constexpr const char* names[] = {"x", "y"};
    gpuarr_array* out = z_.get();
    check(gpuarr_eval(&out, "2*((x - y)*(x + y)) + x + 1", names, inputs_.data(), 2, nullptr));
  }

  double function() {
    const Expr root = ten_nodes(input(0), input(1));
    const gpuarr_expr* const roots[] = {root.get()};
    Function made;
    check(gpuarr_function_create(made.out(), roots, 1));
    return each([&] {
      gpuarr_array* out = z_.get();
      check(gpuarr_function_call(made.get(), &out, 1, inputs_.data(), 2, nullptr));
    });
  }

  template <class F>
  double each(const F& function) {
    constexpr int count = 2000;
    std::vector<double> times;
    for (int turn = 0; turn < 15; ++turn) {
      const double begin = now_us();
      for (int k = 0; k < count; ++k) function();
      times.push_back((now_us() - begin) / count);
      check(gpuarr_device_synchronize(device_));
    }
    return median(times);
  }

  static constexpr int64_t length = 1000;
  gpuarr_device* device_ = nullptr;
  Array x_, y_, z_;
  std::array<gpuarr_arg, 2> inputs_{};
};

}  // namespace

std::vector<Figure> repeated_expressions(const char* device) { return Repeated(device).run(); }
