#include "codegen/reduction/functions.hpp"
#include "codegen/reduction/host/cut.hpp"
#include "codegen/reduction/writers.hpp"
#include "codegen/reduction_host_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

std::string along(const ReductionPlan& p, std::span<const Operand> operands) {
  int axis = p.form == ReductionForm::rows ? p.inner_reduced() : p.inner_kept();
  std::string out =
      "static __forceinline__ _type_reduce _along(const _params& _p, const _at& _r, long long _k) "
      "{\n"
      "  return _map(_p";
  for (size_t k = 0; k < operands.size(); ++k)
    if (operands[k].role != Role::input)
      continue;
    else if (p.access[k] == Access::repeated)
      out += formatted(", *_r._p{}", k);
    else if (p.access[k] == Access::vector)
      out += formatted(", _r._p{}[_k]", k);
    else
      out += formatted(", _r._p{0}[_k * _p._s{0}_{1}]", k, axis);
  for (auto [letter, used] : element_numbers(p))
    out += used ? formatted(", _r._{0} + _k * _p._{0}_stride{1}", letter, axis) : ", 0";
  return out + ");\n}\n";
}

std::string places(const ReductionPlan& p, std::span<const Operand> operands) {
  std::string out =
      "static __forceinline__ _at _after(const _params& _p, _at _r, long long _k) {\n";
  out += step_inputs(p, operands, "_r", "_k", p.inner_reduced());
  out +=
      "  return _r;\n}\nstatic __forceinline__ _at _start(const _params& _p, _at _r, long long _k) "
      "{\n";
  int last = p.form == ReductionForm::rows ? p.inner_reduced() - 1 : p.inner_reduced();
  out += take_indices(p, "_k", p.kept, last,
                      [&](int axis) { return step_inputs(p, operands, "_r", "_x", axis); });
  return out + "  return _r;\n}\n";
}

// How many elements a row of a result has, and how many rows a result.
std::string row_counts(const ReductionPlan& p) {
  std::string out = formatted(
      "static __forceinline__ long long _inner(const _params& _p) {{\n  return _p._extent{};\n}}\n"
      "static __forceinline__ long long _rows(const _params& _p) {{\n  return 1",
      p.inner_reduced());
  for (int axis = p.kept; axis < p.inner_reduced(); ++axis)
    out += formatted(" * _p._extent{}", axis);
  return out + ";\n}\n";
}

// How many results lie side by side, and how far a line is followed by the next one.
std::string column_counts(const ReductionPlan& p) {
  std::string out = formatted(
      "static __forceinline__ long long _columns(const _params& _p) {{\n"
      "  return _p._extent{};\n}}\n"
      "static __forceinline__ long long _end_of_run(const _params& _p, long long _line, "
      "long long _last) {{\n",
      p.inner_kept());
  if (p.kept == p.inner_reduced()) return out + "  return _last;\n}\n";
  return out + formatted(
                   "  const long long _end = (_line / _p._extent{0} + 1) * _p._extent{0};\n"
                   "  return _end < _last ? _end : _last;\n}}\n",
                   p.inner_reduced());
}

}  // namespace

std::string host_algorithm(const ReductionPlan& p) {
  return reduction_file("host/tasks", reduction_host_parts::tasks) +
         (p.form == ReductionForm::rows
              ? reduction_file("host/rows", reduction_host_parts::rows)
              : reduction_file("host/columns", reduction_host_parts::columns));
}

std::string host_constants(const ReductionPlan& p) {
  std::string out = formatted("  enum {{ _single = {:d} }};\n", p.kept == p.inner_reduced());
  if (p.form == ReductionForm::rows)
    return out + formatted("  enum {{ _ordered = {:d} }};\n", p.traits.ordered);
  return out + formatted("  enum {{ _is_whole = {:d}, _most_tile = {} }};\n",
                         p.stage == Stage::whole, host_tile(p));
}

std::string host_reduction(const ReductionText& pieces, const ReductionPlan& p,
                           std::span<const Operand> operands) {
  const bool rows = p.form == ReductionForm::rows;
  std::string out;
  if (!gathers(p))
    out = along(p, operands) + places(p, operands) + (rows ? row_counts(p) : column_counts(p));
  out += formatted(
      "extern \"C\" void {}_kernel(const _params* _p, long long _first, long long _last) {{\n",
      pieces.name);
  if (gathers(p))
    out +=
        "  for (long long _o = _first * 4096; _o < _last * 4096 && _o < _p->_results; ++_o)\n"
        "    gpuarr_kernel::_gather_result(*_p, _o);\n}\n";
  else
    out += formatted(
        "  gpuarr_kernel::_run_tasks(*_p, _first, _last, gpuarr_kernel::_{}_task<_params>);\n}}\n",
        rows ? "row" : "column");
  return out;
}

}  // namespace gpuarr
