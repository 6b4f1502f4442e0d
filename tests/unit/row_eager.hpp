// Softmax, layer norm and z-scores along the last axis by one call for each step, beside those of
// row_texts.hpp.
#pragma once

#include <optional>

#include "ops/functions/functions.hpp"
#include "ops/reduce/reduce.hpp"

namespace row_eager {

using namespace gpuarr;

inline Array reduced(Reducer reducer, const Array& x, Stream& stream) {
  static constexpr int32_t axes[] = {-1};
  return *reduce(reducer, x, nullptr, {axes, false, true}, &stream);
}

inline Array applied(Op op, const Array& x, const Array* y, Stream& stream) {
  const Argument inputs[] = {{&x, nullptr}, {y, nullptr}};
  const Array* const outputs[] = {nullptr};
  const size_t count = y == nullptr ? 1 : 2;
  return *only_of(apply(op, {inputs, count}, outputs, nullptr, &stream));
}

inline Array with_number(Op op, const Array& x, double number, Stream& stream) {
  const Scalar scalar = Scalar::of(number);
  const Argument inputs[] = {{&x, nullptr}, {nullptr, &scalar}};
  const Array* const outputs[] = {nullptr};
  return *only_of(apply(op, inputs, outputs, nullptr, &stream));
}

inline Array softmax(const Array& x, Stream& stream) {
  const Array most = reduced(Reducer::max, x, stream);
  const Array e = applied(Op::exp, applied(Op::subtract, x, &most, stream), nullptr, stream);
  const Array sum = reduced(Reducer::sum, e, stream);
  return applied(Op::divide, e, &sum, stream);
}

inline Array layer_norm(const Array& x, const Array& w, const Array& b, double eps,
                        Stream& stream) {
  const Array mean = reduced(Reducer::mean, x, stream);
  const Array d = applied(Op::subtract, x, &mean, stream);
  const Array variance = reduced(Reducer::mean, applied(Op::multiply, d, &d, stream), stream);
  const Array u = with_number(Op::add, variance, eps, stream);
  const Array r = applied(Op::sqrt, u, nullptr, stream);
  const Array q = applied(Op::divide, d, &r, stream);
  return applied(Op::add, applied(Op::multiply, q, &w, stream), &b, stream);
}

}  // namespace row_eager
