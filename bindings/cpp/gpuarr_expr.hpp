/** @file gpuarr_expr.hpp  libgpuarr for C++17: expressions, which compute whole formulas at once.
 *
 *      gpuarr::Expr d = x - gpuarr::mean(x, {-1}, true);  // nothing is computed yet
 *      gpuarr::Array z = d / gpuarr::sqrt(gpuarr::mean(d * d, {-1}, true));  // one kernel
 *      auto [low, high] = gpuarr::evaluate(gpuarr::min(z), gpuarr::max(z));  // one more
 *
 *  Expr       What operators, elementwise functions and reductions return. It keeps alive what it
 *             is made of, so that auto is safe; a copy is another reference. Dtype, shape and
 *             errors are known when it is made, elements when it becomes an Array.
 *  When       Where an Array, a vector or an item is asked of it, an Expr is computed, each time
 *             anew, in the thread's current stream, and by the arrays as they are then. Keep an
 *             Array of what is used twice.
 *  Kernels    evaluate() computes several together, each common part once; explain() tells which
 *             kernels they become, and why. Kernels of yours that are called with an Expr give one,
 *             of which they are a part; run() computes its arguments.
 */
#ifndef GPUARR_EXPR_HPP
#define GPUARR_EXPR_HPP

#include <array>
#include <limits>

#include "gpuarr_array.hpp"

