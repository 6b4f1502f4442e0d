// A reduction as C++ for the CPU.
#include "codegen/reduction/host.hpp"

#include "codegen/reduction/functions.hpp"
#include "codegen/reduction/reduction.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// Partial results of neighbouring pieces, in order.
constexpr const char* host_gather_text =
    R"(  for (long long _o = _first * 4096; _o < _last * 4096 && _o < _p._results; ++_o) {
    const long long _i = _number(_p, _o);
    _type_reduce _a = _partial(_p, 0, _i);
    for (long long _s = 1; _s < _p._sets; ++_s)
      _a = _reduce(_p, _a, _partial(_p, _s, _i));
    _finish(_p, _o, _a);
  }
)";

constexpr const char* empty_text =
    R"(  for (long long _o = _first * 4096; _o < _last * 4096 && _o < _p._results; ++_o)
    _finish(_p, _o, _identity(_p));
)";

constexpr const char* tasks_text =
    R"(  const long long _end = _least(_last * _p._group, _p._tasks);
  for (long long _t = _first * _p._group; _t < _end; ++_t) {
    const long long _u = _p._splits == 1 ? _t : _t / _p._splits;
    _task(_p, _u, _t - _u * _p._splits);
  }
)";

// What is not plain is a record of the user's, which may have no constructor without arguments.
//
// Of two neighbouring groups of tasks the one that is done last combines both, so that no thread is
// left with all of it. Their counter is that of the second's first task, and 0 again for the next
// launch.
constexpr const char* shared_text =
    R"(template <class T>
struct _plain {
  enum { value = !__is_class(T) };
};
#ifdef GPUARR_COMPLEX
template <class T>
struct _plain<complex<T>> {
  enum { value = 1 };
};
#endif
template <int _count>
struct _array {
  alignas(64) char _bytes[_count * sizeof(_type_reduce)];
  _type_reduce* _first() { return (_type_reduce*)_bytes; }
};
_inlined long long _least(long long _x, long long _y) { return _x < _y ? _x : _y; }
static __attribute__((noinline)) bool _climb(const _params& _p, long long _u, long long _s,
                                             _type_reduce* _x, long long _width) {
  unsigned* const _done = _p._counters + _u * _p._splits;
  for (long long _d = 1; _d < _p._splits; _d *= 2) {
    const long long _one = _s / (2 * _d) * (2 * _d), _two = _one + _d;
    if (_two >= _p._splits) continue;
    if (__atomic_add_fetch(_done + _two, 1u, __ATOMIC_ACQ_REL) == 1) return false;
    _done[_two] = 0;
    _type_reduce* const _first = _x + _one * _width;
    const _type_reduce* const _second = _x + _two * _width;
#pragma GCC unroll 1
#pragma GCC ivdep
    for (long long _c = 0; _c < _width; ++_c) _first[_c] = _reduce(_p, _first[_c], _second[_c]);
  }
  return true;
}
)";

std::string along(const ReductionPlan& p, std::span<const Operand> operands) {
  int axis = p.form == ReductionForm::rows ? p.inner_reduced() : p.inner_kept();
  std::string out =
      "_inlined _type_reduce _along(const _params& _p, const _at& _r, long long _k) {\n"
      "  return _map(_p";
  for (size_t k = 0; k < operands.size(); ++k)
    if (operands[k].role != Role::input)
      continue;
    else if (p.access[k] == Access::repeated)
      out += text(", *_r._p{}", k);
    else if (p.access[k] == Access::vector)
      out += text(", _r._p{}[_k]", k);
    else
      out += text(", _r._p{0}[_k * _p._s{0}_{1}]", k, axis);
  for (auto [letter, used] : element_numbers(p))
    out += used ? text(", _r._{0} + _k * _p._{0}_stride{1}", letter, axis) : ", 0";
  return out + ");\n}\n";
}

std::string places(const ReductionPlan& p, std::span<const Operand> operands) {
  std::string out = "_inlined _at _after(const _params& _p, _at _r, long long _k) {\n";
  out += step_inputs(p, operands, "_r", "_k", p.inner_reduced());
  out += "  return _r;\n}\n_inlined _at _start(const _params& _p, _at _r, long long _k) {\n";
  int last = p.form == ReductionForm::rows ? p.inner_reduced() - 1 : p.inner_reduced();
  out += take_indices(p, "_k", p.kept, last,
                      [&](int axis) { return step_inputs(p, operands, "_r", "_x", axis); });
  return out + "  return _r;\n}\n";
}

}  // namespace

std::string host_reduction(const ReductionText& pieces, const ReductionPlan& p,
                           std::span<const Operand> operands) {
  std::string kernel = text(
      "extern \"C\" void {}_kernel(const _params* _pp, long long _first, long long _last) {{\n"
      "  const _params& _p = *_pp;\n",
      pieces.name);
  if (p.stage == Stage::combine || p.stage == Stage::finish)
    return kernel + host_gather_text + "}\n";
  if (p.stage == Stage::empty) return kernel + empty_text + "}\n";
  std::string out = "#define _inlined static inline __attribute__((always_inline))\n";
  out += shared_text + along(p, operands) + places(p, operands);
  out += p.form == ReductionForm::rows ? host_rows(p) : host_columns(p);
  return out + kernel + tasks_text + "}\n";
}

}  // namespace gpuarr
