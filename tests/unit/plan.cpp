// How loops are laid out: known layouts, and random ones against the naive loop.
#include "codegen/elementwise/plan.hpp"

#include <algorithm>
#include <deque>
#include <vector>

#include "check.hpp"
#include "codegen/elementwise/parameters.hpp"
#include "codegen/targets.hpp"
#include "random_loop.hpp"

using namespace gpuarr;

namespace {

constexpr int64_t far = int64_t{1} << 36;

struct Arg {
  Role role;
  DType dtype;
  Dims shape;
  Dims strides;
  int64_t offset = 0;
};

Plan plan_of(const Dims& shape, const std::vector<Arg>& args, BodyTraits body = {},
             const Target& target = cuda_target) {
  std::deque<Layout> layouts;
  std::vector<Operand> operands;
  for (const Arg& a : args) {
    int64_t where = (static_cast<int64_t>(operands.size()) + 1) * far + a.offset * size_of(a.dtype);
    layouts.push_back({a.shape, a.strides});
    operands.push_back({a.role, a.dtype, reinterpret_cast<void*>(where), &layouts.back(), nullptr});
  }
  Plan p;
  make_plan(p, target, operands, shape, body);
  return p;
}

constexpr Role in = Role::input;
constexpr Role out = Role::output;
constexpr DType f32 = DType::f32;

void axes_are_joined() {
  Dims s = {4, 5, 6};
  Plan p = plan_of(s, {{in, f32, s, {30, 6, 1}}, {out, f32, s, {30, 6, 1}}});
  CHECK(p.variant.form == Form::rows && p.nest.ndim == 1 && p.inner() == 120);
  // Both in the same other order: still one axis, unless the index counts.
  p = plan_of(s, {{in, f32, s, {1, 4, 20}}, {out, f32, s, {1, 4, 20}}});
  CHECK(p.variant.form == Form::rows && p.nest.ndim == 1);
  p = plan_of(s, {{in, f32, s, {1, 4, 20}}, {out, f32, s, {1, 4, 20}}}, {.uses_i = true});
  CHECK_EQ(p.nest.ndim, 3);
  // A row that is repeated, a column that is repeated, a gap.
  p = plan_of(s, {{in, f32, {6}, {1}}, {out, f32, s, {30, 6, 1}}});
  CHECK(p.nest.ndim == 2 && p.inner() == 6 && p.extent(0) == 20);
  p = plan_of(s, {{in, f32, {4, 1, 1}, {1, 1, 1}}, {out, f32, s, {30, 6, 1}}});
  CHECK(p.nest.ndim == 2 && p.inner() == 30 && p.extent(0) == 4);
  CHECK(p.variant.how(0) == Access::repeated || p.variant.form != Form::rows);
  p = plan_of(s, {{in, f32, s, {40, 6, 1}}, {out, f32, s, {30, 6, 1}}});
  CHECK(p.nest.ndim == 2 && p.inner() == 30);
  // Axes of one index are nothing, whatever their stride.
  p = plan_of({1, 7, 1}, {{in, f32, {1, 7, 1}, {99, 1, -3}}, {out, f32, {1, 7, 1}, {0, 1, 5}}});
  CHECK(p.nest.ndim == 1 && p.inner() == 7);
  p = plan_of({}, {{in, f32, {}, {}}, {out, f32, {}, {}}});
  CHECK(p.nest.ndim == 1 && p.inner() == 1 && p.size == 1);
}

void axes_that_run_backwards_are_flipped() {
  Plan p = plan_of({9}, {{in, f32, {9}, {-1}, 8}, {out, f32, {9}, {-1}, 8}}, {.uses_i = true});
  CHECK(p.variant.form == Form::rows && p.stride(0, 0) == 1);
  CHECK_EQ(p.nest.counters[0].start, 8);
  CHECK_EQ(p.nest.counters[0].strides[0], -1);
  CHECK(p.nest.data[0] == reinterpret_cast<char*>(far));
  // Against each other there is nothing to gain.
  p = plan_of({9}, {{in, f32, {9}, {-1}, 8}, {out, f32, {9}, {1}}});
  CHECK(p.variant.form == Form::strided && p.stride(0, 0) == -1);
}

void forms_and_accesses() {
  Dims s = {100, 64};
  Plan p = plan_of(s, {{in, f32, s, {64, 1}},
                       {in, f32, {64}, {1}},
                       {in, f32, {100, 1}, {1, 1}},
                       {in, f32, {}, {}},
                       {out, f32, s, {64, 1}}});
  CHECK(p.variant.form == Form::rows && !p.variant.shifts && p.variant.pack == 4);
  CHECK(p.variant.how(0) == Access::vector && p.variant.how(1) == Access::vector);
  CHECK(p.variant.how(2) == Access::repeated && p.variant.how(3) == Access::single &&
        p.variant.how(4) == Access::vector);
  p = plan_of(s, {{in, f32, s, {1, 100}}, {out, f32, s, {64, 1}}});
  CHECK(p.variant.form == Form::tiled && p.variant.tile_axis == 0 &&
        p.variant.how(0) == Access::transposed);
  p = plan_of(s, {{in, f32, s, {128, 2}}, {out, f32, s, {64, 1}}});
  CHECK(p.variant.form == Form::strided && p.variant.how(0) == Access::general);
  p = plan_of({5, 4}, {{in, f32, {5, 4}, {1, 5}}, {out, f32, {5, 4}, {4, 1}}});
  CHECK(p.variant.form == Form::strided);  // too small for tiles
}

void packs() {
  auto pack = [](DType a, DType b) {
    return plan_of({1000}, {{in, a, {1000}, {1}}, {out, b, {1000}, {1}}}).variant.pack;
  };
  CHECK_EQ(pack(f32, f32), 4);
  CHECK_EQ(pack(DType::i8, DType::i8), 16);
  CHECK_EQ(pack(DType::f64, DType::f64), 2);
  CHECK_EQ(pack(DType::c128, DType::c128), 1);
  CHECK_EQ(pack(DType::i8, DType::f64), 2);  // 16 bytes of an output
  CHECK_EQ(pack(DType::f64, DType::i8), 4);  // 32 of an input
  CHECK_EQ(plan_of({1000}, {{in, f32, {1000}, {1}}}, {.has_loop = true}).variant.pack, 1);
  CHECK_EQ(plan_of({1000}, {{in, f32, {1000}, {1}}}, {}, host_target).variant.pack, 1);
}

void shifts_and_anchors() {
  auto at = [](int64_t x, int64_t y, int64_t z) {
    return plan_of(
        {1000}, {{in, f32, {1000}, {1}, x}, {in, f32, {1000}, {1}, y}, {out, f32, {1000}, {1}, z}});
  };
  CHECK(!at(0, 4, 8).variant.shifts);
  Plan p = at(1, 1, 1);  // alike: the first pack begins before the arrays, and all are aligned
  CHECK(p.variant.shifts && p.variant.anchor == 2 && p.variant.how(0) == Access::vector &&
        p.variant.how(2) == Access::vector);
  p = at(1, 0, 0);
  CHECK(p.variant.shifts && p.variant.anchor == 2 && p.variant.how(0) == Access::shifted &&
        p.variant.how(1) == Access::vector);
  p = at(0, 0, 3);
  CHECK(p.variant.anchor == 2 && p.variant.how(0) == Access::shifted &&
        p.variant.how(2) == Access::vector);
}

void wide_loops() {
  auto wide = [](Dims shape, Dims x, Dims z) {
    return plan_of(shape, {{in, DType::i8, shape, x}, {out, DType::i8, shape, z}}).variant.wide;
  };
  int64_t big = int64_t{1} << 30;
  CHECK(!wide({big}, {1}, {1}));
  CHECK(wide({big + 1}, {1}, {1}));
  CHECK(wide({int64_t{1} << 20, 1 << 13}, {0, 0}, {1 << 13, 1}));
  CHECK(wide({3, 3}, {big, 1}, {3, 1}));
  CHECK(wide({3, 3}, {-big, 1}, {3, 1}));
  CHECK(!wide({2, 3}, {big / 2, 1}, {3, 1}));
}

// One element of the loop: i, and where each operand is.
using Visit = std::vector<int64_t>;

template <class Move>
std::vector<Visit> visits(int ndim, const int64_t* shape, Move&& move) {
  std::vector<Visit> all;
  std::array<int64_t, max_ndim> index{};
  for (;;) {
    all.push_back(move(index));
    int axis = ndim - 1;
    while (axis >= 0 && ++index[static_cast<size_t>(axis)] == shape[axis])
      index[static_cast<size_t>(axis--)] = 0;
    if (axis < 0) break;
  }
  std::ranges::sort(all);
  return all;
}

std::vector<Visit> naive(const RandomLoop& loop, bool with_i) {
  Dims c_strides = dense_strides(loop.shape, Order::c);
  return visits(loop.shape.size(), loop.shape.data(), [&](const auto& index) {
    Visit v{0};
    for (int axis = 0; with_i && axis < loop.shape.size(); ++axis)
      v[0] += index[static_cast<size_t>(axis)] * c_strides[axis];
    for (const Operand& o : loop.operands) {
      if (!in_loop(o.role)) continue;
      Layout seen = broadcast_to(*o.layout, loop.shape);
      auto where = reinterpret_cast<intptr_t>(o.data);
      for (int axis = 0; axis < loop.shape.size(); ++axis)
        where += index[static_cast<size_t>(axis)] * seen.strides[axis] * size_of(o.dtype);
      v.push_back(where);
    }
    return v;
  });
}

std::vector<Visit> planned(const Plan& p, const RandomLoop& loop, bool with_i) {
  return visits(p.nest.ndim, p.nest.shape.data(), [&](const auto& index) {
    Visit v{with_i ? p.nest.counters[0].start : 0};
    for (size_t axis = 0; with_i && axis < static_cast<size_t>(p.nest.ndim); ++axis)
      v[0] += index[axis] * p.nest.counters[0].strides[axis];
    for (int k = 0; k < p.variant.operands.size(); ++k) {
      const Operand& o = loop.operands[static_cast<size_t>(k)];
      if (!in_loop(o.role)) continue;
      auto where = reinterpret_cast<intptr_t>(p.nest.data[static_cast<size_t>(k)]);
      for (int axis = 0; axis < p.nest.ndim; ++axis)
        where += index[static_cast<size_t>(axis)] * p.stride(k, axis) * size_of(o.dtype);
      v.push_back(where);
    }
    return v;
  });
}

void check_access(const Plan& p, const RandomLoop& loop, int k) {
  const Operand& o = loop.operands[static_cast<size_t>(k)];
  int64_t inner = p.stride(k, p.nest.ndim - 1);
  bool all_zero = true;
  for (int axis = 0; axis < p.nest.ndim; ++axis) all_zero &= p.stride(k, axis) == 0;
  switch (p.variant.how(k)) {
    case Access::none:
      CHECK(!in_loop(o.role));
      break;
    case Access::single:
      CHECK(all_zero);
      break;
    case Access::repeated:
      CHECK(p.variant.form == Form::rows && inner == 0 && !all_zero);
      break;
    case Access::vector:
      CHECK(p.variant.form == Form::rows && inner == 1);
      break;
    case Access::shifted:
      CHECK(p.variant.form == Form::rows && inner == 1 && p.variant.shifts);
      break;
    case Access::general:
      CHECK(p.variant.form != Form::rows);
      break;
    case Access::transposed:
      CHECK(p.variant.form == Form::tiled && o.role == Role::input &&
            p.stride(k, p.variant.tile_axis) == 1);
      break;
    case Access::common:
      CHECK(!"one of row kernels");
      break;
    case Access::packed:
    case Access::staged:
    case Access::row_staged:
      CHECK(!"one of gufuncs");
      break;
  }
}

// All packs of all rows: those of vector operands are aligned.
void check_packs(const Plan& p, const RandomLoop& loop) {
  std::array<int64_t, max_ndim> rows{};
  std::copy_n(p.nest.shape.begin(), p.nest.ndim - 1, rows.begin());
  auto address = [&](int k, const auto& index) {
    auto where = reinterpret_cast<intptr_t>(p.nest.data[static_cast<size_t>(k)]);
    for (int axis = 0; axis + 1 < p.nest.ndim; ++axis)
      where += index[static_cast<size_t>(axis)] * p.stride(k, axis) *
               size_of(loop.operands[static_cast<size_t>(k)].dtype);
    return where;
  };
  visits(p.nest.ndim - 1, rows.data(), [&](const auto& index) {
    int64_t head = 0;
    if (p.variant.shifts) {
      int64_t size = size_of(loop.operands[static_cast<size_t>(p.variant.anchor)].dtype);
      head = (p.variant.pack - address(p.variant.anchor, index) / size % p.variant.pack) %
             p.variant.pack;
    }
    for (int k = 0; k < p.variant.operands.size(); ++k) {
      if (p.variant.how(k) != Access::vector) continue;
      int64_t size = size_of(loop.operands[static_cast<size_t>(k)].dtype);
      CHECK_EQ((address(k, index) + head * size) % std::min<int64_t>(16, p.variant.pack * size), 0);
    }
    return Visit{};
  });
}

void random_loops() {
  LoopMaker maker(11);
  std::array<int, 3> forms{};
  int shifted = 0;
  int before = check::failures;
  for (int round = 0; round < 5000; ++round) {
    RandomLoop loop = maker.draw(5, 800);
    Plan p;
    make_plan(p, maker.one_in(3) ? host_target : cuda_target, loop.operands, loop.shape, loop.body);
    CHECK(p.nest.ndim >= 1 && p.nest.ndim <= std::max(1, loop.shape.size()));
    CHECK(naive(loop, p.variant.uses_i) == planned(p, loop, p.variant.uses_i));
    for (int k = 0; k < p.variant.operands.size(); ++k) check_access(p, loop, k);
    if (p.variant.form == Form::rows && p.variant.pack > 1) check_packs(p, loop);
    ++forms[static_cast<size_t>(p.variant.form)];
    shifted += p.variant.shifts;
    if (check::failures > before) return;
  }
  CHECK(forms[0] > 1000 && forms[1] > 500 && forms[2] > 20 && shifted > 100);
}

// Rows of a loop whose indices fit 31 bits: so do the numbers of its packs, which are divided.
void numbers_of_packs_fit() {
  for (int64_t inner = 1; inner < 200; ++inner)
    for (DType small : {DType::i8, DType::i16, f32, DType::f64})
      for (DType large : {DType::i8, f32, DType::c128}) {
        Dims s = {(int64_t{1} << 30) / (inner + 1), inner};
        Plan p = plan_of(s, {{in, small, s, {inner + 1, 1}, 1}, {out, large, s, {inner + 1, 1}}});
        if (p.variant.form != Form::rows || p.variant.wide) continue;
        CHECK(geometry_of(p, {}).total_packs < int64_t{1} << 31);
      }
}

}  // namespace

int main() {
  axes_are_joined();
  axes_that_run_backwards_are_flipped();
  forms_and_accesses();
  packs();
  shifts_and_anchors();
  wide_loops();
  random_loops();
  numbers_of_packs_fit();
  return check::result();
}