namespace gpuarr {
inline namespace wrapper {

/// An Expr as C functions take it: as it is, or where they want an array, computed.
struct PassedExpr {
  operator const gpuarr_expr*() const noexcept { return expr; }
  operator const gpuarr_array*() const;
  const gpuarr_expr* expr;
  mutable Array made = {};
};

/// An expression of arrays and numbers, of one dtype and shape; a number alone is one as well.
struct Expr : Handle<gpuarr_expr, gpuarr_expr_retain, gpuarr_expr_release> {
  Expr() = default;
  Expr(const Array& x) { check(gpuarr_expr_array(out(), x)); }
  Expr(const gpuarr_arg& x) {
    check(x.array == nullptr ? gpuarr_expr_scalar(out(), x) : gpuarr_expr_array(out(), x.array));
  }
  template <class T, class = std::enable_if_t<dtype_of<T>() != 0>>
  Expr(const T& number) : Expr(Arg(number)) {}
  /// Computes it, into a new array.
  operator Array() const {
    Array result;
    const gpuarr_expr* const self = *this;
    return check(gpuarr_evaluate(result.out(), &self, 1, nullptr)), std::move(result);
  }
  gpuarr_dtype dtype() const noexcept { return gpuarr_expr_dtype(*this); }  ///< GPUARR_F32, ...
  Shape shape() const {                                                     ///< extents
    const int64_t* const p = gpuarr_expr_shape(*this);
    return Shape(p, p + gpuarr_expr_ndim(*this));
  }
  int64_t size() const {  ///< number of elements
    int64_t count = *this == nullptr ? 0 : 1;
    for (int64_t extent : shape()) count *= extent;
    return count;
  }
  /// Views, as those of Array; and its elements as another dtype. These are expressions, too.
  Expr slice(int axis, int64_t start, int64_t stop = GPUARR_NONE, int64_t step = 1) const {
    return get<Expr>(gpuarr_expr_slice, *this, axis, start, stop, step);
  }
  Expr select(int axis, int64_t i) const { return get<Expr>(gpuarr_expr_index, *this, axis, i); }
  Expr transpose(const Axes& a = {}) const {
    return get<Expr>(gpuarr_expr_transpose, *this, len(a), a.data());
  }
  Expr reshape(const Shape& s) const {
    return get<Expr>(gpuarr_expr_reshape, *this, len(s), s.data());
  }
  Expr broadcast(const Shape& s) const {
    return get<Expr>(gpuarr_expr_broadcast, *this, len(s), s.data());
  }
  Expr astype(gpuarr_dtype dtype) const { return get<Expr>(gpuarr_expr_astype, *this, dtype); }
  /// What is done with an array, done with the result.
  Array copy(int order = GPUARR_ORDER_K) const { return Array(*this).copy(order); }
  Array to_device(Device d) const { return Array(*this).to_device(d); }
  void save(Text path) const { Array(*this).save(path); }
  template <class T> void read(T* p, int64_t n) const { Array(*this).read(p, n); }
  template <class T> std::vector<T> to_vector() const { return Array(*this).to_vector<T>(); }
  template <class T> T item() const { return Array(*this).item<T>(); }

  friend PassedExpr passed(const Expr& x) { return {x}; }
};

inline PassedExpr::operator const gpuarr_array*() const {
  check(gpuarr_evaluate(made.out(), &expr, 1, nullptr));
  return made;
}

inline Arg::Arg(const Expr& x) : gpuarr_arg{}, own(Array(x)) { array = own; }

/// Computes an expression into an array of its shape that is there, and may be an operand.
inline void update(const Array& x, const Expr& value) {
  gpuarr_array* given = x;
  const gpuarr_expr* const expr = value;
  check(gpuarr_evaluate(&given, &expr, 1, nullptr));
}
inline void update(Expr& x, const Expr& value) { x = value; }

inline void Array::assign(const Expr& source) const {
  if (*this == nullptr) return assign(Array(source));  // which refuses it
  const Expr same = source.astype(dtype());
  update(*this, same.shape() == shape() ? same : same.broadcast(shape()));
}

/// Expressions as C takes them.
inline std::vector<const gpuarr_expr*> exprs_of(std::initializer_list<Expr> list) {
  return {list.begin(), list.end()};
}

/// Computes expressions together, what they have in common once: into outputs, which are as those
/// of kernels and may be operands; into new arrays, auto [a, b] = evaluate(x + y, x - y).
inline void evaluate_into(Outputs z, std::initializer_list<Expr> list, const Stream& s = {}) {
  if (z.size() != list.size())
    throw Error(GPUARR_ERR_ARGUMENT, "evaluate_into: " + std::to_string(z.size()) +
                                         " outputs for " + std::to_string(list.size()) +
                                         " expressions; give one for each");
  Pointers p(z);
  check(gpuarr_evaluate(p.first, exprs_of(list).data(), len(list), s));
}
inline Array evaluate(const Expr& x) { return x; }
template <class... E> auto evaluate(const Expr& x, const Expr& y, const E&... more) {
  constexpr std::size_t count = 2 + sizeof...(E);
  std::array<Array, count> results;
  gpuarr_array* made[count] = {};
  check(gpuarr_evaluate(made, exprs_of({x, y, more...}).data(), int32_t{count}, nullptr));
  for (std::size_t k = 0; k < count; ++k) *results[k].out() = made[k];
  return results;
}

/// Tells which kernels expressions become, what these read and write, and why each result is
/// stored.
template <class... E> std::string explain(const E&... x) {
  return get<const char*>(gpuarr_expr_explain, exprs_of({x...}).data(), int32_t{sizeof...(E)});
}

/// Expressions of the outputs of a kernel, or of what else C makes them of: one, or an array of N.
template <std::size_t N, class F, class W, class... More>
auto outputs_of(F function, const W& what, std::initializer_list<Expr> x, const More&... more) {
  std::array<Expr, N> results;
  gpuarr_expr* made[N] = {};
  check(function(made, int32_t{N}, what, exprs_of(x).data(), len(x), more...));
  for (std::size_t k = 0; k < N; ++k) *results[k].out() = made[k];
  if constexpr (N == 1)
    return std::move(results[0]);
  else
    return results;
}

/// What calling a kernel gives: its single output, computed; or if an Expr is among the inputs, an
/// Expr.
template <class K, class... A> auto output_of(const K& kernel, const A&... x) {
  if constexpr ((std::is_base_of_v<Expr, A> || ...)) {
    return kernel.expr({x...});
  } else {
    Array z;
    return kernel.run({z}, {x...}), std::move(z);
  }
}

/// An elementwise function of C, by its name.
inline Expr applied(Text name, std::initializer_list<Expr> operands) {
  return outputs_of<1>(gpuarr_expr_apply, name, operands);
}

/// Its two results, as a struct.
template <class R> R applied_as(Text name, std::initializer_list<Expr> operands) {
  auto [first, second] = outputs_of<2>(gpuarr_expr_apply, name, operands);
  return {std::move(first), std::move(second)};
}

/// A reduction of C, by its name.
inline Expr reduced(Text name, const Expr& x, const Axes& a, bool keepdims, double ddof = 0) {
  return get<Expr>(gpuarr_expr_reduce, name, x, a.data(), along(a), keepdims, ddof);
}

/// Ready-made reductions along some axes, or all if none are given: sums, products, extrema
/// and their indices, any, all, counts of nonzero, means, sums and extrema ignoring NaN, logsumexp;
/// variances and standard deviations with a ddof, norms of order 1, 2, INFINITY; dot products.
template <class... More> struct Ready {
  Expr operator()(const Expr& x, More... more, const Axes& a = {}, bool keepdims = false) const {
    return reduced(name, x, a, keepdims, more...);
  }
  const char* name;
};
inline constexpr Ready<> sum{"sum"}, prod{"prod"}, min{"min"}, max{"max"}, argmin{"argmin"},
    argmax{"argmax"}, any{"any"}, all{"all"}, count_nonzero{"count_nonzero"}, mean{"mean"},
    nansum{"nansum"}, nanmin{"nanmin"}, nanmax{"nanmax"}, logsumexp{"logsumexp"};
inline constexpr Ready<double> var{"var"}, stddev{"std"};
inline Expr norm(const Expr& x, double ord, const Axes& a = {}, bool keepdims = false) {
  const char* const name = ord == 1 ? "norm_1" : ord == 2 ? "norm_2" : "norm_inf";
  if (ord == 1 || ord == 2 || ord > std::numeric_limits<double>::max())
    return reduced(name, x, a, keepdims);
  throw Error(GPUARR_ERR_ARGUMENT,
              "norm: ord is " + std::to_string(ord) + "; give 1, 2 or INFINITY");
}
inline Array dot(const Array& x, const Array& y) { return get<Array>(gpuarr_dot, x, y, nullptr); }

}  // namespace wrapper
}  // namespace gpuarr
#endif
