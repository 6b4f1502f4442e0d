// A reduction as C++ for the CPU.
#include "codegen/reduction.hpp"
#include "codegen/reduction_functions.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// Partial results of neighbouring pieces, in order.
constexpr const char* gather_text =
    R"(  for (long long _o = _first * 4096; _o < _last * 4096 && _o < _p._results; ++_o) {
    const long long _i = _number(_p, _o);
    _type_reduce _a = _p._stage_in[_i];
    for (long long _s = 1; _s < _p._sets; ++_s)
      _a = _reduce(_p, _a, _p._stage_in[_s * _p._results + _i]);
    _finish(_p, _o, _a);
  }
)";

constexpr const char* empty_text =
    R"(  for (long long _o = _first * 4096; _o < _last * 4096 && _o < _p._results; ++_o)
    _finish(_p, _o, _identity(_p));
)";

}  // namespace

std::string host_reduction(const ReductionText& pieces, const ReductionPlan& p,
                           std::span<const Operand> operands) {
  std::string out = text(
      "extern \"C\" void {}_kernel(const _params* _pp, long long _first, long long _last) {{\n"
      "  const _params& _p = *_pp;\n",
      pieces.name);
  if (p.stage == Stage::combine || p.stage == Stage::finish) return out + gather_text + "}\n";
  if (p.stage == Stage::empty) return out + empty_text + "}\n";
  out +=
      "  for (long long _o = _first; _o < _last; ++_o) {\n"
      "    const _at _begin = _at_result(_p, _o);\n"
      "    _type_reduce _a;\n"
      "    for (long long _e = 0; _e < _p._items; ++_e) {\n"
      "      _at _r = _begin;\n      long long _rest = _e;\n";
  out += take_indices(p, "_rest", p.kept, p.nest.ndim - 1,
                      [&](int axis) { return step_inputs(p, operands, "_r", "_x", axis); });
  return out +
         "      _a = _e == 0 ? _element(_p, _r) : _reduce(_p, _a, _element(_p, _r));\n    }\n"
         "    _finish(_p, _o, _a);\n  }\n}\n";
}

}  // namespace gpuarr
