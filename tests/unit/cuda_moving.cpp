// The kernels that take, put, repeat and cut compile for a GPU in each of their forms: on the
// stand-in for the driver, which launches nothing.
#include "array/views.hpp"
#include "backends.hpp"
#include "cuda_fake.hpp"
#include "gpuarr/rearrange.h"
#include "ops/base/copy.hpp"
#include "ops/index/index.hpp"
#include "ops/index/join.hpp"
#include "ops/index/rearrange.hpp"

using namespace gpuarr;

namespace {

Array empty(Stream& stream, DType dtype, const Dims& shape) {
  return Array::empty(stream, dtype, shape);
}

// Lines, rows of words of any size, and elements along an axis.
void takes(Stream& stream, DType dtype, DType index) {
  const Array x = empty(stream, dtype, {6, 5, 4}), k = empty(stream, index, {3});
  const Array line = empty(stream, dtype, {30});
  CHECK_EQ(take(nullptr, line, k, 0, &stream)->size(), 3);
  CHECK_EQ(take(nullptr, x, k, 0, &stream)->size(), 60);
  CHECK_EQ(take(nullptr, reverse_axes(x), k, 1, &stream)->size(), 72);
  const Array every = empty(stream, index, {6, 5, 2});
  CHECK_EQ(take_along_axis(nullptr, x, every, -1, &stream)->size(), 60);
}

void puts(Stream& stream, DType dtype) {
  const Array x = empty(stream, dtype, {6, 5, 4}), k = empty(stream, DType::i32, {3});
  const Array values = empty(stream, dtype, {5, 4});
  const Argument array{&values, nullptr};
  put(x, k, array, 0, false, &stream);
  put_along_axis(x, empty(stream, DType::i64, {6, 5, 4}), {&x, nullptr}, 2, &stream);
  const Scalar one = Scalar::of(int64_t{1});
  const Argument scalar{nullptr, &one};
  put(empty(stream, dtype, {30}), k, scalar, 0, false, &stream);
  if (size_of(dtype) > 1) put(x, k, scalar, 1, true, &stream);
}

// Small pieces of neighbours are copied by one launch: by 4, 8 and 16 bytes.
void joins(Stream& stream) {
  const Array x = empty(stream, DType::f32, {4, 8}), y = empty(stream, DType::f64, {3, 5});
  const Array* same[] = {&x, &x, &x};
  const int64_t before = fake::calls("cuLaunchKernel");
  CHECK_EQ(concatenate(nullptr, same, 0, &stream)->size(), 96);
  CHECK_EQ(stack_arrays(nullptr, same, 0, &stream)->size(), 96);
  CHECK_EQ(fake::calls("cuLaunchKernel") - before, 2);
  CHECK_EQ(std::string(fake::last_launch().name), "copy_runs");
  const std::vector<const Array*> many(1500, &y);
  CHECK_EQ(concatenate(nullptr, many, 0, &stream)->size(), 22500);
  CHECK_EQ(fake::calls("cuLaunchKernel") - before, 4);
  const Array line = empty(stream, DType::f32, {10});
  const int64_t by = 3;
  const int32_t axis = 0;
  CHECK_EQ(roll(nullptr, line, {&by, 1}, {&axis, 1}, &stream)->size(), 10);
  CHECK_EQ(fake::calls("cuLaunchKernel") - before, 5);
}

void rearranged(Stream& stream, DType dtype) {
  const Array x = empty(stream, dtype, {6, 5});
  const int64_t widths[] = {1, 2};
  const Scalar zero = Scalar::of(int64_t{0});
  for (int32_t mode : {GPUARR_PAD_CONSTANT, GPUARR_PAD_REFLECT})
    CHECK_EQ(pad(nullptr, x, {widths, widths, mode, &zero}, &stream)->size(), 72);
  CHECK_EQ(triangle(nullptr, x, 1, true, &stream)->size(), 30);
  CHECK_EQ(triangle(nullptr, reverse_axes(x), 1, false, &stream)->size(), 30);
  CHECK_EQ(tri(stream, dtype, 3, 4, 0, Order::f).size(), 12);
  const Array counts = empty(stream, DType::i32, {6});
  fill(counts, zero, stream);
  CHECK_EQ(repeat_each(nullptr, x, counts, 0, &stream)->size(), 0);
}

}  // namespace

int main() {
  fake::require();
  Device& device = open_device("cuda:0");
  auto stream = device.create_stream(0);
  takes(*stream, DType::f32, DType::i64);
  takes(*stream, DType::u8, DType::u64);
  takes(*stream, DType::c128, DType::i8);
  for (DType dtype : {DType::i16, DType::f16, DType::f64, DType::c64}) puts(*stream, dtype);
  joins(*stream);
  for (DType dtype : {DType::boolean, DType::bf16, DType::c128}) rearranged(*stream, dtype);
  return check::result();
}
