// Expressions beside the same kernels written by hand, beside a copy of as many bytes and beside
// one call after another, on the CPU and on a GPU if there is one, made with the library's insides;
// and what a repeated evaluation costs.
#include <optional>

#include "device_bench.hpp"
#include "expr/evaluate.hpp"
#include "expr_build.hpp"
#include "expr_repeated.hpp"
#include "gpuarr/device.h"
#include "kernel/reduction.hpp"

using namespace gpuarr;
using namespace building;

namespace {

using Made = std::vector<std::optional<Array>>;

class Bench : public device_bench::Bench {
 public:
  Bench(Device& device, int64_t n)
      : device_bench::Bench(device),
        report_(on_cpu() ? "host_expr" : "expr", device.facts().description.c_str()),
        n_(n) {}

  void squared_error(DType dtype) {
    const Array x = array(dtype, {n_}), y = array(dtype, {n_});
    const Expr d = node(x) - node(y), error = mean(d * d);
    Reduction hand({"T x, T y", "T z", "(x - y) * (x - y)", "a + b", "z = a / n", "0"}, {});
    const Argument inputs[] = {{&x, nullptr}, {&y, nullptr}};
    const Array out = Array::empty(*stream_, dtype, Dims{});
    const Array* const into[] = {&out};
    const auto us = medians({evaluation({error}, {&out}),
                             [&] { hand.call(inputs, into, AxisRequest{}, stream_.get()); }});
    report_.add({formatted("mean((x-y)**2), {}", facts_of(dtype).short_name), us[0], us[1], 0.97});
  }

  void loops() {
    const Array x = array(DType::f32, {n_}), y = array(DType::f32, {n_}),
                w = array(DType::f32, {n_}), out = Array::empty(*stream_, DType::f32, Dims{n_});
    const Expr sum = 2.5 * node(x) + 0.5 * node(y) - 1.5 * node(w);
    by_hand("a*x + b*y - c*w", sum, "float32 x, float32 y, float32 w",
            "z = 2.5f*x + .5f*y - 1.5f*w", {&x, &y, &w}, out);
    Expr ten = node(x);
    for (int k = 0; k < 10; ++k) ten = ten + node(x);
    by_hand("ten adds of one array", ten, "float32 x", "z = x+x+x+x+x+x+x+x+x+x+x", {&x}, out);
  }

  void statistics() {
    const Array x = array(DType::f32, {n_});
    const Expr e = node(x);
    const auto us = medians(
        {evaluation({mean(e), over(Reducer::var, e), over(Reducer::min, e), over(Reducer::max, e)}),
         evaluation({sum(e)}), [&] {
           for (Reducer r : {Reducer::mean, Reducer::var, Reducer::min, Reducer::max}) call(r, x);
         }});
    report_.add({"mean, var, min, max, against sum", us[0], us[1], 1 / 1.15});
    report_.add({"mean, var, min, max, against four calls", us[0], us[2], 1});
  }

  void adam() {
    const DType f = DType::f32;
    const Array g = array(f, {n_}), m = array(f, {n_}), v = array(f, {n_}), p = array(f, {n_});
    const Array out[] = {Array::empty(*stream_, f, Dims{n_}), Array::empty(*stream_, f, Dims{n_}),
                         Array::empty(*stream_, f, Dims{n_})};
    const Expr m1 = 0.9 * node(m) + 0.1 * node(g), v1 = 0.99 * node(v) + 0.01 * square(node(g));
    const Expr p1 = node(p) - 0.001 * m1 / (sqrt(v1 * v1) + 1e-8);
    const auto us =
        medians({evaluation({p1, m1, v1}, {&out[0], &out[1], &out[2]}), copy(out[0], g)});
    report_.add({"Adam, against a copy of as many bytes", us[0], us[1] * 3.5, 0.99});
  }

  // As many arrays as a kernel takes: what is under way has to fit registers.
  void many() {
    constexpr int count = 24;
    const int64_t n = n_ / 4;
    std::vector<Array> x;
    for (int k = 0; k < count; ++k) x.push_back(array(DType::f32, {n}));
    const Array out = Array::empty(*stream_, DType::f32, Dims{n});
    Expr all = node(x[0]);
    for (int k = 1; k < count; ++k) all = all + node(x[as_index(k)]);
    auto us = medians({evaluation({all}, {&out}), copy(out, x[0])});
    report_.add(
        {"sum of 24 arrays, against a copy of as many bytes", us[0], us[1] * (count + 1) / 2, 0.9});
    us = medians({evaluation({sum(all)}), copy(out, x[0])});
    report_.add({"sum of all of 24 arrays, against a copy", us[0], us[1] * count / 2, 0.9});
  }

  // What is no row kernel: along the outer axis, of long rows, and where arrays lie otherwise.
  void passes(int64_t count, int64_t length) {
    const Array x = array(DType::f32, {count, length}),
                out = Array::empty(*stream_, DType::f32, {count, length});
    const Expr e = node(x);
    for (const int axis : {0, 1}) {
      const Expr up = exp(e - over(Reducer::max, e, axis, true));
      const auto us =
          medians({evaluation({up / over(Reducer::sum, up, axis, true)}, {&out}), copy(out, x)});
      report_.add(
          {formatted("softmax along axis {} of ({}, {}), against 1.5 copies", axis, count, length),
           us[0], us[1] * 1.5});
    }
    const Expr across = node(reverse_axes(array(DType::f32, {length, count})));
    const auto us = medians({evaluation({over(Reducer::sum, across * e, 1)}), copy(out, x)});
    report_.add({formatted("sum(x.T * y, axis=1) of ({}, {}), against 2 copies", count, length),
                 us[0], us[1] * 2});
  }

