// A reduction as CUDA C++.
#include "codegen/reduction.hpp"
#include "codegen/reduction_functions.hpp"
#include "core/text.hpp"

namespace gpuarr {

std::string cuda_reduction(const ReductionText& pieces, const ReductionPlan& p,
                           std::span<const Operand> operands) {
  std::string out = text(
      "extern \"C\" __global__ void __launch_bounds__(256) {}_kernel"
      "(const __grid_constant__ _params _p) {{\n"
      "  const unsigned _o = blockIdx.x * 256 + threadIdx.x;\n"
      "  if (_o >= _p._results) return;\n",
      pieces.name);
  if (p.stage == Stage::empty) return out + "  _finish(_p, _o, _identity(_p));\n}\n";
  out +=
      "    const _at _begin = _at_result(_p, _o);\n    _type_reduce _a;\n"
      "    for (long long _e = 0; _e < _p._n / _p._results; ++_e) {\n"
      "      _at _r = _begin;\n      long long _rest = _e;\n";
  for (int axis = p.nest.ndim - 1; axis >= p.kept; --axis)
    out += text("      {{ const long long _x = _rest % {0}; _rest /= {0};\n",
                divisor_number(p, text("extent{}", axis), true)) +
           step_inputs(p, operands, "_r", "_x", axis) + "      }\n";
  return out +
         "      _a = _e == 0 ? _element(_p, _r) : _reduce(_p, _a, _element(_p, _r));\n    }\n"
         "    _finish(_p, _o, _a);\n}\n";
}

}  // namespace gpuarr
