// Reductions on the GPU: shapes, axes, layouts, dtypes and operators, each against the most that
// reading alone can get out of the machine in the same run.
#include <cmath>

#include "cuda_bench.cuh"
#include "reduction_bench.cuh"

namespace {

constexpr int64_t edge = 16384;

const ReductionText l2_norm = {"T x", "T y", "x * x", "a + b", "y = sqrt(a)"};
const ReductionText sum = {"T x", "T y", "x"};

/// gpuarr_sum and those like it.
using Reducer = gpuarr_status(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                              int32_t axis_count, int32_t keepdims, gpuarr_stream* stream);

gpuarr_status variance(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                       int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return gpuarr_var(out, x, 0, axes, axis_count, keepdims, stream);
}

/// Rows of the table: a kernel over inputs, by the bytes that it must read.
class Table {
 public:
  Table(Bench& bench, double rate) : bench_(bench), rate_(rate) {}

  void row(const std::string& what, const ReductionText& text, const std::vector<const Array*>& in,
           const std::vector<int32_t>& axes, double demand) const {
    std::vector<gpuarr_arg> inputs;
    double bytes = 0;
    for (const Array* a : in) {
      inputs.push_back(gpuarr_arg_array(a->get()));
      bytes += static_cast<double>(gpuarr_array_size(a->get()) * element_bytes(*a));
    }
    std::vector<Call> calls;
    calls.push_back(prepare(make_reduction(text), inputs, axes));
    const double us = launches_us(bench_, calls);
    bench_.report(what.c_str(), short_name(*in[0]), gpuarr_array_size(in[0]->get()), us,
                  bytes / us / 1e3, bytes / us / rate_, demand);
  }

  /// A ready-made reduction.
  void row(const std::string& what, Reducer* reduce, const Array& x, std::vector<int32_t> axes,
           double demand) const {
    Array out;
    const int32_t count = axes.empty() ? GPUARR_ALL_AXES : static_cast<int32_t>(axes.size());
    const double us = median_us(1, bench_.stream(), [&](size_t) {
      check(reduce(out.out(), x.get(), axes.data(), count, 0, nullptr));
    });
    const double bytes = static_cast<double>(gpuarr_array_size(x.get()) * element_bytes(x));
    bench_.report(what.c_str(), short_name(x), gpuarr_array_size(x.get()), us, bytes / us / 1e3,
                  bytes / us / rate_, demand);
  }

 private:
  static int64_t element_bytes(const Array& a) {
    return gpuarr_dtype_size(gpuarr_array_dtype(a.get()));
  }
  static const char* short_name(const Array& a) {
    switch (gpuarr_array_dtype(a.get())) {
      case GPUARR_I8:
        return "i8";
      case GPUARR_F16:
        return "f16";
      case GPUARR_BF16:
        return "bf16";
      case GPUARR_F32:
        return "f32";
      default:
        return "f64";
    }
  }

