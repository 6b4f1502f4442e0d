// The precompiled loops of the CPU device against a naive reference: random shapes and strides, all
// pairs of dtypes.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"
#include "core/half.hpp"
#include "host/loops/builtin.hpp"

using namespace gpuarr;

namespace {

std::mt19937_64 generator;  // NOLINT(bugprone-random-generator-seed): main sets it

int64_t random_number(int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(generator);
}

// Values go through this: wide enough for all that the tests put into any dtype.
using Value = std::complex<double>;

template <class T>
T load_as(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

Value load(DType dtype, const std::byte* at) {
  switch (dtype) {
    case DType::boolean:
      return static_cast<double>(load_as<uint8_t>(at) != 0);
    case DType::i8:
      return static_cast<double>(load_as<int8_t>(at));
    case DType::i16:
      return static_cast<double>(load_as<int16_t>(at));
    case DType::i32:
      return static_cast<double>(load_as<int32_t>(at));
    case DType::i64:
      return static_cast<double>(load_as<int64_t>(at));
    case DType::u8:
      return static_cast<double>(load_as<uint8_t>(at));
    case DType::u16:
      return static_cast<double>(load_as<uint16_t>(at));
    case DType::u32:
      return static_cast<double>(load_as<uint32_t>(at));
    case DType::u64:
      return static_cast<double>(load_as<uint64_t>(at));
    case DType::f16:
      return static_cast<double>(static_cast<float>(load_as<Float16>(at)));
    case DType::bf16:
      return static_cast<double>(static_cast<float>(load_as<BFloat16>(at)));
    case DType::f32:
      return static_cast<double>(load_as<float>(at));
    case DType::f64:
      return load_as<double>(at);
    case DType::c64:
      return static_cast<Value>(load_as<std::complex<float>>(at));
    case DType::c128:
      return load_as<Value>(at);
  }
  return 0;
}

template <class T>
void store_as(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

// In range of every dtype but where a test says so; fractions only where the dtype has them.
void store(DType dtype, std::byte* at, Value value) {
  const double real = value.real();
  const auto whole = static_cast<int64_t>(std::trunc(real));
  switch (dtype) {
    case DType::boolean:
      return store_as(at, static_cast<uint8_t>(value != Value(0)));
    case DType::i8:
    case DType::u8:
      return store_as(at, static_cast<uint8_t>(whole));
    case DType::i16:
    case DType::u16:
      return store_as(at, static_cast<uint16_t>(whole));
    case DType::i32:
    case DType::u32:
      return store_as(at, static_cast<uint32_t>(whole));
    case DType::i64:
    case DType::u64:
      return store_as(at, static_cast<uint64_t>(whole));
    case DType::f16:
      return store_as(at, Float16(real));
    case DType::bf16:
      return store_as(at, BFloat16(real));
    case DType::f32:
      return store_as(at, static_cast<float>(real));
    case DType::f64:
      return store_as(at, real);
    case DType::c64:
      return store_as(at, static_cast<std::complex<float>>(value));
    case DType::c128:
      return store_as(at, value);
  }
}

/// Elements with a layout of their own in memory that is larger than they need.
struct Block {
  DType dtype;
  Layout layout;
  std::vector<std::byte> bytes;
  int64_t start = 0;  // element with all indices 0

  std::byte* at(int64_t offset) { return bytes.data() + (start + offset) * size_of(dtype); }
};

// Strides of a random order of the axes, with gaps, some of them negative; for a source also 0.
Block random_block(DType dtype, const Dims& shape, bool source) {
  Block block{dtype, {shape, Dims::filled(shape.size(), 1)}, {}};
  std::vector<int> order(static_cast<size_t>(shape.size()));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  if (random_number(0, 2) != 0) std::shuffle(order.begin(), order.end(), generator);
  int64_t step = random_number(0, 3) == 0 ? random_number(1, 3) : 1;
  for (int axis : order) {
    block.layout.strides[axis] = step;
    step *= shape[axis];
    if (random_number(0, 3) == 0) step += random_number(0, 5);
    if (random_number(0, 3) == 0) block.layout.strides[axis] *= -1;
    if (source && random_number(0, 5) == 0) block.layout.strides[axis] = 0;
  }
  const Reach r = reach(block.layout);
  constexpr int64_t guard = 8;
  block.start = guard - r.low;
  block.bytes.resize(static_cast<size_t>((r.high - r.low + 1 + 2 * guard) * size_of(dtype)));
  for (std::byte& b : block.bytes) b = std::byte{0x5a};
  return block;
}

Dims random_shape() {
  Dims shape;
  const int64_t ndim = random_number(0, 5);
  for (int64_t i = 0; i < ndim; ++i)
    shape.push_back(random_number(0, 9) == 0 ? random_number(0, 1) : random_number(2, 9));
  if (ndim > 0 && random_number(0, 2) == 0)
    shape[static_cast<int>(random_number(0, ndim - 1))] = random_number(50, 300);
  if (ndim == 2 && random_number(0, 1) == 0)
    shape = {random_number(60, 300), random_number(60, 300)};
  return shape;
}

/// Calls `body` with the indices' offsets in both layouts, in C order.
template <class Visit>
void each(const Dims& shape, const Dims& first, const Dims& second, Visit&& visit) {
  const int64_t n = size_of(shape);
  for (int64_t i = 0; i < n; ++i) {
    int64_t rest = i, a = 0, b = 0;
    for (int axis = shape.size() - 1; axis >= 0; --axis) {
      a += rest % shape[axis] * first[axis];
      b += rest % shape[axis] * second[axis];
      rest /= shape[axis];
    }
    visit(i, a, b);
  }
}

bool same_bytes(DType dtype, const std::byte* a, const std::byte* b) {
  return std::memcmp(a, b, static_cast<size_t>(size_of(dtype))) == 0;
}

Builtin builtin_for(Builtin::Kind kind, Block& target) {
  Builtin b;
  b.kind = kind;
  b.shape = target.layout.shape;
  b.target_dtype = target.dtype;
  b.target = target.at(0);
  b.target_strides = target.layout.strides;
  return b;
}

// The expected bytes are made in a copy of the untouched target, so that gaps are checked too.
void check_copy(DType target_dtype, DType source_dtype) {
  const Dims shape = random_shape();
  Block target = random_block(target_dtype, shape, false);
  Block source = random_block(source_dtype, shape, true);
  Block expected = target;
  each(shape, source.layout.strides, source.layout.strides, [&](int64_t, int64_t at, int64_t) {
    store(source_dtype, source.at(at),
          Value(static_cast<double>(random_number(0, 100)) / 2,
                static_cast<double>(random_number(0, 9))));
  });
  each(shape, target.layout.strides, source.layout.strides, [&](int64_t, int64_t to, int64_t from) {
    store(target_dtype, expected.at(to), load(source_dtype, source.at(from)));
  });
  Builtin b = builtin_for(Builtin::Kind::copy, target);
  b.source_dtype = source_dtype;
  b.source = source.at(0);
  b.source_strides = source.layout.strides;
  host::run_builtin(b);
  if (target.bytes != expected.bytes)
    check::report(__FILE__, __LINE__)
        << name(target_dtype) << " from " << name(source_dtype) << ", shape " << to_string(shape)
        << ", strides " << to_string(target.layout.strides) << " from "
        << to_string(source.layout.strides) << '\n';
}

void check_fill(DType dtype) {
  Block target = random_block(dtype, random_shape(), false);
  Block expected = target;
  Builtin b = builtin_for(Builtin::Kind::fill, target);
  store(dtype, reinterpret_cast<std::byte*>(b.value), Value(3, 1));
  each(b.shape, b.target_strides, b.target_strides,
       [&](int64_t, int64_t at, int64_t) { store(dtype, expected.at(at), Value(3, 1)); });
  host::run_builtin(b);
  CHECK(target.bytes == expected.bytes);
}

void check_arange(DType dtype, bool whole) {
  Block target = random_block(dtype, random_shape(), false);
  Block expected = target;
  Builtin b = builtin_for(Builtin::Kind::arange, target);
  b.whole_numbers = whole;
  b.start_whole = 5;
  b.step_whole = 3;
  b.start_real = 0.5;
  b.step_real = 0.25;
  const double last = static_cast<double>(size_of(b.shape)) * 3 + 5;
  if (last > 100 && size_of(dtype) == 1) return;
  if (last > 32000 && size_of(dtype) == 2) return;
  each(b.shape, b.target_strides, b.target_strides, [&](int64_t i, int64_t at, int64_t) {
    const auto number = static_cast<double>(i);
    store(dtype, expected.at(at), whole ? 5 + 3 * number : 0.5 + 0.25 * number);
  });
  host::run_builtin(b);
  bool right = true;
  each(b.shape, b.target_strides, b.target_strides, [&](int64_t, int64_t at, int64_t) {
    right &= same_bytes(dtype, target.at(at), expected.at(at));
  });
  if (!right)
    check::report(__FILE__, __LINE__) << name(dtype) << (whole ? " whole" : " real") << '\n';
}

template <class To, class From>
To converted(DType to, DType from, From value) {
  To result{};
  Builtin b;
  b.target_dtype = to;
  b.target = &result;
  b.source_dtype = from;
  b.source = &value;
  host::run_builtin(b);
  return result;
}

void check_edges() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_EQ(converted<uint8_t>(DType::boolean, DType::f64, nan), 1);
  CHECK_EQ(converted<uint8_t>(DType::boolean, DType::f64, -0.0), 0);
  CHECK_EQ(converted<uint8_t>(DType::boolean, DType::f32, 1e-45F), 1);
  CHECK_EQ(converted<uint8_t>(DType::boolean, DType::c128, Value(0, 1)), 1);
  CHECK_EQ(converted<float>(DType::f32, DType::c128, Value(2, 1)), 2.0F);
  CHECK_EQ(converted<uint8_t>(DType::boolean, DType::boolean, uint8_t{1}), 1);
  CHECK_EQ(converted<int32_t>(DType::i32, DType::boolean, uint8_t{7}), 1);
  CHECK_EQ(converted<int8_t>(DType::i8, DType::i32, int32_t{300}), 44);
  CHECK_EQ(converted<uint32_t>(DType::u32, DType::i8, int8_t{-1}), 0xffffffffU);
  CHECK_EQ(converted<int32_t>(DType::i32, DType::f32, -2.9F), -2);
  CHECK_EQ(converted<uint8_t>(DType::u8, DType::f32, -0.9F), 0);
  CHECK_EQ(converted<int64_t>(DType::i64, DType::f64, -0x1p63), INT64_MIN);
  CHECK_EQ(converted<int64_t>(DType::i64, DType::f64, 0x1p62), int64_t{1} << 62);
  CHECK_EQ(converted<uint64_t>(DType::u64, DType::f64, 0x1p63), uint64_t{1} << 63);
  // No defined value, but no fault either.
  for (double value : {nan, infinity, -infinity, 1e300, -1e300, 0x1p63, 0x1p64, -1.0}) {
    converted<int8_t>(DType::i8, DType::f64, value);
    converted<uint64_t>(DType::u64, DType::f64, value);
    converted<int64_t>(DType::i64, DType::f32, static_cast<float>(value));
    converted<uint16_t>(DType::u16, DType::f16, Float16(value));
  }
}

void check_rounding_to_16() {
  // Of an integer: the exact tie is even, one more is up, though no double tells them apart.
  const int64_t tie = (int64_t{1} << 62) + (int64_t{1} << 54);
  CHECK_EQ(converted<uint16_t>(DType::bf16, DType::i64, tie), BFloat16(0x1p62).bits);
  CHECK_EQ(converted<uint16_t>(DType::bf16, DType::i64, tie + 1), BFloat16(0x1p62).bits + 1);
  CHECK_EQ(converted<uint16_t>(DType::bf16, DType::i64, -tie - 1),
           (BFloat16(0x1p62).bits + 1) | 0x8000);
  CHECK_EQ(converted<uint16_t>(DType::bf16, DType::u64, UINT64_MAX), BFloat16(0x1p64).bits);
  // Of a double: by way of float this would be rounded twice.
  CHECK_EQ(converted<uint16_t>(DType::f16, DType::f64, 1 + 0x1p-11 + 0x1p-40), 0x3c01);
  CHECK_EQ(converted<uint16_t>(DType::f16, DType::f64, 1 + 0x1p-11), 0x3c00);
}

// Threads take turns alike whatever the dtypes.
#if defined(__SANITIZE_THREAD__)
constexpr int often = 2;
#else
constexpr int often = 8;
#endif

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::random_device{}();
  std::cerr << "seed " << seed << '\n';
  generator.seed(seed);
  for (const DTypeFacts& to : dtype_table()) {
    for (const DTypeFacts& from : dtype_table())
      for (int i = 0; i < often; ++i) check_copy(to.dtype, from.dtype);
    for (int i = 0; i < 3 * often; ++i) check_fill(to.dtype);
    for (int i = 0; i < 3 * often; ++i) check_arange(to.dtype, i % 2 == 0);
  }
  check_edges();
  check_rounding_to_16();
  return check::result();
}
