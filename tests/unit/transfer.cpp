// Copies between devices, on a machine that has one: the others keep their memory apart, at
// addresses that only their own copies may touch.
#include "ops/base/transfer.hpp"

#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "array/views.hpp"
#include "backends.hpp"
#include "check.hpp"
#include "device/pool.hpp"
#include "fake_device.hpp"
#include "ops/base/copy.hpp"

namespace {

// Its pointers are `distance` away from the memory that stands behind them.
class OtherDevice final : public FakeDevice {
 public:
  static constexpr uintptr_t distance = uintptr_t{1} << 46;

  void* allocate(int64_t bytes, MemoryKind) override {
    auto* memory = std::aligned_alloc(512, static_cast<size_t>(bytes));
    return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(memory) + distance);
  }
  void deallocate(void* block, MemoryKind) noexcept override { std::free(real(block)); }
  void copy(void* target, const void* source, int64_t bytes, Stream&) override {
    std::memcpy(real(target), real(source), static_cast<size_t>(bytes));
    moved += bytes;
  }
  void copy_from_host(void* target, const void* source, int64_t bytes, Stream&) override {
    std::memcpy(real(target), source, static_cast<size_t>(bytes));
    moved += bytes;
  }
  void copy_to_host(void* target, const void* source, int64_t bytes, Stream&) override {
    std::memcpy(target, real(source), static_cast<size_t>(bytes));
    moved += bytes;
  }
  bool run(const Builtin& builtin, Stream&) override {
    Builtin loop = builtin;
    loop.target = real(builtin.target);
    loop.source = real(builtin.source);
    ++loops;
    Stream& stream = current_stream(host_device());
    bool ran = host_device().run(loop, stream);
    stream.synchronize();
    return ran;
  }

  int64_t moved = 0;
  int loops = 0;

 private:
  static void* real(const void* address) {
    return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(address) - distance);
  }
};

std::mt19937_64 generator(1);

int64_t between(int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(generator);
}

std::vector<double> values_of(const Array& array, Stream& stream) {
  std::vector<double> out(static_cast<size_t>(array.size()));
  Array wide = copy(array, DType::f64, Order::c, stream);
  read(host_memory(DType::f64, array.layout.shape, nullptr, out.data()), wide, stream);
  return out;
}

// A view of the shape with steps, reversed axes and another order of axes in memory.
Array random_view(const Dims& shape, DType dtype, Stream& stream) {
  std::vector<int32_t> axes;
  for (int32_t i = 0; i < shape.size(); ++i) axes.push_back(i);
  std::shuffle(axes.begin(), axes.end(), generator);
  Dims larger = Dims::filled(shape.size(), 0);
  bool dense = between(0, 1) == 0;
  for (int i = 0; i < shape.size(); ++i)
    larger[axes[static_cast<size_t>(i)]] = shape[i] * (dense ? 1 : 2);
  Array out = transpose(Array::empty(stream, dtype, larger), axes);
  for (int i = 0; i < shape.size() && !dense; ++i)
    out = between(0, 1) == 0 ? slice(out, i, left_out, left_out, 2)
                             : slice(out, i, left_out, left_out, -2);
  return out;
}

void check_random_transfer(Device& to, Device& from) {
  constexpr DType types[] = {DType::i16, DType::i32, DType::f32, DType::f64, DType::c64};
  auto to_stream = to.create_stream(0);
  auto from_stream = from.create_stream(0);
  set_current_stream(from, from_stream);
  Dims shape = Dims::filled(static_cast<int>(between(0, 4)), 0);
  for (int i = 0; i < shape.size(); ++i) shape[i] = between(0, 12) == 0 ? 0 : between(1, 5);
  Array source = random_view(shape, types[between(0, 4)], *from_stream);
  Array numbers = Array::empty(*from_stream, DType::f64, shape);
  arange(numbers, int64_t{-50}, int64_t{1}, *from_stream);
  assign(source, numbers, *from_stream);
  if (between(0, 2) == 0)  // a source that repeats along some axes
    for (int i = 0; i < shape.size(); ++i)
      if (shape[i] > 0 && between(0, 1) == 0) source = slice(source, i, 0, 1, 1);
  source = broadcast(source, shape);
  Array target = random_view(shape, types[between(0, 4)], *to_stream);
  assign(target, source, *to_stream);
  CHECK(values_of(target, *to_stream) == values_of(source, *from_stream));
  set_current_stream(from, nullptr);
}

// What is alike on both sides moves as it is, once and without loops.
void check_direct(OtherDevice& other) {
  Stream& stream = current_stream(other);
  float numbers[12];
  for (int i = 0; i < 12; ++i) numbers[i] = static_cast<float>(i);
  Dims strides = {1, 3};
  other.moved = 0;
  other.loops = 0;
  Array array = from_memory(host_memory(DType::f32, {3, 4}, strides.data(), numbers), stream);
  CHECK(array.layout.strides == strides);
  float back[12] = {};
  read(host_memory(DType::f32, {3, 4}, strides.data(), back), array, stream);
  CHECK_EQ(other.moved, 96);
  CHECK_EQ(other.loops, 0);
  CHECK(std::memcmp(numbers, back, sizeof back) == 0);
  Dims far = {100, 1};  // the stride of an axis of extent 1 says nothing
  Array row = Array::empty(stream, DType::f32, {1, 4});
  write(row, host_memory(DType::f32, {1, 4}, far.data(), numbers), stream);
  CHECK_EQ(other.loops, 0);
  other.moved = 0;
  assign(Array::empty(stream, DType::f64, {3, 4}),
         host_memory(DType::f32, {3, 4}, strides.data(), numbers), stream);
  CHECK_EQ(other.moved, 48);
  double one = 7;
  Array wide = Array::empty(stream, DType::f32, {1000});
  other.moved = 0;
  Dims repeat = {0};
  assign(wide, host_memory(DType::f64, {1000}, repeat.data(), &one), stream);
  CHECK_EQ(other.moved, 4);  // one number, in the smaller type
  CHECK(values_of(wide, stream) == std::vector<double>(1000, 7));
}

void check_refusals(OtherDevice& other) {
  Stream& stream = current_stream(other);
  Array column = Array::empty(current_stream(host_device()), DType::f32, {3, 1});
  Array target = broadcast(column, {3, 4});
  Array source = Array::empty(stream, DType::f32, {3, 4});
  CHECK_FAILS(GPUARR_ERR_OVERLAP, "strides (1, 0)",
              [&] { assign(target, source, current_stream(host_device())); });
}

}  // namespace

int main() {
  static OtherDevice one;
  static OtherDevice two;
  Device* devices[] = {&one, &two, &host_device()};
  for (int round = 0; round < 1500; ++round) {
    size_t to = static_cast<size_t>(between(0, 2));
    size_t from = (to + static_cast<size_t>(between(1, 2))) % 3;
    check_random_transfer(*devices[to], *devices[from]);
  }
  check_direct(one);
  check_refusals(two);
  one.pool().trim();
  two.pool().trim();
  return check::result();
}