  Bench& bench_;
  double rate_;
};

/// The first elements of an array, in a shape.
Array first(const Array& flat, const std::vector<int64_t>& shape) {
  int64_t size = 1;
  for (const int64_t extent : shape) size *= extent;
  return reshape(slice(flat, 0, 0, size, 1), shape);
}

std::string axes_text(const std::vector<int32_t>& axes) {
  std::string text;
  for (const int32_t axis : axes) text += (text.empty() ? "" : ", ") + std::to_string(axis);
  return axes.size() == 1 ? "axis " + text : "axes (" + text + ")";
}

/// Two arrays of n elements and more such, so that together they do not fit the cache.
std::vector<Pair> make_pairs(Bench& bench, gpuarr_dtype dtype, int64_t n) {
  const int64_t bytes = 2 * n * gpuarr_dtype_size(dtype);
  const int64_t count = std::clamp<int64_t>((int64_t{512} << 20) / bytes, 1, 400);
  std::vector<Pair> pairs;
  for (int64_t k = 0; k < count; ++k)
    pairs.push_back({Array(bench.random(dtype, n)), Array(bench.random(dtype, n))});
  return pairs;
}

bool all_right = true;

/// What is wrong is no figure: the program goes on, but fails at the end.
void expect_close(double ours, double by_hand, double tolerance) {
  if (std::abs(ours - by_hand) <= tolerance * std::abs(by_hand)) return;
  std::fprintf(stderr, "mean squared error: ours is %g, by hand %g\n", ours, by_hand);
  all_right = false;
}

template <class T, class A>
void mean_squared_error(Bench& bench, double rate, const char* name, gpuarr_dtype dtype,
                        double demand) {
  const Reduction kernel = make_reduction({"T p, T t", "T o", "(p - t) * (p - t)", "a + b",
                                           "o = a / (_in_ind.size() / _out_ind.size())"});
  for (const int64_t n : {int64_t{100000000}, int64_t{10000000}, int64_t{100000}}) {
    const auto pairs = make_pairs(bench, dtype, n);
    std::vector<Call> calls;
    for (const Pair& p : pairs)
      calls.push_back(
          prepare(kernel, {gpuarr_arg_array(p.x.get()), gpuarr_arg_array(p.y.get())}, {}));
    const Array result = reduce(
        kernel, {gpuarr_arg_array(pairs[0].x.get()), gpuarr_arg_array(pairs[0].y.get())}, {});
    T ours, by_hand;
    const double best = best_mean_squared_error<T, A>(bench, pairs, by_hand);
    check(gpuarr_array_read(&ours, sizeof ours, nullptr, result.get(), nullptr));
    expect_close(static_cast<float>(ours), static_cast<float>(by_hand),
                 sizeof(T) == 2 ? 2e-3 : 1e-5);

    const double us = launches_us(bench, calls);
    const double bytes = 2.0 * static_cast<double>(n) * sizeof(T), gbs = bytes / us / 1e3;
    if (n == 100000000) {
      bench.report("mean squared error", name, n, us, gbs, bytes / us / rate, demand);
      bench.report("  by hand", name, n, best, bytes / best / 1e3, bytes / best / rate, 0);
    } else if (n == 10000000) {
      bench.report("mean squared error", name, n, us, gbs, best / us, 0.93);
    } else {
      bench.report("mean squared error", name, n, us, gbs, best / us, 0);
      // A third of the speed of nothing: at most three times as long.
      auto nothing = [&](size_t) { ceiling::empty_kernel<<<1, 32, 0, bench.stream()>>>(); };
      const double empty = median_us(1, bench.stream(), nothing);
      bench.report("  against an empty launch", name, n, us, gbs, empty / us, 1.0 / 3);
      const double empty_alone = alone_us(1, bench.stream(), nothing);
      const double alone =
          alone_us(calls.size(), bench.stream(), [&](size_t k) { launch(calls[k]); });
      bench.report("  the same, one at a time", name, n, alone, bytes / alone / 1e3,
                   empty_alone / alone, 1.0 / 3);
    }
  }
}

void squares(const Table& table, const Array& flat) {
  const Array x = first(flat, {edge, edge}), t = transpose(x);
  table.row("l2 norm", l2_norm, {&x}, {}, 0.93);
  table.row("l2 norm axis 0", l2_norm, {&x}, {0}, 0.93);
  table.row("l2 norm axis 1", l2_norm, {&x}, {1}, 0.93);
  table.row("l2 norm of x.T axis 0", l2_norm, {&t}, {0}, 0.93);
  table.row("l2 norm of x.T axis 1", l2_norm, {&t}, {1}, 0.93);
  table.row("sum", sum, {&x}, {}, 0);
  table.row("sum axis 0", sum, {&x}, {0}, 0);
  table.row("sum axis 1", sum, {&x}, {1}, 0);
}

void shapes(const Table& table, const Array& flat) {
  const Array cube = first(flat, {1024, 256, 1024});
  const std::vector<std::vector<int32_t>> sets = {{0}, {1}, {2}, {0, 2}, {0, 1}, {1, 2}, {0, 1, 2}};
  for (const auto& axes : sets)
    table.row("l2 norm (1024,256,1024) " + axes_text(axes), l2_norm, {&cube}, axes, 0.88);
  struct Shape {
    const char* name;
    std::vector<int64_t> shape;
    int32_t axis;
    double demand;
  };
  const std::vector<Shape> list = {
      {"(2^25,8)", {1 << 25, 8}, 1, 0.85},     {"(8,2^25)", {8, 1 << 25}, 0, 0.85},
      {"(2^20,100)", {1 << 20, 100}, 1, 0.85}, {"(3,2^27)", {3, 1 << 27}, 1, 0.85},
      {"(2^27,3)", {1 << 27, 3}, 0, 0},        {"(2^27,3)", {1 << 27, 3}, 1, 0},
      {"(3,2^27)", {3, 1 << 27}, 0, 0},        {"(100,10^6)", {100, 1000000}, 0, 0},
      {"(100,10^6)", {100, 1000000}, 1, 0},    {"(10^6,100)", {1000000, 100}, 0, 0},
      {"(10^6,100)", {1000000, 100}, 1, 0},    {"(2^20,256)", {1 << 20, 256}, 1, 0},
  };
  for (const Shape& s : list) {
    const Array x = first(flat, s.shape);
    table.row(std::string("l2 norm ") + s.name + " " + axes_text({s.axis}), l2_norm, {&x}, {s.axis},
              s.demand);
  }
}

void broadcast(const Table& table, const Array& flat) {
  const ReductionText weighted = {"T x, T w", "T y", "x * w"};
  const Array x = first(flat, {edge, edge}), spare = slice(flat, 0, edge * edge, GPUARR_NONE, 1);
  const Array column = first(spare, {edge, 1}), row = first(spare, {1, edge});
  table.row("x * w(N,1) axis 1", weighted, {&x, &column}, {1}, 0.88);
  table.row("x * w(1,M) axis 0", weighted, {&x, &row}, {0}, 0.88);
  table.row("x * w(N,1) axis 0", weighted, {&x, &column}, {0}, 0);
  table.row("x * w(1,M) axis 1", weighted, {&x, &row}, {1}, 0);
  table.row("x * w(N,1)", weighted, {&x, &column}, {}, 0);
}

void operators(const Table& table, const Array& flat) {
  const Array x = first(flat, {edge, edge});
  table.row("argmax by a struct", argmax_text(), {&x}, {}, 0);
  table.row("argmax by a struct axis 0", argmax_text(), {&x}, {0}, 0);
  table.row("argmax by a struct axis 1", argmax_text(), {&x}, {1}, 0);
  ReductionText ordered = sum;
  ordered.commutative = false;
  table.row("ordered sum", ordered, {&x}, {}, 0);
  table.row("ordered sum axis 0", ordered, {&x}, {0}, 0);
  table.row("ordered sum axis 1", ordered, {&x}, {1}, 0);
}

void ready_made(Bench& bench, const Table& table, const Array& flat) {
  const Array x = first(flat, {edge, edge});
  table.row("var", variance, x, {}, 0.88);
  table.row("var axis 0", variance, x, {0}, 0);
  table.row("var axis 1", variance, x, {1}, 0);
  table.row("argmax", gpuarr_argmax, x, {}, 0.88);
  table.row("argmax axis 0", gpuarr_argmax, x, {0}, 0.88);
  table.row("argmax axis 1", gpuarr_argmax, x, {1}, 0.88);
  table.row("max", gpuarr_max, x, {}, 0);
  table.row("count of nonzero", gpuarr_count_nonzero, x, {}, 0);
  table.row("logsumexp", gpuarr_logsumexp, x, {}, 0);
  table.row("logsumexp axis 1", gpuarr_logsumexp, x, {1}, 0);
  for (const gpuarr_dtype dtype : {GPUARR_F64, GPUARR_F16, GPUARR_I8}) {
    const Array y(bench.random(dtype, (int64_t{1} << 30) / gpuarr_dtype_size(dtype)));
    table.row("var", variance, y, {}, 0);
    table.row("mean", gpuarr_mean, y, {}, 0);
    table.row("argmax", gpuarr_argmax, y, {}, 0);
  }
}

void layouts(const Table& table, const Array& flat) {
  const Array x = first(flat, {edge, edge});
  const Array off = slice(flat, 0, 1, edge * edge + 1, 1);
  const Array inner = slice(x, 1, 0, -1, 1);
  const Array second = slice(slice(x, 0, 0, GPUARR_NONE, 2), 1, 0, GPUARR_NONE, 2);
  const Array backwards = slice(x, 1, GPUARR_NONE, GPUARR_NONE, -1);
  table.row("l2 norm one off", l2_norm, {&off}, {}, 0);
  table.row("l2 norm [:, :-1]", l2_norm, {&inner}, {}, 0);
  table.row("l2 norm [:, :-1] axis 0", l2_norm, {&inner}, {0}, 0);
  table.row("l2 norm [:, :-1] axis 1", l2_norm, {&inner}, {1}, 0);
  table.row("l2 norm [:, ::-1] axis 1", l2_norm, {&backwards}, {1}, 0);
  table.row("l2 norm [::2, ::2]", l2_norm, {&second}, {}, 0);
  table.row("l2 norm [::2, ::2] axis 0", l2_norm, {&second}, {0}, 0);
  table.row("l2 norm [::2, ::2] axis 1", l2_norm, {&second}, {1}, 0);
}

void dtypes(Bench& bench, const Table& table) {
  const int64_t bytes = int64_t{1} << 30;
  for (const gpuarr_dtype dtype : {GPUARR_F64, GPUARR_F16, GPUARR_BF16, GPUARR_I8}) {
    const Array x(bench.random(dtype, bytes / gpuarr_dtype_size(dtype)));
    ReductionText text = sum;
    if (dtype == GPUARR_I8) text.out_params = "int64 y";
    table.row("sum", text, {&x}, {}, 0);
  }
}

}  // namespace

int main() {
  Bench bench("reduction");
  const Array flat(bench.random(GPUARR_F32, int64_t{1} << 29));
  const double rate = read_only_rate(bench, flat);
  const Table table(bench, rate);
  mean_squared_error<double, double>(bench, rate, "f64", GPUARR_F64, 0.95);
  mean_squared_error<float, float>(bench, rate, "f32", GPUARR_F32, 0.95);
  mean_squared_error<__half, float>(bench, rate, "f16", GPUARR_F16, 0.93);
  squares(table, flat);
  shapes(table, flat);
  broadcast(table, flat);
  operators(table, flat);
  ready_made(bench, table, flat);
  layouts(table, flat);
  dtypes(bench, table);
  return all_right ? 0 : 1;
}
