// How the CPU cuts reductions: every element goes into one task, whatever the device, and what the
// tasks leave is combined in order. Every element once, and next to its neighbours.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "backends.hpp"
#include "check.hpp"
#include "codegen/reduction/parameters.hpp"
#include "codegen/targets.hpp"
#include "core/text.hpp"
#include "kernel/reduction.hpp"
#include "random_loop.hpp"

using namespace gpuarr;

namespace {

constexpr DType f32 = DType::f32;

struct Shape {
  Dims dims;
  std::vector<int> reduced;
  bool backwards = false;  // the array lies in Fortran order
};

ReductionPlan plan_of(const Shape& s) {
  ReducedAxes axes;
  for (int axis : s.reduced) axes.reduced[static_cast<size_t>(axis)] = true;
  Dims kept;
  for (int axis = 0; axis < s.dims.size(); ++axis)
    if (!axes.reduced[static_cast<size_t>(axis)]) kept.push_back(s.dims[axis]);
  Layout in{s.dims, dense_strides(s.dims, s.backwards ? Order::f : Order::c)};
  Layout out{kept, dense_strides(kept, Order::c)};
  auto* where = reinterpret_cast<void*>(int64_t{1} << 36);
  const Operand operands[] = {{Role::input, f32, where, &in, nullptr},
                              {Role::output, f32, where, &out, nullptr}};
  ReductionPlan p;
  make_reduction_plan(p, host_target, operands, s.dims, axes, {.partial_bytes = 4});
  return p;
}

std::string describe(const Shape& s) {
  std::string axes;
  for (int axis : s.reduced) axes.append(" ").append(std::to_string(axis));
  return to_string(s.dims) + " over" + axes + (s.backwards ? ", in Fortran order" : "");
}

// The elements of a unit that its tasks have, by the arithmetic of the generated text.
int64_t elements_of(const ReductionPlan& p, const ReductionGeometry& g) {
  int64_t count = 0;
  int64_t inner = p.row_length();
  for (int64_t s = 0; s < g.splits; ++s) {
    int64_t has = 0;
    if (p.variant.form == ReductionForm::rows) {
      int64_t along = std::min(inner - s % g.inner_tiles * g.split_items, g.split_items);
      int64_t rows = std::min(p.length / inner - s / g.inner_tiles * g.rows, g.rows);
      has = std::max<int64_t>(along, 0) * std::max<int64_t>(rows, 0);
    } else {
      has = std::min(p.length - s * g.split_items, g.split_items);
    }
    if (has <= 0) return -1;  // a task without an element has nothing to begin with
    count += has;
  }
  return count;
}

void check_cut(const Shape& s) {
  int before = check::failures;
  ReductionPlan p = plan_of(s);
  ReductionGeometry g = geometry_of(p, 1);
  CHECK_EQ(elements_of(p, g), p.length);
  int64_t inner = p.columns();
  bool rows = p.variant.form == ReductionForm::rows;
  int64_t units = rows ? p.results : p.results / inner * g.inner_tiles;
  CHECK_EQ(g.tasks, units * g.splits);
  CHECK(g.blocks * g.group >= g.tasks && (g.blocks - 1) * g.group < g.tasks);
  CHECK(rows || (g.inner_tiles * g.tile >= inner && (g.inner_tiles - 1) * g.tile < inner));
  CHECK_EQ(g.counters, g.splits > 1 ? g.tasks : 0);
  CHECK_EQ(g.partials, g.splits > 1 ? g.tasks * (rows ? 1 : g.tile) : 0);
  // Little work stays with the caller, without memory to meet in.
  if (p.size <= 65536) CHECK_EQ(g.blocks, 1);
  if (p.size <= 65536) CHECK_EQ(g.splits, 1);
  // And partial results are few beside the elements.
  CHECK(g.partials <= p.size / 32);
  ReductionGeometry other = geometry_of(p, 64);
  CHECK(other.splits == g.splits && other.split_items == g.split_items && other.rows == g.rows &&
        other.tile == g.tile && other.group == g.group);
  if (check::failures > before) std::cerr << describe(s) << '\n';
}

void every_element_is_in_one_task() {
  LoopMaker random(1);
  for (int round = 0; round < 20000 && check::failures == 0; ++round) {
    Shape s;
    s.backwards = random.one_in(2);
    int64_t room = int64_t{1} << random.between(0, 36);
    for (int axes = static_cast<int>(random.between(1, 4)); axes > 0; --axes) {
      int64_t extent = random.between(1, random.one_in(2) ? std::min<int64_t>(room, 70) : room);
      room /= extent;
      s.dims.push_back(extent);
    }
    for (int axis = 0; axis < s.dims.size(); ++axis)
      if (random.one_in(2)) s.reduced.push_back(axis);
    check_cut(s);
  }
}

// Shapes whose results are shared by tasks.
const std::vector<Shape>& shared_shapes() {
  static const std::vector<Shape> shapes = {
      {{200001}, {0}},              // one row of four
      {{3, 70000}, {1}},            // rows of two tasks
      {{40, 5, 9000}, {0, 2}},      // several rows for a task
      {{3, 2, 65537}, {0, 2}},      // rows of two tasks, one of a single element
      {{70000, 2, 3}, {0, 2}},      // many short rows for a task
      {{3001, 300}, {0}},           // lines of a tile
      {{200, 9001}, {0}},           // more results than a tile has
      {{300, 2, 1000, 3}, {0, 2}},  // lines of two axes, cut in between
      {{6, 2, 7, 2, 9, 2, 700}, {0, 2, 4, 6}},
      {{60, 2, 70, 2, 9, 40}, {0, 2, 4}},
  };
  return shapes;
}

// A result that remembers which elements it has, for as long as they are neighbours in order.
const char* const run_text = "struct Run { long long first, last; bool whole; };\n";

struct Kernel {
  explicit Kernel(bool in_order) : host(host_device()) {
    KernelOptions options;
    options.preamble = run_text;
    options.commutative = !in_order;
    options.reduce_type = in_order ? "Run" : "uint64";
    if (in_order)
      reduction.emplace(
          MapReduceSpec{"T x",
                        "int64 y",
                        "Run{_J, _J, true}",
                        "Run{a.first, b.last, a.whole && b.whole && a.last + 1 == b.first}",
                        "y = a.whole && a.first == 0 ? a.last : -1",
                        {}},
          options);
    else
      reduction.emplace(
          MapReduceSpec{"T x", "uint64 y", "1 + (uint64)_J * _J", "a + b", "y = a", {}}, options);
  }

