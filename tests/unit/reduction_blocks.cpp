// Reductions of arrays that are cut along any axes, kept ones too, are those of the undivided
// arrays, on $GPUARR_TEST_DEVICE: random shapes, cuts, layouts and axes, and every number that a
// text can read.
#include <algorithm>
#include <iostream>

#include "blocks.hpp"
#include "check.hpp"
#include "seed.hpp"

using namespace gpuarr;
using namespace gpuarr::blocks;

namespace {

Array numbers(Random& random, const Dims& shape, Order order) {
  std::vector<int64_t> values(static_cast<size_t>(size_of(shape)));
  for (int64_t& value : values) value = random.between(0, 999);
  Array out = Array::empty(stream(), DType::i64, shape, order);
  write(out, host_memory(DType::i64, shape, nullptr, values.data()), stream());
  return out;
}

// Backwards along some axes, and with an extent of 1 where it repeats.
Array input(Random& random, const Dims& shape, bool repeats) {
  Dims own = shape;
  for (int axis = 0; axis < own.size(); ++axis)
    if (repeats && random.one_in(2)) own[axis] = 1;
  const Array array = numbers(random, own, random.one_in(3) ? Order::f : Order::c);
  Layout layout = array.layout;
  int64_t offset = 0;
  for (int axis = 0; axis < own.size(); ++axis) {
    if (!random.one_in(5)) continue;
    offset += (own[axis] - 1) * layout.strides[axis];
    layout.strides[axis] *= -1;
  }
  return array.view(layout, offset);
}

KernelOptions options_of(const char* preamble, const char* type, bool commutative = true) {
  KernelOptions options;
  options.preamble = preamble;
  options.reduce_type = type;
  options.commutative = commutative;
  return options;
}

Dims random_shape(Random& random) {
  Dims shape;
  int64_t left = 4000;
  for (int64_t axes = random.between(1, 4); axes > 0; --axes) {
    const int64_t extent =
        std::min(left, random.one_in(5) ? 1 : random.between(1, random.one_in(3) ? 300 : 12));
    shape.push_back(extent);
    left /= extent;
  }
  return shape;
}

// All bits, as results are whole numbers.
void check_blocks(Reduction& kernel, const Case& c, const Cuts& cuts, Order order) {
  Stages stages(kernel, c);
  const std::vector<Array> expected = stages.undivided();
  for (How how : all_ways) {
    const std::vector<Array> made = like(expected, order);
    stages.divided(made, cuts, how);
    for (size_t k = 0; k < made.size(); ++k)
      if (bytes_of(made[k]) != bytes_of(expected[k])) {
        std::string axes;
        for (int32_t axis : c.axes) axes += " " + std::to_string(axis);
        check::report(__FILE__, __LINE__)
            << c.name << ": output " << k << " over" << axes << (c.keepdims ? ", kept," : "")
            << " of " << to_string(stages.whole()) << " in " << to_text(cuts) << ", way "
            << static_cast<int>(how) << ", is not what the undivided one is\n";
      }
  }
}

std::vector<int32_t> random_axes(Random& random, int ndim) {
  std::vector<int32_t> axes;
  for (int32_t axis = 0; axis < ndim; ++axis)
    if (random.one_in(2)) axes.push_back(axis);
  return axes;
}

// Every number, in map, reduce and post.
void numbers_of_the_whole(Random& random, int rounds) {
  const char* const map =
      "(uint64)(x * w + s + t[_J % 7]) * (1 + i + 7 * _in_ind.get()[0] + "
      "31 * _in_ind.get()[_in_ind.ndim - 1] + 5 * _J + 3 * _j) + n + _in_ind.size() + "
      "_out_ind.size()";
  const char* const post =
      "y = a * n + i + _out_ind.size(); z = i + 3 * _out_ind.get()[0] + "
      "11 * _out_ind.get()[_out_ind.ndim - 1] + t[2] + s";
  const char* const post_of_one = "y = a * n + i + _out_ind.size(); z = i + t[2] + s";
  const auto spec = [&](const char* after) {
    return MapReduceSpec{"int64 x, int64 w, raw int64 t, int64 s",
                         "uint64 y, int64 z",
                         map,
                         "a + b + (n + _in_ind.size()) * (uint64)0",
                         after,
                         "17 * n"};
  };
  Reduction many(spec(post), options_of("", "uint64"));
  Reduction one(spec(post_of_one), options_of("", "uint64"));
  const Array table = numbers(random, {7}, Order::c);
  for (int round = 0; round < rounds && check::failures < 5; ++round) {
    const Dims shape = random_shape(random);
    Case c = {"numbers",
              {input(random, shape, false), input(random, shape, true)},
              random_axes(random, shape.size()),
              random.one_in(2),
              {table}};
    if (random.one_in(2)) std::swap(c.arrays[0], c.arrays[1]);
    c.scalars = {Scalar::of(random.between(0, 99))};
    const bool has_axis = c.keepdims || static_cast<int>(c.axes.size()) < shape.size();
    check_blocks(has_axis ? many : one, c, random_cuts(random, shape, 3),
                 random.one_in(2) ? Order::f : Order::c);
  }
}

// Both inputs repeat along an axis that the other has.
void outer_products(Random& random) {
  Reduction kernel({"int64 x, int64 w", "int64 y", "x * w + i", "a + b", "y = a + i", "0"}, {});
  const Array column = numbers(random, {23, 1}, Order::c), row = numbers(random, {37}, Order::c);
  const Cuts cuts = {{0, 5, 23}, {0, 9, 10, 37}};
  for (const std::vector<int32_t>& axes :
       std::initializer_list<std::vector<int32_t>>{{0}, {1}, {0, 1}, {}})
    check_blocks(kernel, {"outer product", {column, row}, axes}, cuts, Order::c);
  const Case single = {"no axes", {numbers(random, {}, Order::c)}, {}};
  check_blocks(kernel, {"no axes", {single.arrays[0], single.arrays[0]}, {}}, {}, Order::c);
}

// x -> m x + c, one after the other: cut along the first reduced axis of more than one index.
void maps_in_order(Random& random, int rounds) {
  const char* map =
      "struct affine { unsigned long long m, c; };\n"
      "__device__ affine then(affine a, affine b) { return {a.m * b.m, b.m * a.c + b.c}; }";
  Reduction kernel({"int64 x",
                    "uint64 y",
                    "affine{(unsigned long long)x * 2 + 1, (unsigned long long)(_J + i)}",
                    "then(a, b)",
                    "y = a.m * 3 + a.c + i",
                    {}},
                   options_of(map, "affine", false));
  for (int round = 0; round < rounds && check::failures < 5; ++round) {
    const Dims shape = random_shape(random);
    const Case c = {
        "maps", {input(random, shape, false)}, random_axes(random, shape.size()), random.one_in(2)};
    Cuts cuts = random_cuts(random, shape, 3);
    bool first = true;
    for (int32_t axis : c.axes) {
      const int64_t extent = shape[axis];
      if (!first) cuts[static_cast<size_t>(axis)] = {0, extent};
      first &= extent == 1;
    }
    check_blocks(kernel, c, cuts, Order::c);
  }
  const Case wrong = {"maps", {numbers(random, {4, 1, 5, 6}, Order::c)}, {1, 2, 3}};
  const auto cut = [&](const Cuts& cuts) {
    Stages stages(kernel, wrong);
    const std::vector<Array> out = like(stages.undivided(), Order::c);
    stages.divided(out, cuts, How::stacked);
  };
  cut({{0, 1, 4}, {0, 1}, {0, 2, 5}, {0, 6}});
  CHECK_FAILS(GPUARR_ERR_AXIS,
              "the piece is cut along axis 3, but axis 2 is reduced too and comes before it, so "
              "the operator would not meet the elements in order; cut along axis 2",
              [&] {
                cut({{0, 4}, {0, 1}, {0, 5}, {0, 2, 6}});
              });
}

// Results of a block of zeros at the end of a whole.
MadeOutputs at_the_end(Reduction& kernel, const Dims& whole, const Dims& shape, int32_t axis) {
  const std::vector<int8_t> zeros(static_cast<size_t>(size_of(shape)), 0);
  const Array x = Array::empty(stream(), DType::i8, shape);
  write(x, host_memory(DType::i8, shape, nullptr, zeros.data()), stream());
  const Argument inputs[] = {{&x, nullptr}};
  Dims first;
  for (int k = 0; k < whole.size(); ++k) first.push_back(whole[k] - shape[k]);
  const Reduction::Part part = {inputs, {{&axis, 1}, false, false}, {first, whole}};
  const std::vector<const Array*> none(kernel.output_count());
  return kernel.finish(kernel.partial(part, nullptr), part, none, nullptr);
}

// Blocks are small, but numbers of elements or of results take more than 32 bits.
void numbers_of_64_bits() {
  Reduction kernel({"int8 x",
                    "int64 y, int64 z, int64 w",
                    "x + _J + (i >> 3) + _j * 5 + n",
                    "a > b ? a : b",
                    "y = a; z = i; w = _out_ind.get()[_out_ind.ndim - 1] + 2 * n +"
                    " 3 * _out_ind.size() + _in_ind.size()",
                    {}},
                   {});
  struct Whole {
    Dims shape, block;
  };
  for (const Whole& w :
       {Whole{{int64_t{1} << 21, int64_t{1} << 13}, {3, 5}},
        Whole{{2, int64_t{5} << 31}, {2, 1000}}, Whole{{int64_t{5} << 31, 3}, {70000, 3}},
        Whole{{int64_t{3} << 40, 1}, {200000, 1}}})
    for (int32_t axis : {0, 1}) {
      const MadeOutputs made = at_the_end(kernel, w.shape, w.block, axis);
      const auto y = values_of(made[0].second), z = values_of(made[1].second),
                 last = values_of(made[2].second);
      const int64_t n = w.shape[0] * w.shape[1], results = w.shape[1 - axis];
      const int64_t place = w.shape[axis] - 1;  // of the last element
      for (size_t k = 0; k < y.size() && check::failures < 5; ++k) {
        const int64_t result = results - w.block[1 - axis] + static_cast<int64_t>(k);
        const int64_t i = axis == 0 ? place * results + result : result * w.shape[1] + place;
        CHECK_EQ(y[k], place + (i >> 3) + (place * results + result) * 5 + n);
        CHECK_EQ(z[k], result);
        CHECK_EQ(last[k], result + 3 * n + 3 * results);
      }
    }
}

}  // namespace

int main() {
  try {
    tested_device();
  } catch (const Error& e) {
    std::cout << "skipped: " << e.what() << "\n";
    return 77;
  }
  Random random(test_seed());
  numbers_of_the_whole(random, 12);
  outer_products(random);
  maps_in_order(random, 7);
  numbers_of_64_bits();
  return check::result();
}
