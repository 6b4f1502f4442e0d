// Ready-made reductions of arrays that are cut into a grid of blocks, on $GPUARR_TEST_DEVICE: those
// of the undivided arrays, and the same bits however the blocks' partial results come together.
#include <cmath>
#include <complex>
#include <iostream>

#include "blocks.hpp"
#include "check.hpp"
#include "core/text.hpp"
#include "kernel/copy.hpp"
#include "ops/reduce/reduce.hpp"
#include "seed.hpp"

using namespace gpuarr;
using namespace gpuarr::blocks;

namespace {

using Complex = std::complex<double>;

bool is_product(Reducer reducer) { return reducer == Reducer::prod; }

bool knows_nan(Reducer reducer) {
  return reducer == Reducer::nansum || reducer == Reducer::nanmin || reducer == Reducer::nanmax ||
         reducer == Reducer::argmin || reducer == Reducer::argmax || reducer == Reducer::max;
}

// Results that are one of the elements, or count them.
bool is_exact(Reducer reducer, DType dtype) {
  switch (reducer) {
    case Reducer::min:
    case Reducer::max:
    case Reducer::nanmin:
    case Reducer::nanmax:
    case Reducer::norm_inf:
    case Reducer::argmin:
    case Reducer::argmax:
    case Reducer::any:
    case Reducer::all:
    case Reducer::count_nonzero:
      return true;
    default:
      return !is_inexact(dtype) && !is_inexact(result_dtype(reducer, dtype));
  }
}

// Whole numbers from 0 to 5, or floats about 1 that products of do not leave the range of.
Array elements(Random& random, DType dtype, const Dims& shape, Reducer reducer) {
  std::vector<Complex> values(static_cast<size_t>(size_of(shape)));
  const double width = is_product(reducer) ? 0.001 : 1;
  const auto real = [&] {
    if (!is_inexact(dtype))
      return static_cast<double>(random.between(0, is_product(reducer) ? 2 : 5));
    if (knows_nan(reducer) && random.one_in(300)) return std::nan("");
    return 1 + width * static_cast<double>(random.between(-1000, 1000)) / 1000;
  };
  for (Complex& value : values) value = {real(), is_complex(dtype) ? real() / 4 : 0};
  std::vector<double> reals(values.size());
  std::transform(values.begin(), values.end(), reals.begin(),
                 [](const Complex& value) { return value.real(); });
  const DType from = is_complex(dtype) ? DType::c128 : DType::f64;
  const void* const data = is_complex(dtype) ? static_cast<void*>(values.data()) : reals.data();
  const Array wide = Array::empty(stream(), from, shape);
  write(wide, host_memory(from, shape, nullptr, data), stream());
  Array out = Array::empty(stream(), dtype, shape, random.one_in(3) ? Order::f : Order::c);
  convert(out, wide, stream());
  return out;
}

std::vector<Complex> numbers_of(const Array& array) {
  const Array wide = Array::empty(stream(), DType::c128, array.layout.shape);
  convert(wide, array, stream());
  std::vector<Complex> out(static_cast<size_t>(array.size()));
  std::memcpy(static_cast<void*>(out.data()), bytes_of(wide).data(), out.size() * sizeof(Complex));
  return out;
}

bool is_nan(const Complex& z) { return std::isnan(z.real()) || std::isnan(z.imag()); }

// `error`: of the results, beside the larger of 1 and them.
bool are_close(const Array& made, const Array& expected, double error) {
  if (bytes_of(made) == bytes_of(expected)) return true;
  if (!is_inexact(made.dtype)) return false;
  const auto a = numbers_of(made), b = numbers_of(expected);
  for (size_t k = 0; k < a.size(); ++k) {
    if (is_nan(a[k]) && is_nan(b[k])) continue;
    if (!(std::abs(a[k] - b[k]) <= error * std::max(1.0, std::abs(b[k])))) return false;
  }
  return true;
}

double rounding(DType dtype) {
  switch (size_of(dtype) / (is_complex(dtype) ? 2 : 1)) {
    case 2:
      return dtype == DType::bf16 ? 0.02 : 0.002;
    case 4:
      return 1e-5;
    default:
      return 1e-13;
  }
}

Dims random_shape(Random& random) {
  Dims shape;
  int64_t left = 6000;
  for (int64_t axes = random.between(1, 3); axes > 0; --axes) {
    shape.push_back(
        std::min(left, random.one_in(6) ? 1 : random.between(1, random.one_in(3) ? 900 : 20)));
    left /= shape[shape.size() - 1];
  }
  return shape;
}

void check_reducer_of(Random& random, Reducer reducer, DType dtype) {
  const Dims shape = random_shape(random);
  Case c = {name_of(reducer), {}, {}, random.one_in(2)};
  for (int32_t axis = 0; axis < shape.size(); ++axis)
    if (random.one_in(2)) c.axes.push_back(axis);
  const StagedReducer staged(reducer, dtype, shape, {c.axes, false, c.keepdims});
  for (size_t k = 0; k < staged.array_count(); ++k)
    c.arrays.push_back(elements(random, dtype, shape, reducer));
  if (staged.kernel().input_count() > staged.array_count()) c.scalars = {Scalar::of(0.5)};
  const Cuts cuts = random_cuts(random, shape, 3);
  Stages stages(staged.kernel(), c);
  const std::vector<Array> expected = stages.undivided();
  CHECK(expected[0].dtype == staged.result_dtype());
  const double error = is_exact(reducer, dtype) ? 0 : rounding(expected[0].dtype);
  std::vector<unsigned char> first;
  for (How how : all_ways) {
    const std::vector<Array> made = like(expected, random.one_in(2) ? Order::f : Order::c);
    stages.divided(made, cuts, how);
    const char* const wrong =
        !are_close(made[0], expected[0], error) ? "what the undivided one is"
        : how == How::stacked || how == How::halves || bytes_of(made[0]) == first
            ? nullptr
            : "the bits of one stack";
    if (how == How::stacked) first = bytes_of(made[0]);
    if (wrong != nullptr)
      check::report(__FILE__, __LINE__)
          << c.name << " of " << name(dtype) << ", " << to_string(shape) << " in " << to_text(cuts)
          << ", reducing " << c.axes.size() << " axes, way " << static_cast<int>(how) << ": not "
          << wrong << "\n";
  }
}

void every_reducer(Random& random) {
  using enum DType;
  static constexpr DType whole[] = {boolean, i8, u8, i16, u16, i32, u32, i64, u64};
  static constexpr DType inexact[] = {f16, bf16, f32, f64, c64, c128};
  const auto one_of = [&](std::span<const DType> all) {
    return all[static_cast<size_t>(random.between(0, static_cast<int64_t>(all.size()) - 1))];
  };
  for (int r = 0; r < reducer_count; ++r) {
    const Reducer reducer{r};
    DType dtype = random.one_in(2) ? one_of(whole) : one_of(inexact);
    if (is_complex(dtype) && reducer == Reducer::logsumexp) dtype = f32;
    check_reducer_of(random, reducer, dtype);
  }
}

// The one element that is not 0, of a block at the end of a whole.
int64_t place_of_last(const Dims& whole, const AxisRequest& axes, const Array& x) {
  const StagedReducer staged(Reducer::argmax, DType::i8, whole, axes);
  const auto inputs = staged.inputs({&x, 1});
  Reduction::Part part = {inputs, axes, {{}, whole}};
  for (int axis = 0; axis < whole.size(); ++axis)
    part.piece.first.push_back(whole[axis] - x.layout.shape[axis]);
  const Array* made[] = {nullptr};
  const Array set = staged.kernel().partial(part, nullptr);
  return values_of(staged.kernel().finish(set, part, made, nullptr)[0].second).back();
}

// What counts is the whole: indices beyond 2^32 of small blocks.
void counts_of_the_whole() {
  std::vector<int8_t> values(1000, 0);
  values[990] = 1;
  const Array x = Array::empty(stream(), DType::i8, {10, 100});
  write(x, host_memory(DType::i8, {10, 100}, nullptr, values.data()), stream());
  const Dims whole = {int64_t{1} << 20, int64_t{3} << 20};
  CHECK_EQ(place_of_last(whole, {{}, true, false}, x), whole[0] * whole[1] - 10);
  const int32_t axes[] = {0, -1};
  CHECK_EQ(place_of_last(whole, {axes, false, true}, x), whole[0] * whole[1] - 10);
  const Array flat = x.view({{1, 1000}, {1000, 1}});
  CHECK_EQ(place_of_last({1, int64_t{5} << 32}, {axes, false, false}, flat),
           (int64_t{5} << 32) - 10);
  CHECK_EQ(place_of_last({int64_t{5} << 32, 1000}, {{axes + 1, 1}, false, false}, flat), 990);
  const AxisRequest all = {};
  const Dims small = {1000}, large = {int64_t{5} << 32};
  const auto kernel = [&](const Dims& shape) {
    return &StagedReducer(Reducer::argmax, DType::i8, shape, all).kernel();
  };
  CHECK(kernel(small) != kernel(large) && kernel(small) == kernel({2000}));
}

// A struct's size is known here: sets of it have no room to spare.
void sets_of_structs(Random& random) {
  struct Known {
    Reducer reducer;
    DType dtype;
    int64_t bytes;
  };
  for (const Known& known :
       {Known{Reducer::argmax, DType::f32, 8}, Known{Reducer::argmin, DType::i8, 8},
        Known{Reducer::var, DType::f32, 24}, Known{Reducer::std, DType::c128, 64},
        Known{Reducer::logsumexp, DType::f64, 16}, Known{Reducer::mean, DType::i32, 8}}) {
    const Array x = Array::empty(stream(), known.dtype, {7});
    const StagedReducer staged(known.reducer, known.dtype, {7}, {}, 1);
    CHECK_EQ(staged.kernel().set_bytes({staged.inputs({&x, 1}), {{}, false, false}, {}}),
             7 * known.bytes);
  }
  for (const Reducer reducer : {Reducer::argmax, Reducer::var, Reducer::logsumexp})
    for (const DType dtype : {DType::boolean, DType::f16, DType::i64, DType::c64, DType::c128})
      for (const bool long_counts : {false, true}) {
        if (random.one_in(2) || (is_complex(dtype) && reducer == Reducer::logsumexp)) continue;
        ReducerText text = reducer_text(reducer, dtype, long_counts);
        text.options.preamble =
            formatted("{}\nstatic_assert(sizeof({}) <= {}, \"\");\n", text.options.preamble.text(),
                      text.options.reduce_type, text.spec.struct_bytes);
        Reduction kernel(text.spec, text.options);
        const Array x = Array::empty(stream(), dtype, {1});
        const Scalar ddof = Scalar::of(0.0);
        const Argument inputs[] = {{&x, nullptr}, {nullptr, &ddof}};
        kernel.partial({std::span(inputs).first(kernel.input_count()), {}, {}}, nullptr);
      }
}

void refused() {
  const StagedReducer sum(Reducer::sum, DType::f32, {7}, {}),
      dot(Reducer::dot, DType::f32, {7}, {});
  const Array x = Array::empty(stream(), DType::f32, {7}),
              y = Array::empty(stream(), DType::f64, {7});
  const std::vector<Array> two = {x, y};
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "2 arrays are given, but sum takes 1", [&] { sum.inputs(two); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "1 arrays are given, but dot takes 2", [&] {
    dot.inputs({&x, 1});
  });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "a block is float64, but the whole is float32",
              [&] { dot.inputs(two); });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "x is complex64, of which there is no logsumexp",
              [] { StagedReducer(Reducer::logsumexp, DType::c64, {7}, {}); });
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
  every_reducer(random);
  counts_of_the_whole();
  sets_of_structs(random);
  refused();
  return check::result();
}