  void rows(DType dtype, int64_t count, int64_t length, double demand) {
    const Array x = array(dtype, {count, length}), w = array(dtype, {length}),
                b = array(dtype, {length}), out = Array::empty(*stream_, dtype, {count, length});
    const Expr e = node(x), d = e - over(Reducer::mean, e, 1, true);
    const Expr up = exp(e - over(Reducer::max, e, 1, true));
    const std::pair<const char*, Expr> all[] = {
        {"softmax", up / over(Reducer::sum, up, 1, true)},
        {"layer norm",
         d / sqrt(over(Reducer::mean, square(d), 1, true) + 1e-5) * node(w) + node(b)},
        {"z-score", d / sqrt(over(Reducer::mean, square(d), 1, true))},
    };
    for (const auto& [name, root] : all) {
      const auto us = medians({evaluation({root}, {&out}), copy(out, x)});
      report_.add({formatted("{} of {} rows of {} {}, against a copy", name, count, length,
                             facts_of(dtype).short_name),
                   us[0], us[1], demand});
    }
  }

  void in_cache() {
    const Array x = array(DType::f32, {n_}), y = array(DType::f32, {n_}),
                out = Array::empty(*stream_, DType::f32, Dims{n_});
    const Expr both = exp(0 - node(x) * node(x)) * building::call(Op::sin, {node(y)});
    const auto us = medians({evaluation({both}, {&out}), [&] { calls(x, y); }});
    report_.add({"exp(-x*x)*sin(y), against one call after another", us[0], us[1], 1});
  }

  void repeated() {
    for (const Figure& figure : repeated_expressions(device_.facts().name.c_str()))
      report_.add(figure);
  }

 private:
  static Expr node(const Array& x) { return expr::array_node(x); }

  std::function<void()> evaluation(std::vector<Expr> roots, std::vector<const Array*> into = {}) {
    into.resize(roots.size());
    return [this, roots, into] { expr::evaluate(roots, into, stream_.get()); };
  }

  std::function<void()> copy(const Array& to, const Array& from) {
    return [=, this] { device_.copy(to.data, from.data, from.size() * from.itemsize(), *stream_); };
  }

  void by_hand(const char* what, const Expr& root, const char* in_params, const char* body,
               const std::vector<const Array*>& arrays, const Array& out) {
    Elementwise hand(in_params, "float32 z", body, {});
    std::vector<Argument> inputs;
    for (const Array* a : arrays) inputs.push_back({a, nullptr});
    const Array* const into[] = {&out};
    const auto us = medians(
        {evaluation({root}, {&out}), [&] { hand.call(inputs, into, no_size, stream_.get()); }});
    report_.add({what, us[0], us[1], 0.97});
  }

  void call(Reducer reducer, const Array& x) {
    const Scalar ddof = Scalar::of(0.0);
    const Argument inputs[] = {{&x, nullptr}, {nullptr, &ddof}};
    reduce(reducer, {inputs, reducer == Reducer::var ? size_t{2} : 1}, nullptr, {}, stream_.get());
  }

  Array one(Op op, std::vector<Argument> inputs) {
    const Array* const none[] = {nullptr};
    return *only_of(apply(op, inputs, none, nullptr, stream_.get()));
  }

  void calls(const Array& x, const Array& y) {
    const Array square = one(Op::multiply, {{&x, nullptr}, {&x, nullptr}});
    const Array less = one(Op::negative, {{&square, nullptr}});
    const Array up = one(Op::exp, {{&less, nullptr}}), sine = one(Op::sin, {{&y, nullptr}});
    one(Op::multiply, {{&up, nullptr}, {&sine, nullptr}});
  }

  const ::Report report_;
  const int64_t n_;
};

void run_on(Device& device) {
  const bool on_cpu = device.has_host_memory();
  Bench bench(device, on_cpu ? 10'000'000 : 100'000'000);
  bench.repeated();
  bench.squared_error(DType::f32);
  bench.squared_error(DType::f64);
  bench.loops();
  bench.statistics();
  bench.adam();
  bench.in_cache();
  bench.many();
  if (on_cpu) {
    bench.passes(8192, 1024);
    bench.rows(DType::f32, 8192, 1024, 0);
    bench.rows(DType::f32, 20000, 300, 0);
    return;
  }
  bench.passes(65536, 1024);
  bench.passes(64, 1 << 20);
  bench.rows(DType::f32, 65536, 1024, 0.95);
  bench.rows(DType::f32, 65536, 4096, 0.95);
  bench.rows(DType::f16, 65536, 4096, 0.95);
  bench.rows(DType::f32, 4096, 16384, 0.85);
  bench.rows(DType::f32, 2000, 50000, 0.75);
  bench.rows(DType::f32, 1000, 100000, 0);
  bench.rows(DType::f32, 500, 200000, 0);
}

}  // namespace

int main() {
  const TemporaryCache cache;
  run_on(host_device());
  if (device_count(GPUARR_DEVICE_CUDA) > 0) run_on(open_device("cuda"));
  return 0;
}
