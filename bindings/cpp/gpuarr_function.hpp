/** @file gpuarr_function.hpp  libgpuarr for C++17: functions, which are expressions of inputs.
 *
 *      const gpuarr::Function distance([](auto x, auto y) { return gpuarr::norm(x - y, 2); });
 *      gpuarr::Array z = distance(a, b), far = distance(c, 0.5f);  // one kernel each
 *
 *  Inputs     An input is an Expr that an array or a number stands for in a call, of any dtype and
 *             shape. Until then neither is known, so what is wrong with them is thrown by the call.
 *  Calls      A function is planned for each combination of dtypes, shapes and strides that it is
 *             called with; later calls with such arrays build nothing and look the plan up.
 */
#ifndef GPUARR_FUNCTION_HPP
#define GPUARR_FUNCTION_HPP

#include "gpuarr_elementwise.hpp"

namespace gpuarr {
inline namespace wrapper {

/// Expressions of inputs, which are made once and called with arrays.
struct Function : Handle<gpuarr_function, gpuarr_function_retain, gpuarr_function_release> {
  /// Of what a callable makes of as many inputs as it takes: an Expr, or a std::array of them.
  template <class F> explicit Function(const F& f) {
    const auto made = result_of(f);
    if constexpr (std::is_convertible_v<decltype(made), Expr>) {
      const Expr output = made;
      create(&output, 1);
    } else {
      create(made.data(), made.size());
    }
  }
  /// Of expressions, one for each output. It has as many inputs as the largest number says.
  Function(std::initializer_list<Expr> outputs) { create(outputs.begin(), outputs.size()); }
  static Expr input(int number) { return get<Expr>(gpuarr_expr_input, number); }  ///< from 0
  /// Computes it for arrays and numbers: returning its single output; into outputs, which may be
  /// inputs.
  template <class... A> Array operator()(const A&... x) const {
    Array z;
    return run({z}, {x...}), std::move(z);
  }
  void run(Outputs z, const Inputs& x, const Stream& s = {}) const {
    Pointers p(z);
    check(gpuarr_function_call(*this, p.first, len(z), x.begin(), len(x), s));
  }
  /// Prepares a call for many launches; outputs must be given.
  Call prepare(Outputs z, const Inputs& x) const {
    Pointers p(z);
    return get<Call>(gpuarr_function_prepare, *this, p.first, len(z), x.begin(), len(x));
  }
  /// Tells which kernels a call becomes, as explain() of expressions.
  template <class... A> std::string explain(const A&... x) const {
    const Inputs list({x...});
    return get<const char*>(gpuarr_function_explain, *this, list.begin(), len(list));
  }

 private:
  template <class F, class... X> static auto result_of(const F& f, const X&... inputs) {
    constexpr int count = sizeof...(X);
    if constexpr (std::is_invocable_v<const F&, const X&...>)
      return f(inputs...);
    else if constexpr (count < 32)
      return result_of(f, inputs..., input(count));
    else
      static_assert(count < 32, "Function takes what can be called with an Expr for each input");
  }
  void create(const Expr* first, std::size_t count) {
    const std::vector<const gpuarr_expr*> list(first, first + count);
    check(gpuarr_function_create(out(), list.data(), len(list)));
  }
};

}  // namespace wrapper
}  // namespace gpuarr
#endif
