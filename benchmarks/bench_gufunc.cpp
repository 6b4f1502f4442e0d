// Gufuncs beside a copy of as many bytes as they have to move, on the CPU and on a GPU if there is
// one, and what a repeated call costs beside an elementwise kernel's. Made with the library's
// insides.
#include "device_bench.hpp"
#include "gpuarr/device.h"
#include "gpuarr/gufunc.h"
#include "kernel/elementwise.hpp"
#include "kernel/gufunc.hpp"

using namespace gpuarr;

namespace {

constexpr const char* cross =
    "for (int j = 0; j < 3; ++j)\n"
    "  c(j) = a((j + 1) % 3) * b((j + 2) % 3) - a((j + 2) % 3) * b((j + 1) % 3);";

constexpr const char* eigenvalues =
    "const T q = (a(0, 0) + a(1, 1) + a(2, 2)) / 3;\n"
    "const T d0 = a(0, 0) - q, d1 = a(1, 1) - q, d2 = a(2, 2) - q;\n"
    "const T s = a(0, 1), t = a(0, 2), u = a(1, 2);\n"
    "const T p = sqrt((d0 * d0 + d1 * d1 + d2 * d2 + 2 * (s * s + t * t + u * u)) / 6);\n"
    "const T det = d0 * (d1 * d2 - u * u) - s * (s * d2 - u * t) + t * (s * u - d1 * t);\n"
    "const T r = p > 0 ? det / (2 * p * p * p) : 0;\n"
    "const T angle = acos(r > 1 ? T(1) : r < -1 ? T(-1) : r) / 3;\n"
    "c(2) = q + 2 * p * cos(angle);\n"
    "c(0) = q + 2 * p * cos(angle + T(2.0943951023931954923));\n"
    "c(1) = 3 * q - c(0) - c(2);";

// By cofactors of pairs of rows.
constexpr const char* inverse =
    "T s[6], t[6];\n"
    "int pair = 0;\n"
    "for (int i = 0; i < 3; ++i)\n"
    "  for (int j = i + 1; j < 4; ++j, ++pair) {\n"
    "    s[pair] = a(0, i) * a(1, j) - a(1, i) * a(0, j);\n"
    "    t[pair] = a(2, i) * a(3, j) - a(3, i) * a(2, j);\n"
    "  }\n"
    "const T by = 1 / (s[0] * t[5] - s[1] * t[4] + s[2] * t[3] + s[3] * t[2] - s[4] * t[1] +\n"
    "                  s[5] * t[0]);\n"
    "c(0, 0) = (a(1, 1) * t[5] - a(1, 2) * t[4] + a(1, 3) * t[3]) * by;\n"
    "c(0, 1) = (-a(0, 1) * t[5] + a(0, 2) * t[4] - a(0, 3) * t[3]) * by;\n"
    "c(0, 2) = (a(3, 1) * s[5] - a(3, 2) * s[4] + a(3, 3) * s[3]) * by;\n"
    "c(0, 3) = (-a(2, 1) * s[5] + a(2, 2) * s[4] - a(2, 3) * s[3]) * by;\n"
    "c(1, 0) = (-a(1, 0) * t[5] + a(1, 2) * t[2] - a(1, 3) * t[1]) * by;\n"
    "c(1, 1) = (a(0, 0) * t[5] - a(0, 2) * t[2] + a(0, 3) * t[1]) * by;\n"
    "c(1, 2) = (-a(3, 0) * s[5] + a(3, 2) * s[2] - a(3, 3) * s[1]) * by;\n"
    "c(1, 3) = (a(2, 0) * s[5] - a(2, 2) * s[2] + a(2, 3) * s[1]) * by;\n"
    "c(2, 0) = (a(1, 0) * t[4] - a(1, 1) * t[2] + a(1, 3) * t[0]) * by;\n"
    "c(2, 1) = (-a(0, 0) * t[4] + a(0, 1) * t[2] - a(0, 3) * t[0]) * by;\n"
    "c(2, 2) = (a(3, 0) * s[4] - a(3, 1) * s[2] + a(3, 3) * s[0]) * by;\n"
    "c(2, 3) = (-a(2, 0) * s[4] + a(2, 1) * s[2] - a(2, 3) * s[0]) * by;\n"
    "c(3, 0) = (-a(1, 0) * t[3] + a(1, 1) * t[1] - a(1, 2) * t[0]) * by;\n"
    "c(3, 1) = (a(0, 0) * t[3] - a(0, 1) * t[1] + a(0, 2) * t[0]) * by;\n"
    "c(3, 2) = (-a(3, 0) * s[3] + a(3, 1) * s[1] - a(3, 2) * s[0]) * by;\n"
    "c(3, 3) = (a(2, 0) * s[3] - a(2, 1) * s[1] + a(2, 2) * s[0]) * by;";

// A window of 8, as one writes it for one thread.
constexpr const char* plain_mean =
    "T sum = 0;\n"
    "for (int j = 0; j < n; ++j) {\n"
    "  sum += a(j);\n"
    "  if (j >= 8) sum -= a(j - 8);\n"
    "  c(j) = sum / 8;\n"
    "}";

// A window of 8; each thread of a group slides over a part of the row.
constexpr const char* running_mean =
    "const long long part = (n + group.size() - 1) / group.size();\n"
    "const long long first = part * group.rank(), last = min(first + part, n);\n"
    "T sum = 0;\n"
    "for (long long j = max(first - 7, 0ll); j < first; ++j) sum += a(j);\n"
    "for (long long j = first; j < last; ++j) {\n"
    "  sum += a(j);\n"
    "  c(j) = sum / 8;\n"
    "  if (j >= 7) sum -= a(j - 7);\n"
    "}";

// The same with neighbouring threads on neighbouring elements.
constexpr const char* window_mean =
    "for (long long j = group.rank(); j < n; j += group.size()) {\n"
    "  T sum = 0;\n"
    "  for (long long k = max(j - 7, 0ll); k <= j; ++k) sum += a(k);\n"
    "  c(j) = sum / 8;\n"
    "}";

constexpr const char* solve =
    "T m[n][n + 1];\n"
    "for (int i = 0; i < n; ++i) {\n"
    "  for (int j = 0; j < n; ++j) m[i][j] = a(i, j) + (i == j ? 9 : 0);\n"
    "  m[i][n] = b(i);\n"
    "}\n"
    "for (int k = 0; k < n; ++k)\n"
    "  for (int i = k + 1; i < n; ++i) {\n"
    "    const T by = m[i][k] / m[k][k];\n"
    "    for (int j = k; j <= n; ++j) m[i][j] -= by * m[k][j];\n"
    "  }\n"
    "for (int i = n - 1; i >= 0; --i) {\n"
    "  for (int j = i + 1; j < n; ++j) m[i][n] -= m[i][j] * m[j][n];\n"
    "  c(i) = m[i][n] /= m[i][i];\n"
    "}";

// Each row of the matrix by a warp of the group, or by the thread.
constexpr const char* matvec =
    "const int lanes = group.size() < 32 ? 1 : 32;\n"
    "for (long long i = group.rank() / lanes; i < m; i += group.size() / lanes) {\n"
    "  T s = 0;\n"
    "  for (long long j = group.rank() % lanes; j < k; j += lanes) s += a(i, j) * b(j);\n"
    "  #ifdef __CUDA_ARCH__\n"
    "  if (lanes == 32)\n"
    "    for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(~0u, s, d);\n"
    "  #endif\n"
    "  if (group.rank() % lanes == 0) c(i) = s;\n"
    "}";

struct Case {
  const char* name;
  const char* signature;
  const char* body;
  DType dtype;
  std::vector<Dims> shapes;  // of the inputs, then of the output
  int32_t group = GPUARR_GROUP_AUTO;
  bool turned = false;  // the outer axis is the one that lies together
};

Dims reversed(const Dims& shape) {
  Dims out;
  for (int axis = shape.size() - 1; axis >= 0; --axis) out.push_back(shape[axis]);
  return out;
}

Array turned(Array array) {
  array.layout = {reversed(array.layout.shape), reversed(array.layout.strides)};
  return array;
}

class Bench : public device_bench::Bench {
 public:
  using device_bench::Bench::Bench;

