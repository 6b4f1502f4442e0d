#include "ops/sort/complex.hpp"

#include "ops/base/own_kernel.hpp"
#include "ops/sort/rows.hpp"

namespace gpuarr {
namespace {

void split_complex(const Array& real, const Array& imaginary, const Array& nans, const Array& x,
                   Stream& stream) {
  static Elementwise* const kernel =
      own_kernel("split_complex", "T x", "R real, R imaginary, uint8 nans",
                 "real = x.re; imaginary = x.im;\n"
                 "nans = x.re != x.re ? 2 : x.im != x.im ? 1 : 0;");
  run_own(*kernel, {x}, {&real, &imaginary, &nans}, stream);
}

// index = the order of what `key` has there, beside what came before.
void order_by(const Array& key, bool descending, Array& index, bool first, Stream& stream) {
  const int64_t n = key.layout.shape[key.ndim() - 1];
  Array taken = key;
  if (!first) {
    taken = Array::empty(stream, key.dtype, key.layout.shape);
    take_in_rows(taken, key, index, stream);
  }
  Array order = Array::empty(stream, DType::i64, key.layout.shape);
  sort_rows({key.dtype, descending, key.size() / n, n, taken.data, nullptr,
             static_cast<int64_t*>(order.data)},
            stream);
  if (first) {
    index = order;
    return;
  }
  Array composed = Array::empty(stream, DType::i64, key.layout.shape);
  take_in_rows(composed, index, order, stream);
  index = composed;
}

}  // namespace

void take_in_rows(const Array& out, const Array& x, const Array& index, Stream& stream) {
  static Elementwise* const kernel =
      own_kernel("take_in_rows", "raw T x, int64 k, int64 row", "T y", "y = x[i / row * row + k];");
  run_own(*kernel, {x, index, x.layout.shape[x.ndim() - 1]}, {&out}, stream);
}

void sort_complex_rows(const Array& from, bool descending, const RowTarget& values,
                       const RowTarget& index, Stream& stream) {
  const Dims& shape = from.layout.shape;
  const DType part = from.dtype == DType::c64 ? DType::f32 : DType::f64;
  const Array real = Array::empty(stream, part, shape);
  const Array imaginary = Array::empty(stream, part, shape);
  const Array nans = Array::empty(stream, DType::u8, shape);
  split_complex(real, imaginary, nans, from, stream);
  Array order = imaginary;
  order_by(imaginary, descending, order, true, stream);
  order_by(real, descending, order, false, stream);
  order_by(nans, false, order, false, stream);
  if (values.data() != nullptr) {
    // In place, the elements must stay until all are taken.
    const bool in_place = values.data() == from.data;
    const Array taken = in_place ? Array::empty(stream, from.dtype, shape) : values.rows();
    take_in_rows(taken, from, order, stream);
    if (in_place)
      stream.device().copy(values.data(), taken.data, taken.size() * size_of(taken.dtype), stream);
  }
  if (index.data() != nullptr)
    stream.device().copy(index.data(), order.data, order.size() * 8, stream);
}

}  // namespace gpuarr
