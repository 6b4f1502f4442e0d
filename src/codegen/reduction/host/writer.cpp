#include "codegen/reduction/functions.hpp"
#include "codegen/reduction/host/cut.hpp"
#include "codegen/reduction/writers.hpp"
#include "codegen/reduction_host_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

void write_along(KernelWriter& out, const ReductionVariant& p) {
  const int axis = p.form == ReductionForm::rows ? p.inner_reduced() : p.inner_kept();
  out.add(
      "{} _type_reduce _along(const _params& _p, const _place& _at, long long _k) {{\n"
      "  return _map(_p",
      in_kernel);
  for (int k : out.inputs)
    if (p.how(k) == Access::repeated)
      out.add(", *_at._data{}", k);
    else if (p.how(k) == Access::vector)
      out.add(", _at._data{}[_k]", k);
    else
      out.add(", _at._data{0}[_k * _p._stride{0}[{1}]]", k, axis);
  for (auto [letter, used] : element_numbers(p))
    out.text += used ? formatted(", _at._{0} + _k * _p._{0}_stride[{1}]", letter, axis) : ", 0";
  out.text += ");\n}\n";
}

void write_moves(KernelWriter& out, const ReductionVariant& p) {
  out.add(
      "{} _place _after(const _params& _p, _place _at, long long _k) {{\n"
      "  _step(_p, _at, {}, _k);\n  return _at;\n}}\n",
      in_kernel, p.inner_reduced());
  const int last = p.form == ReductionForm::rows ? p.inner_reduced() - 1 : p.inner_reduced();
  out.add(
      "{} _place _start(const _params& _p, _place _at, long long _rest) {{\n{}  return _at;\n}}\n",
      in_kernel, steps(input_place(out, p), p, "_at", "_rest", last, p.kept));
}

// How many elements a row of a result has, and how many rows a result.
void write_row_counts(KernelWriter& out, const ReductionVariant& p) {
  out.add("{} long long _inner(const _params& _p) {{\n  return {};\n}}\n", in_kernel,
          extent(p, p.inner_reduced()));
  out.add("{} long long _rows(const _params& _p) {{\n  return 1", in_kernel);
  for (int axis = p.kept; axis < p.inner_reduced(); ++axis) out.add(" * {}", extent(p, axis));
  out.text += ";\n}\n";
}

// How many results lie side by side, and how far a line is followed by the next one.
void write_column_counts(KernelWriter& out, const ReductionVariant& p) {
  out.add("{} long long _columns(const _params& _p) {{\n  return {};\n}}\n", in_kernel,
          extent(p, p.inner_kept()));
  out.add("{} long long _end_of_run(const _params& _p, long long _line, long long _last) {{\n",
          in_kernel);
  if (p.kept == p.inner_reduced())
    out.text += "  return _last;\n}\n";
  else
    out.add(
        "  const long long _end = (_line / {0} + 1) * {0};\n"
        "  return _end < _last ? _end : _last;\n}}\n",
        extent(p, p.inner_reduced()));
}

}  // namespace

int element_bytes(const OperandVariants& operands) {
  int bytes = 0;
  for (const OperandVariant& o : operands) {
    if (o.role != Role::input || o.access == Access::repeated || o.access == Access::single)
      continue;
    const int own = size_of(o.dtype);
    const bool lone = bytes == 0 || bytes == own;
    if (is_complex(o.dtype) || o.access == Access::general || !lone) return 0;
    bytes = own;
  }
  return bytes;
}

std::string host_algorithm(const ReductionVariant& p) {
  namespace file = reduction_host_parts;
  std::string out = kernel_file("reduction/host/tasks", file::tasks);
  if (p.folds > 0) out += kernel_file("reduction/host/folds", file::folds);
  return out + (p.form == ReductionForm::rows
                    ? kernel_file("reduction/host/rows", file::rows)
                    : kernel_file("reduction/host/columns", file::columns));
}

std::string host_constants(const ReductionVariant& p) {
  std::string out = formatted("  enum {{ _single = {:d} }};\n", p.kept == p.inner_reduced());
  if (p.form == ReductionForm::rows)
    return out + formatted("  enum {{ _ordered = {:d}, _element_bytes = {} }};\n", p.traits.ordered,
                           element_bytes(p.operands));
  return out + formatted("  enum {{ _is_whole = {:d}, _most_tile = {} }};\n",
                         p.stage == Stage::whole, host_tile(p));
}

std::string host_reduction(const ReductionText& pieces, const ReductionVariant& p) {
  const bool rows = p.form == ReductionForm::rows;
  KernelWriter out(p.operands);
  if (!p.gathers()) {
    write_along(out, p);
    write_moves(out, p);
    (rows ? write_row_counts : write_column_counts)(out, p);
  }
  out.add(
      "\nextern \"C\" void {}_kernel(const _params* _p, long long _first, long long _last) {{\n",
      pieces.name);
  if (p.gathers())
    out.text +=
        "  for (long long _o = _first * 4096; _o < _last * 4096 && _o < _p->_results; ++_o)\n"
        "    gpuarr_kernel::_gather_result(*_p, _o);\n}\n";
  else
    out.add(
        "  gpuarr_kernel::_run_tasks(*_p, _first, _last, gpuarr_kernel::_{}_task<_params>);\n}}\n",
        rows ? "row" : "column");
  return out.take();
}

}  // namespace gpuarr