  void run(const ::Report& report, const Case& c) {
    const bool two = c.shapes.size() == 3;
    GufuncSpec spec{c.signature, two ? "T a, T b" : "T a", "T c", c.body, c.group};
    Gufunc f(spec, {});
    std::vector<Array> arrays;
    int64_t bytes = 0;
    for (const Dims& shape : c.shapes) {
      arrays.push_back(c.turned ? turned(array(c.dtype, reversed(shape))) : array(c.dtype, shape));
      bytes += arrays.back().size() * arrays.back().itemsize();
    }
    std::vector<Argument> inputs;
    for (size_t k = 0; k + 1 < arrays.size(); ++k) inputs.push_back({&arrays[k], nullptr});
    const Array* const output = &arrays.back();
    const Array from = array(DType::u8, {bytes / 2}), to = array(DType::u8, {bytes / 2});
    PreparedCall call = f.prepare(inputs, {&output, 1}, device_);
    const std::vector<double> us =
        medians({[&] { call.launch(*stream_); },
                 [&] { device_.copy(to.data, from.data, bytes / 2, *stream_); }});
    report.add({formatted("{}, {} {}, against a copy", c.name, to_string(c.shapes[0]),
                          facts_of(c.dtype).short_name),
                us[0], us[1], 0});
  }

