// Several operators in one pass give what each gives alone, on $GPUARR_TEST_DEVICE: on the CPU the
// same bits, on a GPU the same extremes and nearly the same sums.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "backends.hpp"
#include "check.hpp"
#include "kernel/reduction.hpp"
#include "ops/base/transfer.hpp"
#include "seed.hpp"

using namespace gpuarr;

namespace {

Device& tested_device() {
  const char* name = std::getenv("GPUARR_TEST_DEVICE");
  static Device& device = open_device(name == nullptr || *name == '\0' ? "host" : name);
  return device;
}

Stream& stream() { return current_stream(tested_device()); }

template <class T>
std::vector<T> values_of(const Array& array) {
  std::vector<T> values(static_cast<size_t>(array.size()));
  if (!values.empty())
    read(host_memory(array.dtype, array.layout.shape, nullptr, values.data()), array, stream());
  return values;
}

struct Operator {
  const char* name;
  const char* map;
  const char* reduce;  // of {0} and {1}
  const char* identity;
  bool sums;
};
constexpr Operator operators[] = {
    {"sum", "x", "{0} + {1}", "0", true},
    {"squares", "x * x", "{0} + {1}", "0", true},
    {"least", "x", "{0} < {1} ? {0} : {1}", "(T)1e30", false},
    {"most", "x", "{0} > {1} ? {0} : {1}", "(T)-1e30", false},
};
constexpr int count = static_cast<int>(std::size(operators));

std::string operation(const Operator& o, const std::string& a, const std::string& b) {
  return fmt::format(fmt::runtime(o.reduce), a, b);
}

MapReduceSpec one(const Operator& o) {
  MapReduceSpec spec{"T x", "T y", o.map, operation(o, "a", "b"), "", {}};
  spec.identity = o.identity;
  return spec;
}

MapReduceSpec all(const char* type, int bytes) {
  MapReduceSpec spec{"T x", "", "", "", "", {}};
  std::string map, reduce, post, identity, outputs, close;
  for (int k = 0; k < count; ++k) {
    const Operator& o = operators[k];
    map += formatted("{}{{(T)({})", k > 0 ? ", " : "", o.map);
    reduce += formatted("{}{{{}", k > 0 ? ", " : "",
                        operation(o, formatted("_fold<{}>(a)", k), formatted("_fold<{}>(b)", k)));
    identity += formatted("{}{{{}", k > 0 ? ", " : "", o.identity);
    post += formatted("y{0} = _fold<{0}>(a);\n", k);
    outputs += formatted("{}T y{}", k > 0 ? ", " : "", k);
    close += "}";
    spec.folds.push_back({type, bytes});
  }
  spec.out_params = outputs;
  spec.map = "_type_reduce" + map + close;
  spec.reduce = "_type_reduce" + reduce + close;
  spec.post = post;
  spec.identity = identity + close;
  return spec;
}

struct Drawn {
  Dims shape;
  std::vector<int32_t> axes;
  bool all_axes;
};

Drawn draw(std::mt19937_64& random) {
  const auto between = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  Drawn d;
  const auto ndim = static_cast<int>(between(1, 3));
  const int64_t most[] = {300000, 700, 90};
  for (int axis = 0; axis < ndim; ++axis) d.shape.push_back(between(1, most[ndim - 1]));
  for (int axis = 0; axis < ndim; ++axis)
    if (between(0, 1) == 1) d.axes.push_back(axis);
  d.all_axes = d.axes.empty();
  return d;
}

template <class T>
bool same(T one, T other, bool sums, double scale) {
  if (!sums || std::string(tested_device().facts().name) == "host")
    return std::memcmp(&one, &other, sizeof(T)) == 0;
  return std::abs(static_cast<double>(one) - static_cast<double>(other)) <=
         100 * std::numeric_limits<T>::epsilon() * scale;
}

template <class T>
void check_case(const Drawn& d, DType dtype, const char* type, std::mt19937_64& random) {
  std::vector<T> values(static_cast<size_t>(size_of(d.shape)));
  for (T& v : values) v = static_cast<T>(std::normal_distribution<double>(3, 2)(random));
  const Array x = Array::empty(stream(), dtype, d.shape, random() % 2 ? Order::c : Order::f);
  write(x, host_memory(dtype, d.shape, nullptr, values.data()), stream());
  const AxisRequest axes{d.axes, d.all_axes};
  const Argument input{&x, nullptr};
  const std::vector<const Array*> none(count);
  KernelOptions options;
  options.preamble = formatted("typedef {} T;\n", type);
  options.contract = false;  // or a compiler fuses products and sums where each text suits it
  static Reduction together(all(type, sizeof(T)), options);
  const MadeOutputs made = together.call({&input, 1}, none, axes, nullptr);
  for (int k = 0; k < count; ++k) {
    Reduction alone(one(operators[k]), options);
    const auto expected =
        values_of<T>(alone.call({&input, 1}, {none.data(), 1}, axes, {})[0].second);
    const auto actual = values_of<T>(made[static_cast<size_t>(k)].second);
    const double scale = static_cast<double>(values.size()) * 60;
    for (size_t r = 0; r < expected.size() && check::failures < 20; ++r)
      if (!same(actual[r], expected[r], operators[k].sums, scale))
        check::report(__FILE__, __LINE__)
            << operators[k].name << " of " << to_string(d.shape) << " " << name(dtype)
            << ", result " << r << ": " << +actual[r] << ", alone " << +expected[r] << '\n';
  }
}

}  // namespace

int main() {
  std::mt19937_64 random(test_seed());
  for (int k = 0; k < (check::sanitized ? 12 : 40); ++k) {
    const Drawn d = draw(random);
    check_case<float>(d, DType::f32, "float", random);
    check_case<double>(d, DType::f64, "double", random);
    check_case<int64_t>(d, DType::i64, "long long", random);
  }
  return check::result();
}
