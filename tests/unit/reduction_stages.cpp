// Partial results of pieces, combined and finished, are the results of the undivided arrays, on
// $GPUARR_TEST_DEVICE.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "blocks.hpp"
#include "check.hpp"

using namespace gpuarr;
using namespace gpuarr::blocks;

namespace {

Array array_of(DType dtype, const Dims& shape, const std::vector<int64_t>& values,
               Order order = Order::c) {
  Array out = Array::empty(stream(), dtype, shape, order);
  if (out.size() > 0) write(out, host_memory(dtype, shape, nullptr, values.data()), stream());
  return out;
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

Cuts along(const Dims& whole, int axis, const std::vector<int64_t>& at) {
  Cuts cuts;
  for (int64_t extent : whole) cuts.push_back({0, extent});
  cuts[static_cast<size_t>(axis)] = at;
  return cuts;
}

void check_stages(Reduction& kernel, const Case& c, int cut) {
  Stages stages(kernel, c);
  const std::vector<Array> expected = stages.undivided(), made = like(expected, Order::c);
  for (const auto& at : cuts_of(stages.whole()[cut]))
    for (How how : {How::stacked, How::halves}) {
      stages.divided(made, along(stages.whole(), cut, at), how);
      for (size_t k = 0; k < made.size() && check::failures < 20; ++k)
        if (bytes_of(made[k]) != bytes_of(expected[k]))
          check::report(__FILE__, __LINE__)
              << c.name << ", in " << at.size() - 1 << " pieces, the first of " << at[1]
              << (how == How::halves ? ", in two levels" : "") << ", is not what the whole is\n";
    }
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
      for (int32_t cut : axes) check_stages(kernel, {"sum", {cube}, axes}, cut);
  }
  check_stages(kernel, {"long sum", {numbers({300001}, 1000)}, {0}}, 0);
  check_stages(kernel, {"many rows", {numbers({3000, 101}, 1000)}, {1}, true}, 1);
  check_stages(kernel, {"few columns", {numbers({9001, 30}, 1000)}, {0}, true}, 0);
  std::vector<int64_t> count(1000);
  std::iota(count.begin(), count.end(), 0);
  const Case known = {"count", {array_of(DType::i64, {1000}, count)}, {0}};
  const Array sum = array_of(DType::i64, {}, {0});
  Stages(kernel, known).divided({&sum, 1}, {{0, 300, 700, 1000}}, How::halves);
  CHECK_EQ(values_of(sum).front(), 499500 + 1000000007);
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
  for (int cut : {0, 2}) check_stages(kernel, {"argmax of two axes", {cube}, {0, 2}}, cut);
  for (int cut : {0, 1, 2}) check_stages(kernel, {"argmax", {cube}, {0, 1, 2}, true}, cut);
  check_stages(kernel, {"long argmax", {numbers({200001}, 1000000)}, {0}}, 0);

  Reduction indices({"int64 x", "int64 y",
                     "x * (i + 7 * _in_ind.get()[0] + 31 * _in_ind.get()[1] + 5 * _J + 3 * _j) + "
                     "_out_ind.size()",
                     "a + b", "y = a * n + i + 3 * _out_ind.get()[0]", "0"},
                    {});
  for (int cut : {0, 2}) check_stages(indices, {"indices", {cube}, {0, 2}}, cut);
  check_stages(indices, {"indices of columns", {cube}, {0, 1}, true}, 1);
  check_stages(indices, {"indices of rows", {cube}, {2}}, 2);
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
  check_stages(kernel, {"maps", {cube}, {0}}, 0);
  check_stages(kernel, {"maps along rows", {cube}, {2}}, 2);
  check_stages(kernel, {"maps along two axes", {cube}, {0, 2}}, 0);
  check_stages(kernel, {"maps along the last two", {cube}, {1, 2}, true}, 1);
  check_stages(kernel, {"many maps", {numbers({100001}, 1000)}, {0}}, 0);
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
      check_stages(kernel, {"means", {x, numbers(shape, 50)}, {0, 1}, false, {raw}, {s}}, cut);
}

// What the caller of the stages holds: bytes, a set to each piece. A type that has a name is known
// to have its size.
void sets_are_bytes() {
  const char* wide = "struct wide { long long v[8]; };";
  Reduction structs({"int64 x", "int64 y", "wide{x}", "wide{a.v[0] + b.v[0]}", "y = a.v[0]", {}},
                    options_of(wide, "wide"));
  Reduction kernel({"int64 x", "int64 y", "x", "a + b", "y = y * 1000 + a", {}}, {});
  const Array x = array_of(DType::i64, {2, 3}, {1, 2, 3, 4, 5, 6});
  const Case c = {"sum", {x}, {0}};
  Inputs inputs(c, c.arrays);
  const Reduction::Part all = {inputs.arguments, {c.axes, false, false}, {}};
  CHECK(kernel.partial(all, nullptr).layout.shape == (Dims{1, 24}));
  CHECK(structs.partial(all, nullptr).layout.shape == (Dims{1, 192}));
  check_stages(structs, c, 0);
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

// Blocks without results, of a whole that has some.
void no_results() {
  Reduction kernel({"int64 x", "int64 y", "x", "a + b", "y = a", {}}, {});
  const Case c = {"nothing", {array_of(DType::i64, {6, 0}, {})}, {0}};
  const Inputs inputs(c, c.arrays);
  const Reduction::Part part = {inputs.arguments, {c.axes, false, false}, {{3, 2}, {9, 5}}};
  const Array set = kernel.partial(part, nullptr);
  CHECK_EQ(kernel.set_bytes(part), 0);
  CHECK(set.layout.shape == (Dims{1, 0}));
  const Array* none[] = {nullptr};
  for (const Array& sets : {set, kernel.combine(stack({{set, set}}, stream()), part, nullptr)})
    CHECK(kernel.finish(sets, part, none, nullptr)[0].second.layout.shape == Dims{0});
}

void refused() {
  Reduction kernel({"int64 x", "int64 y", "x", "a + b", "y = a", {}}, {});
  const Array x = numbers({6, 5}, 10);
  const Case c = {"sum", {x}, {0}};
  Inputs inputs(c, {slice(x, 0, 2, 3)});
  Inputs none(c, {slice(x, 0, 0, 0)});
  auto partial = [&](const Inputs& from, const Piece& piece) {
    return kernel.partial({from.arguments, {c.axes, false, false}, piece}, nullptr);
  };
  for (const Piece& piece : {Piece{{}, {6, 5}}, Piece{{0}, {6}}, Piece{{0, 0, 0}, {6, 5, 1}}})
    CHECK_FAILS(GPUARR_ERR_AXIS, "but the inputs have 2 axes; give an index and an extent of each",
                [&] { partial(inputs, piece); });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "the piece has 3 indices of axis 0 from -1 on, of 6 in all", [&] {
    partial(inputs, {{-1, 0}, {6, 5}});
  });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "the piece has 3 indices of axis 0 from 4 on, of 6 in all", [&] {
    partial(inputs, {{4, 0}, {6, 5}});
  });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "the piece has 5 indices of axis 1 from 0 on, of -9223372036854775",
              [&] {
                partial(inputs, {{0, 0}, {6, INT64_MIN}});
              });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "the whole's shape (6, 288230376151711744) has more than", [&] {
    partial(inputs, {{0, 0}, {6, int64_t{1} << 58}});
  });
  CHECK_FAILS(GPUARR_ERR_EMPTY, "the piece of shape (0, 5) has no elements; leave it out", [&] {
    partial(none, {{0, 0}, {6, 5}});
  });

  const Reduction::Part part = {inputs.arguments, {c.axes, false, false}, {{2, 0}, {6, 5}}};
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
  const Array room = Array::empty(stream(), DType::u8, {3, 40});
  CHECK_FAILS(GPUARR_ERR_SHAPE, "there is room for 3 sets of partial results; give that of one",
              [&] { kernel.partial_into(room, part, nullptr); });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "uint8 of shape (1, 39); they must be", [&] {
    kernel.partial_into(room.view({{1, 39}, {39, 1}}), part, nullptr);
  });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "; begin at a multiple of 8 bytes", [&] {
    kernel.partial_into(room.view({{1, 40}, {40, 1}}, 4), part, nullptr);
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
