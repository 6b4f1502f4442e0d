/** @file gpuarr.hpp  libgpuarr for C++17: objects and exceptions over gpuarr.h.
 *
 *      gpuarr::Elementwise squared("T x, T y", "T z", "z = (x - y) * (x - y)");
 *      auto x = gpuarr::Array::from(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
 *      gpuarr::Array z = squared(x, 1.5f);
 *      std::vector<float> elements = z.to_vector<float>();
 *      float mean = gpuarr::mean(z).item<float>();
 *
 *  Names      Those of the C functions, whose comments are the reference. A handle converts to the
 *             pointer that C takes, so the rest of the API is called in C: check() throws, and
 *             get<Array>(gpuarr_array_expand, x, 0) returns what the first parameter receives.
 *  Handles    Handles are references like std::shared_ptr: a copy is another reference to the same
 *             object, the last one frees it, and a running kernel keeps what it needs alive. An
 *             empty handle, also one that was moved from or reset, is not an object: calls refuse
 *             it with a message, and queries (size, shape, dtype) return 0 or nothing.
 *  Errors     A call that fails throws Error with the library's message; destructors never throw.
 *  Callbacks  Their exceptions do not pass through C; the call that ran the callback rethrows them.
 *  Streams    Work goes to the thread's current stream, which StreamScope sets; kernels take one.
 *  Threads    As for the C functions; do not assign to a handle while another thread uses it.
 */
#ifndef GPUARR_HPP
#define GPUARR_HPP

#include "gpuarr_expr.hpp"

