// Arrays: to and from the host, views, copies, files, numbers of every dtype.
#include <complex>
#include <cstdio>

#include "check.hpp"

using namespace gpuarr;

namespace {

template <class T> void to_and_from_the_host(gpuarr_dtype dtype) {
  static_assert(dtype_of<T>() != 0);
  CHECK_EQ(dtype_of<T>(), dtype);
  const std::vector<T> values{T(1), T(0), T(1), T(1), T(0), T(1)};
  Array x = Array::from(values, {2, -1});
  CHECK(x.shape() == (Shape{2, 3}) && x.strides() == (Shape{3, 1}));
  CHECK(x.dtype() == dtype && x.size() == 6 && x.device() == Device());
  CHECK(x.to_vector<T>() == values);
  x.fill(T(1));
  CHECK(x.to_vector<T>() == std::vector<T>(6, T(1)));
  x.write(values.data(), 6);
  CHECK(x.to_vector<T>() == values);
  CHECK(x.select(0, 1).select(0, 2).item<T>() == T(1));
  Array ones_of_it = full(dtype, {2}, T(1));
  CHECK(ones_of_it.to_vector<T>() == std::vector<T>(2, T(1)));
}

void every_dtype() {
  to_and_from_the_host<int8_t>(GPUARR_I8);
  to_and_from_the_host<int16_t>(GPUARR_I16);
  to_and_from_the_host<int32_t>(GPUARR_I32);
  to_and_from_the_host<int64_t>(GPUARR_I64);
  to_and_from_the_host<long long>(GPUARR_I64);
  to_and_from_the_host<uint8_t>(GPUARR_U8);
  to_and_from_the_host<uint16_t>(GPUARR_U16);
  to_and_from_the_host<uint32_t>(GPUARR_U32);
  to_and_from_the_host<uint64_t>(GPUARR_U64);
  to_and_from_the_host<float>(GPUARR_F32);
  to_and_from_the_host<double>(GPUARR_F64);
  to_and_from_the_host<std::complex<float>>(GPUARR_C64);
  to_and_from_the_host<std::complex<double>>(GPUARR_C128);
  CHECK_EQ(dtype_of<bool>(), GPUARR_BOOL);
  CHECK_EQ(dtype_of<char*>() + dtype_of<long double>() + dtype_of<Array>(), 0);

  const bool truths[] = {true, false, true};
  Array x = Array::from(GPUARR_BOOL, truths, sizeof truths, {3});
  bool back[3] = {};
  x.read(back, 3);
  CHECK(back[0] && !back[1] && back[2]);
  CHECK(x.astype(GPUARR_U8).to_vector<uint8_t>() == (std::vector<uint8_t>{1, 0, 1}));
  const uint16_t halves[] = {0x3c00, 0xc000};  // 1 and -2 as binary16
  Array half = Array::from(GPUARR_F16, halves, sizeof halves, {2});
  CHECK(half.astype(GPUARR_F32).to_vector<float>() == (std::vector<float>{1, -2}));
}

void new_arrays() {
  CHECK(zeros(GPUARR_I32, {2, 2}).to_vector<int32_t>() == std::vector<int32_t>(4));
  CHECK(ones(GPUARR_F64, {3}, Device()).to_vector<double>() == std::vector<double>(3, 1.0));
  CHECK(full(GPUARR_I16, {}, 7).item<int16_t>() == 7);
  CHECK(empty(GPUARR_F32, {4, 5}).transpose().strides() == (Shape{1, 5}));
  Array range =
      get<Array>(gpuarr_array_arange, Device(), GPUARR_I64, Arg(0), Arg(7), Arg(3), nullptr);
  CHECK(range.to_vector<int64_t>() == (std::vector<int64_t>{0, 3, 6}));

  Array none = zeros(GPUARR_F32, {3, 0});
  CHECK(none.size() == 0 && none.to_vector<float>().empty() && none.data() == nullptr);
  CHECK(Array::from(std::vector<double>{}).shape() == Shape{0});
  Array number = Array::from(std::vector<double>{2.5}, {});
  CHECK(number.shape().empty() && number.item<double>() == 2.5);
}

/// x[index] by strides, over a vector in C order.
template <class T>
std::vector<T> through(const std::vector<T>& values, int64_t offset, const Shape& shape,
                       const Shape& strides) {
  std::vector<T> result;
  Shape index(shape.size());
  if (check::elements(shape) == 0) return result;
  do {
    int64_t at = offset;
    for (std::size_t d = 0; d < shape.size(); ++d) at += index[d] * strides[d];
    result.push_back(values[static_cast<std::size_t>(at)]);
  } while (check::next(index, shape));
  return result;
}

void views_of_random_shapes() {
  for (int round = 0; round < 50; ++round) {
    Shape shape = check::random_shape(4, 6);
    shape.push_back(check::random(6) + 1);  // one axis at least
    const auto values = check::random_elements<int32_t>(shape);
    const Array x = Array::from(values, shape);
    const Shape strides = x.strides();
    const auto axis = static_cast<std::size_t>(check::random(static_cast<int64_t>(shape.size())));

    // every second index of an axis, from the last to the first
    Shape taken = shape, steps = strides;
    taken[axis] = (shape[axis] + 1) / 2;
    steps[axis] *= -2;
    const int64_t last = (shape[axis] - 1) * strides[axis];
    Array slice = x.slice(static_cast<int>(axis), GPUARR_NONE, GPUARR_NONE, -2);
    CHECK(slice.shape() == taken);
    CHECK(slice.to_vector<int32_t>() == through(values, last, taken, steps));
    CHECK(slice.copy(GPUARR_ORDER_F).to_vector<int32_t>() == through(values, last, taken, steps));

    // one index of an axis; all axes reversed
    const int64_t one = check::random(shape[axis]);
    Shape rest = shape, apart = strides;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(axis));
    apart.erase(apart.begin() + static_cast<std::ptrdiff_t>(axis));
    CHECK(x.select(static_cast<int>(axis), one).to_vector<int32_t>() ==
          through(values, one * strides[axis], rest, apart));
    CHECK(x.transpose().to_vector<int32_t>() == through(values, 0,
                                                        Shape(shape.rbegin(), shape.rend()),
                                                        Shape(strides.rbegin(), strides.rend())));

    // another shape, and repeated along a new axis
    CHECK(x.reshape({-1}).to_vector<int32_t>() == values);
    Shape wide = shape, again = strides;
    wide.insert(wide.begin(), 3);
    again.insert(again.begin(), 0);
    CHECK(x.broadcast(wide).to_vector<int32_t>() == through(values, 0, wide, again));
  }
}