  Device& host;
  std::optional<Reduction> reduction;

  AxisRequest axes(const Shape& s, std::vector<int32_t>& store) const {
    store.assign(s.reduced.begin(), s.reduced.end());
    return {store, false, false};
  }
  Array input(const Shape& s) {
    return Array::empty(current_stream(host), DType::u8, s.dims, s.backwards ? Order::f : Order::c);
  }
  std::string source(const Shape& s) {
    std::vector<int32_t> store;
    Array x = input(s);
    const Argument inputs[] = {{&x, nullptr}};
    const Array* outputs[] = {nullptr};
    return reduction->source(inputs, outputs, axes(s, store));
  }
  // Whether all results are the value.
  bool all(const Shape& s, uint64_t value) {
    std::vector<int32_t> store;
    Array x = input(s);
    const Argument inputs[] = {{&x, nullptr}};
    const Array* outputs[] = {nullptr};
    auto made = reduction->call(inputs, outputs, axes(s, store), nullptr);
    current_stream(host).synchronize();
    const Array& y = made.front().second;
    const auto* values = static_cast<const uint64_t*>(y.data);
    return std::all_of(values, values + y.size(), [&](uint64_t v) { return v == value; });
  }
};

void shared_results_have_every_element() {
  Kernel in_order(true);
  Kernel sum(false);
  for (Shape s : shared_shapes())
    for (bool backwards : {false, true}) {
      s.backwards = backwards;
      uint64_t n = 1;
      for (int axis : s.reduced) n *= static_cast<uint64_t>(s.dims[axis]);
      CHECK(backwards || geometry_of(plan_of(s), 1).splits > 1);
      bool right = in_order.all(s, n - 1) && sum.all(s, n + (n - 1) * n * (2 * n - 1) / 6);
      if (!right) check::report(__FILE__, __LINE__) << describe(s) << " is wrong\n";
    }
}

void one_text_serves_all_sizes() {
  Kernel sum(false);
  CHECK(sum.source({{10}, {0}}) == sum.source({{200001}, {0}}));
  CHECK(sum.source({{20, 30}, {1}}) == sum.source({{3, 70000}, {1}}));
  CHECK(sum.source({{20, 30}, {0}}) == sum.source({{3001, 300}, {0}}));
  CHECK(sum.source({{4, 5, 20}, {0, 2}}) == sum.source({{40, 5, 9000}, {0, 2}}));
}

}  // namespace

int main() {
  every_element_is_in_one_task();
  one_text_serves_all_sizes();
  shared_results_have_every_element();
  return check::result();
}