namespace gpuarr {
inline namespace wrapper {

/// Build options, set by C functions: Options().set(gpuarr_kernel_options_add, "-DN=4").
struct Options : Handle<gpuarr_kernel_options, nullptr, gpuarr_kernel_options_release> {
  template <class F, class V> Options& set(F setter, const V& value) {
    if (*this == nullptr) check(gpuarr_kernel_options_create(out()));
    return check(setter(*this, value)), *this;
  }
};

/// A prepared call: a kernel and its arguments, checked and compiled in advance.
struct Call : Handle<gpuarr_call, gpuarr_call_retain, gpuarr_call_release> {
  void launch(const Stream& s = {}) const { check(gpuarr_call_launch(*this, s)); }  ///< once more
  /// Sets an input that was given as a number, counted from 0.
  void set(int input, Arg number) const { check(gpuarr_call_set_scalar(*this, input, number)); }
};

/// An elementwise kernel: a body of CUDA C++ that runs for every element.
struct Elementwise
    : Handle<gpuarr_elementwise, gpuarr_elementwise_retain, gpuarr_elementwise_release> {
  Elementwise(Text in, Text out, Text body, const Options& options = {}) {
    check(gpuarr_elementwise_create(this->out(), in, out, body, options));
  }
  /// Runs it: returning its single output, which of an Expr is an Expr; into outputs, with a size
  /// if all arrays are raw.
  template <class... A> auto operator()(const A&... x) const { return output_of(*this, x...); }
  void run(Outputs z, const Inputs& x, const Stream& s = {}, int64_t size = GPUARR_NO_SIZE) const {
    Pointers p(z);
    check(gpuarr_elementwise_call(*this, p.first, len(z), x.begin(), len(x), size, s));
  }
  /// Expressions of its outputs, for larger ones: an Expr, or an array of N.
  template <std::size_t N = 1> auto expr(std::initializer_list<Expr> x) const {
    return outputs_of<N>(gpuarr_expr_elementwise, *this, x);
  }
  /// Prepares a call for many launches; outputs must be given.
  Call prepare(Outputs z, const Inputs& x, int64_t size = GPUARR_NO_SIZE) const {
    Pointers p(z);
    return get<Call>(gpuarr_elementwise_prepare, *this, p.first, len(z), x.begin(), len(x), size);
  }
};

/// A reduction kernel: CUDA C++ expressions that map elements, combine two values, and finish.
struct Reduction : Handle<gpuarr_reduction, gpuarr_reduction_retain, gpuarr_reduction_release> {
  Reduction(Text in, Text out, Text map, Text reduce, Text post, Text identity = nullptr,
            const Options& options = {}) {
    check(gpuarr_reduction_create(this->out(), in, out, map, reduce, post, identity, options));
  }
  /// Reduces: along all axes, returning its single output, which of an Expr is an Expr; along some,
  /// or all if none are given.
  template <class... A> auto operator()(const A&... x) const { return output_of(*this, x...); }
  void run(Outputs z, const Inputs& x, const Axes& a = {}, bool keep = false,
           const Stream& s = {}) const {
    Pointers p(z);
    const int32_t n = len(x);
    check(gpuarr_reduction_call(*this, p.first, len(z), x.begin(), n, a.data(), along(a), keep, s));
  }
  /// Expressions of its outputs, for larger ones: an Expr, or an array of N.
  template <std::size_t N = 1>
  auto expr(std::initializer_list<Expr> x, const Axes& a = {}, bool keep = false) const {
    return outputs_of<N>(gpuarr_expr_reduction, *this, x, a.data(), along(a), keep);
  }
};

/// A gufunc: a body of CUDA C++ for each place of the outer axes, with a core of each array there.
struct Gufunc : Handle<gpuarr_gufunc, gpuarr_gufunc_retain, gpuarr_gufunc_release> {
  Gufunc(Text signature, Text in, Text out, Text body, int group = GPUARR_GROUP_AUTO,
         int order = GPUARR_ORDER_C, const Options& o = {}) {
    check(gpuarr_gufunc_create(this->out(), signature, in, out, body, group, order, o));
  }
  /// Runs it: returning its single output; into outputs, of which empty ones are made.
  template <class... A> Array operator()(const A&... x) const {
    Array z;
    return run({z}, {x...}), z;
  }
  void run(Outputs z, const Inputs& x, const Stream& s = {}) const {
    Pointers p(z);
    check(gpuarr_gufunc_call(*this, p.first, len(z), x.begin(), len(x), s));
  }
  /// Prepares a call for many launches; outputs must be given.
  Call prepare(Outputs z, const Inputs& x) const {
    Pointers p(z);
    return get<Call>(gpuarr_gufunc_prepare, *this, p.first, len(z), x.begin(), len(x));
  }
};

/// Numbers of blocks or threads along x, y, z.
struct Grid {
  Grid(int64_t x, int64_t y = 1, int64_t z = 1) : xyz{x, y, z} {}
  int64_t xyz[3];
};

/// A raw kernel: a __global__ function, launched with a grid of blocks.
struct Raw : Handle<gpuarr_raw, gpuarr_raw_retain, gpuarr_raw_release> {
  void launch(Grid grid, Grid block, const Inputs& args, const Stream& s = {},
              int64_t shared = 0) const {
    check(gpuarr_raw_launch(*this, grid.xyz, block.xyz, shared, args.begin(), len(args), s));
  }
};

/// A module: CUDA C++ with kernels and variables, or its compiled form, from text or a file.
struct Module : Handle<gpuarr_module, gpuarr_module_retain, gpuarr_module_release> {
  Module() = default;
  explicit Module(Text text, const Options& o = {}) { check(gpuarr_module_create(out(), text, o)); }
  static Module open(Text path, const Options& o = {}) {
    return get<Module>(gpuarr_module_open, path, o);
  }
  /// A kernel of it, by name or template expression.
  Raw kernel(Text name) const { return get<Raw>(gpuarr_module_kernel, *this, name, nullptr); }
};

/// Calls a function, with a Device and bytes, when memory is short; must outlive these calls.
struct Reclaim {
  using Function = std::function<bool(Device, int64_t)>;  ///< true if it released something
  explicit Reclaim(Function f) : function(std::move(f)) {
    const auto run = [](gpuarr_device* device, int64_t bytes, void* user) {
      return guarded(0, [&] { return (*static_cast<Function*>(user))(device, bytes) ? 1 : 0; });
    };
    number = get<int64_t>(gpuarr_memory_add_reclaim, run, &function);
  }
  Reclaim(const Reclaim&) = delete;
  ~Reclaim() { gpuarr_memory_remove_reclaim(number); }
  Function function;
  int64_t number;
};

}  // namespace wrapper
}  // namespace gpuarr
#endif
