// Expressions as tests write them.
#pragma once

#include <vector>

#include "backends.hpp"
#include "expr/build.hpp"
#include "expr/view.hpp"

namespace building {

using gpuarr::Op;
using gpuarr::Reducer;
using gpuarr::expr::Expr;

inline Expr leaf(gpuarr::DType dtype, const gpuarr::Dims& shape,
                 gpuarr::Order order = gpuarr::Order::c) {
  gpuarr::Stream& stream = current_stream(gpuarr::host_device());
  return gpuarr::expr::array_node(gpuarr::Array::empty(stream, dtype, shape, order));
}
inline Expr f32(const gpuarr::Dims& shape) { return leaf(gpuarr::DType::f32, shape); }
inline Expr number(double value) { return gpuarr::expr::scalar_node(gpuarr::Scalar::of(value)); }
inline Expr call(Op op, const std::vector<Expr>& operands) {
  return gpuarr::expr::function_node(op, operands);
}
inline Expr operator+(const Expr& x, const Expr& y) { return call(Op::add, {x, y}); }
inline Expr operator-(const Expr& x, const Expr& y) { return call(Op::subtract, {x, y}); }
inline Expr operator*(const Expr& x, const Expr& y) { return call(Op::multiply, {x, y}); }
inline Expr operator/(const Expr& x, const Expr& y) { return call(Op::divide, {x, y}); }
inline Expr operator*(double x, const Expr& y) { return number(x) * y; }
inline Expr operator+(const Expr& x, double y) { return x + number(y); }
inline Expr operator-(double x, const Expr& y) { return number(x) - y; }
inline Expr exp(const Expr& x) { return call(Op::exp, {x}); }
inline Expr log(const Expr& x) { return call(Op::log, {x}); }
inline Expr sqrt(const Expr& x) { return call(Op::sqrt, {x}); }
inline Expr square(const Expr& x) { return call(Op::square, {x}); }

/// Over all axes, or one that may be kept.
inline Expr over(Reducer reducer, const Expr& x, int axis, bool keepdims = false) {
  const int32_t axes[] = {axis};
  return gpuarr::expr::reduction_node(reducer, x, {axes, false, keepdims});
}
inline Expr over(Reducer reducer, const Expr& x) {
  return gpuarr::expr::reduction_node(reducer, x, {});
}
inline Expr sum(const Expr& x) { return over(Reducer::sum, x); }
inline Expr mean(const Expr& x) { return over(Reducer::mean, x); }

}  // namespace building
