// What is refused, and what the messages say.
#include <cerrno>

#include "check.hpp"

using namespace gpuarr;

namespace {

const std::vector<float> three{1, 2, 3};

void shapes_and_ranks() {
  const Elementwise plus("T x, T y", "T z", "z = x + y");
  Array x = Array::from(three), y = Array::from(std::vector<float>{1, 2}),
        z = zeros(GPUARR_F32, {2});
  CHECK_FAILS(GPUARR_ERR_BROADCAST, "gpuarr_elementwise_call: ", [&] { plus(x, y); });
  CHECK_FAILS(GPUARR_ERR_BROADCAST, "(2,)", [&] { plus.run({z}, {x, x}); });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "(2, 2)", [] { Array::from(three, {2, 2}); });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "(2,)", [&] { x.broadcast({3, 3}).reshape({2}); });
  CHECK_FAILS(GPUARR_ERR_AXIS, "axis is 1", [&] { x.slice(1, 0); });
  CHECK_FAILS(GPUARR_ERR_AXIS, "3", [&] { x.select(0, 3); });
  CHECK_FAILS(GPUARR_ERR_AXIS, "gpuarr_array_transpose: ", [&] { x.transpose({0, 1}); });
  CHECK_FAILS(GPUARR_ERR_AXIS, "in sum(float32 (3,))", [&] { sum(x, {2}); });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "(3,)", [&] { x.item<float>(); });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "-2", [] { zeros(GPUARR_F32, {-2}); });
  CHECK_FAILS(GPUARR_ERR_OVERLAP, "", [&] { x.broadcast({2, 3}).fill(0); });
}

void dtypes() {
  const Elementwise plus("T x, T y", "T z", "z = x + y");
  Array x = Array::from(three), y = Array::from(std::vector<double>{1, 2, 3});
  CHECK_FAILS(GPUARR_ERR_DTYPE, "float64", [&] { plus(x, y); });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "float64 is asked for, but the array has float32",
              [&] { x.to_vector<double>(); });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "uint8", [&] { x.slice(0, 0, 1).item<uint8_t>(); });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "int8", [&] { x.astype(GPUARR_I8).fill(1000); });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "99", [] { zeros(99, {1}); });
}

void kernels_that_do_not_compile() {
  Array x = Array::from(three);
  const Elementwise wrong("T x", "T z", "z = x + \u00fcnknown;  // \"quoted\"");
  CHECK_FAILS(GPUARR_ERR_COMPILE, "\u00fcnknown", [&] { wrong(x); });
  CHECK_FAILS(GPUARR_ERR_COMPILE, "nothing_such", [] {
    const Raw kernel = Module("__global__ void f() { nothing_such(); }").kernel("f");
    kernel.launch(1, 1, {});
  });
  CHECK_FAILS(GPUARR_ERR_SYNTAX, "T x y", [] { Elementwise("T x y", "T z", "z = x"); });
  CHECK_FAILS(GPUARR_ERR_NOT_FOUND, "\"g\"", [] {
    const Raw kernel = Module("__global__ void f() {}").kernel("g");
    kernel.launch(1, 1, {});
  });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "9 z",
              [] { Options().set(gpuarr_kernel_options_set_name, "9 z"); });
}

void arguments_of_kernels() {
  Array x = Array::from(three), z;
  const Elementwise copy("T x", "T z", "z = x");
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "", [&] { copy(x, x); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "", [&] { copy.run({z, z}, {x}); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "", [&] { copy.prepare({z}, {x}); });
  CHECK(z == nullptr);
  const Raw raw = Module("__global__ void f(float* x, int n) {}").kernel("f");
  CHECK_FAILS(GPUARR_ERR_DTYPE, "args[1]", [&] { raw.launch(1, 1, {x, 2.f}); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "", [&] { raw.launch(1, 100000, {x, 2}); });
  Call call = copy.prepare({x}, {1});
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "", [&] { call.set(1, 2); });
}

void no_elements_and_no_axes() {
  const Elementwise twice("T x", "T z", "z = 2 * x");
  Array none = zeros(GPUARR_F32, {0, 4}), number = full(GPUARR_F32, {}, 4);
  CHECK(twice(none).shape() == (Shape{0, 4}) && twice(none).to_vector<float>().empty());
  CHECK(twice(number).shape().empty() && twice(number).item<float>() == 8);
  CHECK(sum(none).item<float>() == 0 && sum(none, {0}).to_vector<float>() == std::vector<float>(4));
  CHECK_FAILS(GPUARR_ERR_EMPTY, "in max(float32 (0, 4))", [&] { max(none); });
  CHECK(number.transpose().reshape({1, 1}).broadcast({2, 2}).to_vector<float>() ==
        std::vector<float>(4, 4));
  CHECK_FAILS(GPUARR_ERR_AXIS, "", [&] { number.slice(0, 0); });
}

void released_and_moved_from() {
  const Elementwise copy("T x", "T z", "z = x");
  const int64_t before = gpuarr_live_objects();
  Array x = Array::from(three), again = x;
  CHECK(again == x);
  x.reset();
  x.reset();
  CHECK(x == nullptr && again.to_vector<float>() == three);
  x = std::move(again);
  CHECK(x.size() == 3 && again.size() == 0 && again.shape().empty() &&
        again.dtype() == 0);  // NOLINT
  CHECK(again.data() == nullptr && again.device() == nullptr && again.strides().empty());
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "NULL", [&] { copy(again); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "NULL", [&] { again.copy(); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "NULL", [&] { again.select(0, 0); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "NULL", [&] { again.fill(1); });
  CHECK_FAILS(GPUARR_ERR_DTYPE, "unknown", [&] { again.to_vector<float>(); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "NULL", [&] { x.assign(again); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "NULL", [&] { sum(again); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "NULL", [&] { again.save("never.npy"); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "NULL", [] { Stream().synchronize(); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "NULL", [] { Call().launch(); });
  Elementwise taken = copy;
  Elementwise moved = std::move(taken);
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "NULL", [&] { taken(x); });  // NOLINT
  CHECK(moved(x).to_vector<float>() == three);
  Array& self = x;
  x = self;
  CHECK_EQ(x.size(), 3);
  x.reset();
  moved.reset();
  CHECK_EQ(gpuarr_live_objects(), before);
}

void errors() {
  try {
    Array::load("nowhere.npy");
  } catch (const std::runtime_error& error) {
    const auto& ours = dynamic_cast<const Error&>(error);
    CHECK_EQ(ours.status, GPUARR_ERR_IO);
    CHECK_EQ(ours.native, ENOENT);
    CHECK_EQ(std::string(error.what()), gpuarr_last_error());
  }
  CHECK_FAILS(GPUARR_ERR_NO_DEVICE, "abacus", [] { Device("abacus"); });
  CHECK_FAILS(GPUARR_ERR_NO_DEVICE, "abacus", [] { zeros(GPUARR_F32, {1}, "abacus"); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "", [] { Device().limit_memory(-1); });
}

}  // namespace

int main() {
  check::choose_device();
  shapes_and_ranks();
  dtypes();
  kernels_that_do_not_compile();
  arguments_of_kernels();
  no_elements_and_no_axes();
  released_and_moved_from();
  errors();
  return check::result();
}
