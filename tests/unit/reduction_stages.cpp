// Partial results of pieces, combined and finished, are the results of the undivided arrays, on
// $GPUARR_TEST_DEVICE.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "backends.hpp"
#include "check.hpp"
#include "kernel/reduction.hpp"
#include "ops/base/transfer.hpp"

using namespace gpuarr;

namespace {

Device& tested_device() {
  const char* name = std::getenv("GPUARR_TEST_DEVICE");
  static Device& device = open_device(name == nullptr || *name == '\0' ? "host" : name);
  return device;
}

Stream& stream() { return current_stream(tested_device()); }

// Elements are 64-bit, which is what the checks compare.
Array array_of(DType dtype, const Dims& shape, const std::vector<int64_t>& values,
               Order order = Order::c) {
  Array out = Array::empty(stream(), dtype, shape, order);
  if (out.size() > 0) write(out, host_memory(dtype, shape, nullptr, values.data()), stream());
  return out;
}

std::vector<int64_t> values_of(const Array& array) {
  std::vector<int64_t> values(static_cast<size_t>(array.size()));
  if (values.empty()) return values;
  read(host_memory(array.dtype, array.layout.shape, nullptr, values.data()), array, stream());
  return values;
}

// Numbers without a pattern: 0 ... below - 1.
Array numbers(const Dims& shape, int64_t below, Order order = Order::c) {
  std::vector<int64_t> values(static_cast<size_t>(size_of(shape)));
  uint64_t state = 1;
  for (int64_t& value : values) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    value = static_cast<int64_t>((state >> 33) % static_cast<uint64_t>(below));
  }
  return array_of(DType::i64, shape, values, order);
}

Array slice(const Array& array, int axis, int64_t first, int64_t extent) {
  Layout layout = array.layout;
  layout.shape[axis] = extent;
  return array.view(layout, first * layout.strides[axis]);
}

// What is reduced, over which axes, and along which it is cut.
struct Case {
  const char* name;
  std::vector<Array> arrays;
  std::vector<int32_t> axes;
  int cut;
  bool keepdims = false;
  std::vector<Scalar> scalars = {};  // parameters after the arrays
};

struct Inputs {
  Inputs(const Case& c, std::vector<Array> from) : arrays(std::move(from)) {
    for (const Array& a : arrays) arguments.push_back({&a, nullptr});
    for (const Scalar& s : c.scalars) arguments.push_back({nullptr, &s});
  }
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  std::vector<Array> arrays;
  std::vector<Argument> arguments;
};

// Arrays that the axis repeats, and raw ones, which come last and are flat, are whole in each
// piece.
std::vector<Array> piece_of(const Case& c, int64_t first, int64_t extent) {
  std::vector<Array> arrays;
  const Dims& shape = c.arrays.front().layout.shape;
  for (const Array& a : c.arrays)
    arrays.push_back(a.ndim() == shape.size() && a.layout.shape[c.cut] == shape[c.cut]
                         ? slice(a, c.cut, first, extent)
                         : a);
  return arrays;
}

class Stages {
 public:
  Stages(Reduction& kernel, const Case& c)
      : kernel_(kernel), case_(c), extent_(c.arrays.front().layout.shape[c.cut]) {}

  // Results after each other, for all outputs.
  std::vector<int64_t> whole() {
    Inputs inputs(case_, case_.arrays);
    const std::vector<const Array*> none(kernel_.output_count());
    return values(kernel_.call(inputs.arguments, none, axes(), nullptr));
  }

  // In one go, or by halves that are combined first.
  std::vector<int64_t> divided(const std::vector<int64_t>& cuts, bool in_levels) {
    std::vector<Array> partials;
    for (size_t k = 0; k + 1 < cuts.size(); ++k) {
      Inputs inputs(case_, piece_of(case_, cuts[k], cuts[k + 1] - cuts[k]));
      partials.push_back(kernel_.partial(part(inputs, cuts[k]), nullptr));
    }
    Inputs any(case_, piece_of(case_, cuts[0], cuts[1]));
    if (in_levels) {
      const auto half = partials.begin() + static_cast<std::ptrdiff_t>(partials.size() / 2);
      const std::vector<Array> left(partials.begin(), half), right(half, partials.end());
      partials.clear();
      for (const auto* side : {&left, &right})
        if (!side->empty())
          partials.push_back(kernel_.combine(stack(*side, stream()), part(any, 0), nullptr));
    }
    const std::vector<const Array*> none(kernel_.output_count());
    return values(kernel_.finish(stack(partials, stream()), part(any, 0), none, nullptr));
  }