  // 1000 calls each, of one place; on a GPU the time to submit them.
  void calls(const ::Report& report) {
    Gufunc f({"(n)->()", "T a", "T c", "c = a(0);", GPUARR_GROUP_THREAD}, {});
    Elementwise plain("T a", "T c", "c = a;", {});
    const Array row = array(DType::f32, {4}), one = array(DType::f32, {});
    const Argument inputs[] = {{&row, nullptr}, {&one, nullptr}};
    const Array* const output = &one;
    PreparedCall prepared = f.prepare({inputs, 1}, {&output, 1}, device_);
    const auto each = [&](const std::function<void()>& call) {
      std::vector<double> times;
      for (int turn = 0; turn < 15; ++turn) {
        call();
        stream_->synchronize();
        const double begin = now_us();
        for (int k = 0; k < 1000; ++k) call();
        times.push_back((now_us() - begin) / 1000);
        stream_->synchronize();
      }
      return median(std::move(times));
    };
    const double own = each([&] { f.call({inputs, 1}, {&output, 1}, stream_.get()); });
    const double launch = each([&] { prepared.launch(*stream_); });
    const double other = each([&] {
      plain.call({inputs + 1, 1}, {&output, 1}, no_size, stream_.get());
    });
    report.add({"a call, against an elementwise call", own, other, 0});
    report.add({"a prepared call, against an elementwise call", launch, other, 0});
  }
};

std::vector<Case> cases(int64_t n) {
  const DType f32 = DType::f32;
  const DType f64 = DType::f64;
  const Dims vectors{n, 3};
  const Dims matrices{n, 3, 3};
  const Dims rows{n / 256, 1024};
  const int64_t few = n / 2048;
  return {
      {"cross product", "(3),(3)->(3)", cross, f32, {vectors, vectors, vectors}},
      {"cross product, turned", "(3),(3)->(3)", cross, f32, {vectors, vectors, vectors}, 0, true},
      {"cross product", "(3),(3)->(3)", cross, f64, {vectors, vectors, vectors}},
      {"eigenvalues", "(3,3)->(3)", eigenvalues, f32, {matrices, vectors}},
      {"eigenvalues, turned", "(3,3)->(3)", eigenvalues, f32, {matrices, vectors}, 0, true},
      {"eigenvalues", "(3,3)->(3)", eigenvalues, f64, {matrices, vectors}},
      {"running mean by parts", "(n)->(n)", running_mean, f32, {rows, rows}},
      {"running mean", "(n)->(n)", window_mean, f32, {rows, rows}},
      {"running mean by warps", "(n)->(n)", window_mean, f32, {rows, rows}, GPUARR_GROUP_WARP},
      {"running mean by threads", "(n)->(n)", plain_mean, f32, {{n / 4, 16}, {n / 4, 16}}},
      {"running mean by threads", "(n)->(n)", plain_mean, f32, {{n / 16, 64}, {n / 16, 64}}},
      {"running mean by threads", "(n)->(n)", plain_mean, f32, {{n / 256, 1000}, {n / 256, 1000}}},
      {"inverses", "(4,4)->(4,4)", inverse, f32, {{n / 4, 4, 4}, {n / 4, 4, 4}}},
      {"small systems", "(n,n),(n)->(n)", solve, f32, {{n / 4, 4, 4}, {n / 4, 4}, {n / 4, 4}}},
      {"matrix times vector",
       "(m,k),(k)->(m)",
       matvec,
       f32,
       {{n / 64, 8, 8}, {n / 64, 8}, {n / 64, 8}}},
      {"matrix times vector", "(m,k),(k)->(m)", matvec, f32, {{few, 32, 64}, {few, 64}, {few, 32}}},
      {"matrix times vector",
       "(m,k),(k)->(m)",
       matvec,
       f32,
       {{few / 64, 256, 512}, {few / 64, 512}, {few / 64, 256}}},
  };
}

void run_on(Device& device) {
  Bench bench(device);
  const ::Report report(bench.on_cpu() ? "host_gufunc" : "gufunc",
                        device.facts().description.c_str());
  for (const Case& c : cases(bench.on_cpu() ? 1 << 20 : 1 << 24))
    if (!bench.on_cpu() || c.group == GPUARR_GROUP_AUTO) bench.run(report, c);
  bench.calls(report);
}

}  // namespace

int main() {
  const TemporaryCache cache;
  run_on(host_device());
  if (device_count(GPUARR_DEVICE_CUDA) > 0) run_on(open_device("cuda"));
  return 0;
}
