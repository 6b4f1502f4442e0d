#include "linalg/products/multiply.hpp"

#include <optional>
#include <utility>

#include "core/text.hpp"
#include "device/blas.hpp"
#include "kernel/launch/profile.hpp"
#include "kernel/overlap.hpp"
#include "linalg/products/integers.hpp"
#include "linalg/products/stacks.hpp"
#include "ops/base/copy.hpp"

namespace gpuarr {
namespace {

// Stacks go forwards.
bool is_ready(const Array& array) {
  for (int axis = 0; axis + 2 < array.ndim(); ++axis)
    if (array.layout.shape[axis] > 1 && array.layout.strides[axis] < 0) return false;
  return lying_of(sheet_of(array)).has_value();
}

LaunchLabel label_of(const Array& out, const Array& x, const Array& y) {
  const char* type = name(out.dtype);
  return {"matmul", formatted("{} x, {} y -> {} out", type, type, type),
          x.size() * x.itemsize() + y.size() * y.itemsize(), out.size() * out.itemsize()};
}

Gemm::Operand operand(const void* data, const Lying& lying, bool turn, int64_t step) {
  return {data, lying.turned != turn ? MatrixOp::transpose : MatrixOp::none, lying.leading, step};
}

// What BLAS computes is its columns. Where those of `out` lie in rows, it computes out^T = y^T x^T.
Gemm gemm_of(const StackLoop& loop, const Array& out, const Array& x, const Array& y,
             const ProductOptions& options) {
  const Lying x_lies = *lying_of(loop.x);
  const Lying y_lies = *lying_of(loop.y);
  const Lying out_lies = *lying_of(loop.out);
  const bool turn = out_lies.turned;
  const StackLoop::Axis batch = loop.batch();
  Gemm gemm{out.dtype,
            loop.out.rows,
            loop.out.columns,
            loop.x.columns,
            batch.extent,
            operand(x.data, x_lies, turn, batch.x),
            operand(y.data, y_lies, turn, batch.y),
            {out.data, out_lies.leading, batch.out}};
  gemm.tf32 = options.tf32;
  if (options.adds) gemm.beta = 1;
  if (!turn) return gemm;
  std::swap(gemm.m, gemm.n);
  std::swap(gemm.a, gemm.b);
  return gemm;
}

const void* shifted(const void* data, int64_t bytes) {
  return static_cast<const std::byte*>(data) + bytes;
}

void run_blas(const Array& out, const Array& x, const Array& y, const ProductOptions& options,
              Stream& stream) {
  StackLoop loop(x, y, out);
  loop.simplify();
  const Gemm gemm = gemm_of(loop, out, x, y, options);
  const bool turned = lying_of(loop.out)->turned;
  Blas& blas = stream.device().blas();
  const int64_t size = out.itemsize();
  for (const Array* array : {&out, &x, &y}) array->buffer->used_in(stream);
  const auto run = [&] {
    loop.for_each([&](int64_t x_at, int64_t y_at, int64_t out_at) {
      Gemm part = gemm;
      part.a.data = shifted(gemm.a.data, (turned ? y_at : x_at) * size);
      part.b.data = shifted(gemm.b.data, (turned ? x_at : y_at) * size);
      part.c.data = static_cast<std::byte*>(gemm.c.data) + out_at * size;
      blas.gemm(part, stream);
    });
  };
  launch_noted(
      stream, [&] { return label_of(out, x, y); }, run);
}

// The array, or a copy as BLAS can take it.
const Array& ready(const Array& array, std::optional<Array>& kept, Stream& stream) {
  return is_ready(array) ? array : kept.emplace(copy(array, array.dtype, Order::c, stream));
}

// What BLAS cannot write as it lies, or what shares memory with an input, goes through an array of
// its own.
void multiply_floats(const Array& out, const Array& x, const Array& y,
                     const ProductOptions& options, Stream& stream) {
  std::optional<Array> kept[2];
  const Array& left = ready(x, kept[0], stream);
  const Array& right = ready(y, kept[1], stream);
  if (is_ready(out) && !may_overlap(out, left) && !may_overlap(out, right))
    return run_blas(out, left, right, options, stream);
  const Array own = Array::empty(stream, out.dtype, out.layout.shape);
  if (options.adds) assign(own, out, stream);
  run_blas(own, left, right, options, stream);
  assign(out, own, stream);
}

// As float32, rounded once: for a BLAS that knows no 16 bits.
void multiply_wider(const Array& out, const Array& x, const Array& y, bool adds, Stream& stream) {
  const Array own =
      Array::with_strides(stream, DType::f32, out.layout.shape, strides_like(out.layout));
  if (adds) assign(own, out, stream);
  multiply_floats(own, copy(x, DType::f32, Order::k, stream), copy(y, DType::f32, Order::k, stream),
                  {.adds = adds}, stream);
  assign(out, own, stream);
}

bool repeats(const Array& array, int kept) {
  for (int axis = 0; axis + kept < array.ndim(); ++axis)
    if (array.layout.strides[axis] == 0 && array.layout.shape[axis] > 1) return true;
  return false;
}

}  // namespace

Array without_repeats(const Array& array, int kept) {
  Layout layout = array.layout;
  for (int axis = 0; axis + kept < layout.ndim(); ++axis)
    if (layout.strides[axis] == 0 && layout.shape[axis] > 1) layout.shape[axis] = 1;
  return array.view(layout);
}

void multiply(const Array& out, const Array& x, const Array& y, const ProductOptions& options,
              Stream& stream) {
  if (out.size() == 0) return;
  if (x.size() == 0 && options.adds) return;
  if (x.size() == 0) return fill(out, Scalar::of(int64_t{0}), stream);  // sums of nothing
  std::optional<Array> kept[2];
  const Array& once_x = repeats(x, 2) ? kept[0].emplace(without_repeats(x, 2)) : x;
  const Array& once_y = repeats(y, 2) ? kept[1].emplace(without_repeats(y, 2)) : y;
  if (!is_inexact(out.dtype)) return multiply_integers(out, once_x, once_y, options.adds, stream);
  if (stream.device().blas().takes(out.dtype))
    multiply_floats(out, once_x, once_y, options, stream);
  else
    multiply_wider(out, once_x, once_y, options.adds, stream);
}

}  // namespace gpuarr