  int64_t extent() const { return extent_; }

 private:
  AxisRequest axes() const { return {case_.axes, false, case_.keepdims}; }
  Reduction::Part part(const Inputs& inputs, int64_t first) const {
    return {inputs.arguments, axes(), {case_.cut, first, extent_}};
  }
  static std::vector<int64_t> values(const MadeOutputs& made) {
    std::vector<int64_t> all;
    for (const auto& [k, array] : made) {
      for (int64_t extent : array.layout.shape) all.push_back(extent);
      const auto own = values_of(array);
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }

  Reduction& kernel_;
  const Case& case_;
  int64_t extent_;
};

// Where an axis is cut: into equal pieces, and into a short first one and whatever follows. Pieces
// without elements are left out.
std::vector<std::vector<int64_t>> cuts_of(int64_t extent) {
  std::vector<std::vector<int64_t>> ways;
  for (int64_t pieces : {1, 2, 3, 8}) {
    std::vector<int64_t> even;
    for (int64_t k = 0; k <= pieces; ++k) even.push_back(extent * k / pieces);
    ways.push_back(even);
  }
  ways.push_back({0, 1, extent / 2 + 1, extent});
  for (auto& cuts : ways) cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return ways;
}

void check_stages(Reduction& kernel, const Case& c) {
  Stages stages(kernel, c);
  const std::vector<int64_t> expected = stages.whole();
  for (const auto& cuts : cuts_of(stages.extent()))
    for (bool in_levels : {false, true})
      if (check::failures < 20 && stages.divided(cuts, in_levels) != expected)
        check::report(__FILE__, __LINE__)
            << c.name << ", in " << cuts.size() - 1 << " pieces, the first of " << cuts[1]
            << (in_levels ? ", in two levels" : "") << ", is not what the whole is\n";
}

KernelOptions options_of(const char* preamble, const char* type, bool commutative = true) {
  KernelOptions options;
  options.preamble = preamble;
  options.reduce_type = type;
  options.commutative = commutative;
  return options;
}

// The identity comes in once; an axis of any place is cut; blocks share the larger ones.
void sums() {
  Reduction kernel({"int64 x", "int64 y", "x", "a + b", "y = a", "1000000007"}, {});
  for (Order order : {Order::c, Order::f}) {
    const Array cube = numbers({24, 9, 40}, 1000, order);
    for (const std::vector<int32_t>& axes : std::initializer_list<std::vector<int32_t>>{
             {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}})
      for (int32_t cut : axes) check_stages(kernel, {"sum", {cube}, axes, cut});
  }
  check_stages(kernel, {"long sum", {numbers({300001}, 1000)}, {0}, 0});
  check_stages(kernel, {"many rows", {numbers({3000, 101}, 1000)}, {-1}, 1, true});
  check_stages(kernel, {"few columns", {numbers({9001, 30}, 1000)}, {0}, 0, true});
  std::vector<int64_t> count(1000);
  std::iota(count.begin(), count.end(), 0);
  const Case known = {"count", {array_of(DType::i64, {1000}, count)}, {0}, 0};
  CHECK_EQ(Stages(kernel, known).divided({0, 300, 700, 1000}, true).back(), 499500 + 1000000007);
}

// _J counts along the reduced axes of the whole, i along all of its axes.
void places() {
  const char* best =
      "struct best { long long value, at; };\n"
      "__device__ best larger(best a, best b) {\n"
      "  if (a.value == b.value) return a.at < b.at ? a : b;\n"
      "  return a.value > b.value ? a : b;\n}";
  Reduction kernel(
      {"int64 x", "int64 y, int64 z", "best{x, _J}", "larger(a, b)", "y = a.at; z = a.value", {}},
      options_of(best, "best"));
  const Array cube = numbers({24, 9, 40}, 60);
  for (int cut : {0, 2}) check_stages(kernel, {"argmax of two axes", {cube}, {0, 2}, cut});
  for (int cut : {0, 1, 2}) check_stages(kernel, {"argmax", {cube}, {0, 1, 2}, cut, true});
  check_stages(kernel, {"long argmax", {numbers({200001}, 1000000)}, {0}, 0});

  Reduction indices({"int64 x", "int64 y",
                     "x * (i + 7 * _in_ind.get()[0] + 31 * _in_ind.get()[1] + 5 * _J + 3 * _j) + "
                     "_out_ind.size()",
                     "a + b", "y = a * n + i + 3 * _out_ind.get()[0]", "0"},
                    {});
  for (int cut : {0, 2}) check_stages(indices, {"indices", {cube}, {0, 2}, cut});
  check_stages(indices, {"indices of columns", {cube}, {0, 1}, 1, true});
  check_stages(indices, {"indices of rows", {cube}, {2}, 2});
}

// x -> m x + c, one after the other.
void maps_in_order() {
  const char* map =
      "struct affine { unsigned long long m, c; };\n"
      "__device__ affine then(affine a, affine b) { return {a.m * b.m, b.m * a.c + b.c}; }";
  Reduction kernel({"int64 x",
                    "int64 y",
                    "affine{(unsigned long long)x * 2 + 1, (unsigned long long)_J}",
                    "then(a, b)",
                    "y = (int64)(a.m * 3 + a.c)",
                    {}},
                   options_of(map, "affine", false));
  const Array cube = numbers({24, 9, 40}, 1000);
  check_stages(kernel, {"maps", {cube}, {0}, 0});
  check_stages(kernel, {"maps along rows", {cube}, {2}, 2});
  check_stages(kernel, {"maps along two axes", {cube}, {0, 2}, 0});
  check_stages(kernel, {"maps along the last two", {cube}, {1, 2}, 1, true});
  check_stages(kernel, {"many maps", {numbers({100001}, 1000)}, {0}, 0});

  Case wrong = {"maps", {cube}, {0, 2}, 2};
  CHECK_FAILS(GPUARR_ERR_AXIS,
              "the piece is cut along axis 2, but axis 0 is reduced too and comes before it, so "
              "the operator would not meet the elements in order; cut along axis 0",
              [&] {
                Stages(kernel, wrong).divided({0, 40}, false);
              });
}

// Bits of float64 are compared: sums of small whole numbers are exact.
void means() {
  Reduction kernel({"int64 x, int64 w, raw int64 t, int64 s", "float64 y, int64 z",
                    "(double)(x * w + s) + t[_J % 5]", "a + b",
                    "y = a / (n / _out_ind.size()); z = (int64)a + s + t[2]", "0"},
                   options_of("", "float64"));
  const Array x = numbers({30, 50, 4}, 100);
  const Array raw = array_of(DType::i64, {5}, {3, 1, 4, 1, 5});
  const Scalar s = Scalar::of(int64_t{11});
  for (const Dims& shape : {Dims{30, 1, 4}, Dims{1, 50, 1}, Dims{1, 1, 4}, Dims{30, 50, 1}})
    for (int cut : {0, 1})
      check_stages(kernel, {"means", {x, numbers(shape, 50), raw}, {0, 1}, cut, false, {s}});
}

// What the caller of the stages holds: bytes, a set to each piece. A type that has a name is known
// to have its size.
void sets_are_bytes() {
  const char* wide = "struct wide { long long v[8]; };";
  Reduction structs({"int64 x", "int64 y", "wide{x}", "wide{a.v[0] + b.v[0]}", "y = a.v[0]", {}},
                    options_of(wide, "wide"));
  Reduction kernel({"int64 x", "int64 y", "x", "a + b", "y = y * 1000 + a", {}}, {});
  const Array x = array_of(DType::i64, {2, 3}, {1, 2, 3, 4, 5, 6});
  const Case c = {"sum", {x}, {0}, 0};
  Inputs inputs(c, c.arrays);
  const Reduction::Part all = {inputs.arguments, {c.axes, false, false}, {}};
  CHECK(kernel.partial(all, nullptr).layout.shape == (Dims{1, 24}));
  CHECK(structs.partial(all, nullptr).layout.shape == (Dims{1, 192}));
  check_stages(structs, c);
  // Sets need not be copied together, and an output that is given has its old value.
  const Array sets = array_of(DType::i64, {2, 3}, {1, 2, 3, 10, 20, 30});
  Array bytes = sets;
  bytes.dtype = DType::u8;
  bytes.layout = {{2, 24}, {24, 1}};
  const Array y = array_of(DType::i64, {3}, {7, 8, 9});
  const Array* given[] = {&y};
  CHECK(kernel.finish(bytes, all, given, nullptr).empty());
  CHECK(values_of(y) == (std::vector<int64_t>{7011, 8022, 9033}));
}

void no_results() {
  Reduction kernel({"int64 x", "int64 y", "x", "a + b", "y = a", {}}, {});
  const Case c = {"nothing", {array_of(DType::i64, {6, 0}, {})}, {0}, 0};
  CHECK(Stages(kernel, c).divided({0, 2, 6}, true) == (std::vector<int64_t>{0}));
}

void refused() {
  Reduction kernel({"int64 x", "int64 y", "x", "a + b", "y = a", {}}, {});
  const Array x = numbers({6, 5}, 10);
  const Case c = {"sum", {x}, {0}, 0};
  Inputs inputs(c, {slice(x, 0, 2, 3)});
  Inputs none(c, {slice(x, 0, 0, 0)});
  auto partial = [&](const Inputs& from, const Piece& piece) {
    return kernel.partial({from.arguments, {c.axes, false, false}, piece}, nullptr);
  };
  CHECK_FAILS(GPUARR_ERR_AXIS, "the piece is cut along axis 1, which is not reduced; cut along one",
              [&] {
                partial(inputs, {1, 0, 5});
              });
  for (int axis : {2, -2})
    CHECK_FAILS(GPUARR_ERR_AXIS, "but the inputs have 2 axes, counted from 0", [&] {
      partial(inputs, {axis, 0, 6});
    });
  for (int64_t first : {-1, 4})
    CHECK_FAILS(GPUARR_ERR_SHAPE,
                first < 0 ? "the piece has 3 indices of axis 0 from -1 on, of 6"
                          : "the piece has 3 indices of axis 0 from 4 on, of 6",
                [&] {
                  partial(inputs, {0, first, 6});
                });
  CHECK_FAILS(GPUARR_ERR_EMPTY, "the piece of shape (0, 5) has no elements; leave it out", [&] {
    partial(none, {0, 0, 6});
  });

  const Reduction::Part part = {inputs.arguments, {c.axes, false, false}, {0, 2, 6}};
  for (const Dims& shape : {Dims{40}, Dims{0, 40}, Dims{1, 39}})
    CHECK_FAILS(GPUARR_ERR_SHAPE, "they must be uint8 of shape (sets, 40), without gaps",
                [&] { kernel.combine(Array::empty(stream(), DType::u8, shape), part, nullptr); });
  const Array* made[] = {nullptr};
  CHECK_FAILS(GPUARR_ERR_SHAPE, "the partial results are int8 of shape (1, 40); they must be", [&] {
    kernel.finish(Array::empty(stream(), DType::i8, {1, 40}), part, made, nullptr);
  });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "without gaps", [&] {
    kernel.finish(Array::empty(stream(), DType::u8, {2, 40}, Order::f), part, made, nullptr);
  });
}

}  // namespace

int main() {
  try {
    tested_device();
  } catch (const Error& e) {
    std::cout << "skipped: " << e.what() << "\n";
    return 77;
  }
  sums();
  places();
  maps_in_order();
  means();
  sets_are_bytes();
  no_results();
  refused();
  return check::result();
}
