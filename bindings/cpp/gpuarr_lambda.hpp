/** @file gpuarr_lambda.hpp  libgpuarr for C++17: kernels that are written as lambdas.
 *
 *      const auto squared = GPUARR_LAMBDA([](auto x, auto y) { return (x - y) * (x - y); });
 *      const auto add = GPUARR_LAMBDA([](auto a, auto b) { return a + b; });
 *      gpuarr::Array z = squared(x, y);        // a kernel over arrays; of an Expr, a part of it
 *      float on_the_host = squared(3.f, 1.f);  // the lambda itself
 *      gpuarr::Array sum = gpuarr::reduction(squared, add)(x, y);
 *
 *  Types      Of parameters that are auto, all are of the arrays' one dtype, and so is the result.
 *             Parameters with types have these, and the result has the lambda's own. Either all are
 *             auto, or none.
 *  Names      The lambda is compiled twice: by the program's compiler, and as text when it is first
 *             called with arrays. So it captures nothing, which is checked, and uses no names of
 *             the program: pass constants as arguments. CUDA's functions (sqrt, exp, min ...) are
 *             there, on the host by using namespace std; functions of your own by with(options), as
 *             a preamble.
 *  Errors     The compiler's, and at run time those of the text, with the program's file and line.
 */
#ifndef GPUARR_LAMBDA_HPP
#define GPUARR_LAMBDA_HPP

#include "gpuarr.hpp"

/// A Lambda of a lambda expression that captures nothing.
#define GPUARR_LAMBDA(...) ::gpuarr::lambda_of(__VA_ARGS__, GPUARR_TEXT(__VA_ARGS__))

namespace gpuarr {
inline namespace wrapper {

/// What a lambda with types takes and returns; nothing is known of one with auto.
template <class F, class = void> struct LambdaTypes { static constexpr bool known = false; };
template <class F> struct LambdaTypes<F, std::void_t<decltype(&F::operator())>> {
  template <class R, class... A> static std::vector<gpuarr_dtype> dtypes(R (F::*)(A...) const) {
    static_assert(((dtype_of<std::decay_t<A>>() != 0) && ... && (dtype_of<std::decay_t<R>>() != 0)),
                  "a kernel's parameters and its result are numbers, or all parameters are auto");
    return {dtype_of<std::decay_t<A>>()..., dtype_of<std::decay_t<R>>()};
  }
  static constexpr bool known = true;
};

/// The parameters of a lambda's text, and how many there are.
class LambdaText {
 public:
  explicit LambdaText(const char* written) : text(written) {
    int open = 0;
    count = 0;
    bool none = true;
    for (std::size_t k = text.find(']') + 1; k < text.size(); ++k) {
      const char c = text[k];
      if (c == ')' && open == 1) break;
      open += c == '(' || c == '<' || c == '{' ? 1 : c == ')' || c == '>' || c == '}' ? -1 : 0;
      if (open > 0 && c != '(' && c != ' ') none = false;
      if (c == ',' && open == 1) ++count;
    }
    if (!none) ++count;
  }
  /// "T a0, T a1", or with the dtypes that the lambda has.
  std::string parameters(const std::vector<gpuarr_dtype>& dtypes) const {
    std::string out;
    for (int k = 0; k < count; ++k)
      out += (k > 0 ? ", " : "") + type(dtypes, static_cast<std::size_t>(k)) + " a" +
             std::to_string(k);
    return out;
  }
  std::string result(const std::vector<gpuarr_dtype>& dtypes) const {
    return type(dtypes, static_cast<std::size_t>(count)) + " z";
  }
  /// A call of it: with its parameters, or with others.
  std::string call() const {
    std::string arguments;
    for (int k = 0; k < count; ++k) arguments += (k > 0 ? ", a" : "a") + std::to_string(k);
    return call(arguments);
  }
  std::string call(const std::string& arguments) const {
    return "(\n" + text + "\n)(" + arguments + ")";
  }
  std::string text;
  int count;

 private:
  static std::string type(const std::vector<gpuarr_dtype>& dtypes, std::size_t k) {
    return dtypes.empty() ? "T" : gpuarr_dtype_name(dtypes[k]);
  }
};

/// A lambda as an elementwise kernel, and as what it is on the host.
template <class F> struct Lambda : Elementwise {
  static_assert(std::is_empty_v<F>,
                "the lambda captures something, which a kernel cannot: pass it as an argument");
  Lambda(F f, const char* written) : Elementwise(kernel(written, {})), function(f), text(written) {}
  /// Calls the lambda, with numbers; or runs the kernel, with an array or an expression among them.
  template <class... A> auto operator()(const A&... x) const {
    if constexpr ((std::is_convertible_v<const A&, const gpuarr_array*> || ...) ||
                  (std::is_convertible_v<const A&, const gpuarr_expr*> || ...))
      return Elementwise::operator()(x...);
    else
      return function(x...);
  }
  /// The kernel with options, such as a preamble that has functions which the lambda calls.
  Elementwise with(const Options& options) const { return kernel(text.text.c_str(), options); }

  static std::vector<gpuarr_dtype> dtypes() {
    if constexpr (LambdaTypes<F>::known) return LambdaTypes<F>::dtypes(&F::operator());
    return {};
  }
  F function;
  LambdaText text;

 private:
  static Elementwise kernel(const char* written, const Options& options) {
    const LambdaText text(written);
    return {text.parameters(dtypes()).c_str(), text.result(dtypes()).c_str(),
            ("z = " + text.call() + ";").c_str(), options};
  }
};

template <class F> Lambda<F> lambda_of(F f, const char* written) { return {f, written}; }

/// A reduction whose map and whose combination of two values are lambdas.
template <class M, class R>
Reduction reduction(const Lambda<M>& map, const Lambda<R>& reduce, Text identity = nullptr,
                    const Options& options = {}) {
  const auto dtypes = Lambda<M>::dtypes();
  return {map.text.parameters(dtypes).c_str(),
          map.text.result(dtypes).c_str(),
          map.text.call().c_str(),
          reduce.text.call("a, b").c_str(),
          "z = a",
          identity,
          options};
}

}  // namespace wrapper
}  // namespace gpuarr
#endif