void copies_and_assignments() {
  Array x = Array::from(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
  Array same = x, copy = x.copy();
  x.slice(1, 0, GPUARR_NONE, 2).assign(Array::from(std::vector<int32_t>{7, 8}));
  CHECK(x.to_vector<float>() == (std::vector<float>{7, 2, 8, 7, 5, 8}));
  CHECK(x.copy(GPUARR_ORDER_F).strides() == (Shape{1, 2}) &&
        x.transpose().copy().strides() == (Shape{1, 3}));
  CHECK(same.to_vector<float>() == x.to_vector<float>());
  CHECK(copy.to_vector<float>() == (std::vector<float>{1, 2, 3, 4, 5, 6}));
  CHECK(x.to_device(Device()).astype(GPUARR_I64).transpose({1, 0}).to_vector<int64_t>() ==
        (std::vector<int64_t>{7, 7, 2, 5, 8, 8}));
}

void files() {
  const std::string path = "wrapper \u00e4.npy";
  Array x = Array::from(std::vector<float>{1, 2, 3, 4, 5, 6}, {3, 2});
  x.transpose().save(path);
  Array back = Array::load(path);
  CHECK(back.shape() == (Shape{2, 3}));
  CHECK(back.transpose().to_vector<float>() == x.to_vector<float>());
  std::remove(path.c_str());
  CHECK_FAILS(GPUARR_ERR_IO, "nowhere.npy", [] { Array::load("nowhere.npy"); });
}

}  // namespace

int main() {
  check::choose_device();
  every_dtype();
  new_arrays();
  views_of_random_shapes();
  copies_and_assignments();
  files();
  return check::result();
}
