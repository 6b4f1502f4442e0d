#include "codegen/layout/cuda_packs.hpp"
#include "codegen/reduction/functions.hpp"
#include "codegen/reduction/writers.hpp"
#include "codegen/reduction_cuda_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// Rows: a block or several to a result.
bool is_block_wide(const ReductionPlan& p) { return p.lanes == 256; }

class CudaReduction {
 public:
  CudaReduction(const ReductionText& pieces, const ReductionPlan& plan,
                std::span<const Operand> operands)
      : pieces_(pieces), p_(plan), operands_(operands) {}

  std::string write();

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += format_text(format, fmt::make_format_args(args...));
  }

  // What both forms share.
  std::string loads() const;
  std::string map(const std::string& k) const;
  void open_kernel();

  // Rows.
  void declare_row_take();
  void declare_item();
  void find_item();

  // Columns.
  void declare_column_take();
  void declare_line();
  void declare_columns();
  void declare_finish();
  void finish_pack();

  const Operand& operand(int k) const { return operands_[static_cast<size_t>(k)]; }
  const char* type(int k) const { return facts_of(operand(k).dtype).cxx; }
  bool is(int k, Role role) const { return operand(k).role == role; }
  bool is_rows() const { return p_.form == ReductionForm::rows; }
  // Whether a block goes through memory without coming back to it.
  bool streams() const { return is_rows() && is_block_wide(p_) && p_.pack > 1; }
  int inner() const { return is_rows() ? p_.inner_reduced() : p_.inner_kept(); }
  bool moves(int k) const { return p_.how(k) != Access::repeated; }  // along the inner axis

  const ReductionText& pieces_;
  const ReductionPlan& p_;
  std::span<const Operand> operands_;
  std::string out_;
};

std::string CudaReduction::write() {
  if (gathers(p_)) {
    open_kernel();
    out_ +=
        "  const _result _o = (_result)blockIdx.x * 256 + threadIdx.x;\n"
        "  if (_o < _p._results) gpuarr_kernel::_gather_result(_p, _o);\n}\n";
    return std::move(out_);
  }
  out_ += cuda_pack_text;
  if (p_.shifts) out_ += cuda_span_text;
  const char* algorithm = "columns";
  if (is_rows()) {
    declare_row_take();
    declare_item();
    algorithm = p_.single ? "few_items" : is_block_wide(p_) ? "blocks" : "warps";
  } else {
    declare_column_take();
    declare_line();
    declare_columns();
    declare_finish();
  }
  open_kernel();
  add("  gpuarr_kernel::_reduce_{}(_p);\n}}\n", algorithm);
  return std::move(out_);
}

void CudaReduction::open_kernel() {
  add("extern \"C\" __global__ void __launch_bounds__(256) {}_kernel"
      "(const __grid_constant__ _params _p) {{\n",
      pieces_.name);
}

// All loads stand before the arithmetic, so that they are under way together.
std::string CudaReduction::loads() const {
  std::string out;
  auto each = [&](int k, const char* format) {
    out += "#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) ";
    out += formatted(fmt::runtime(format), type(k), k);
  };
  for (int k = 0; k < p_.operands; ++k) {
    if (!is(k, Role::input)) continue;
    bool cut = p_.how(k) == Access::shifted;
    out += formatted("  {}<{}, {}> _{}{}[_u];\n", cut ? "_span" : "_pack", type(k),
                     moves(k) ? "_w" : "1", cut ? "s" : "v", k);
    each(
        k,
        cut ? "_s{1}[_q]._load(_r[_q]._p{1});\n"
        : moves(k)
            ? (streams()
                   ? "_v{1}[_q] = gpuarr_kernel::_load_once((const _pack<{0}, _w>*)_r[_q]._p{1});\n"
                   : "_v{1}[_q] = *(const _pack<{0}, _w>*)_r[_q]._p{1};\n")
            : "_v{1}[_q]._v[0] = *_r[_q]._p{1};\n");
  }
  for (int k = 0; k < p_.operands; ++k) {
    if (!is(k, Role::input) || p_.how(k) != Access::shifted) continue;
    out += formatted("  _pack<{0}, _w> _v{1}[_u];\n", type(k), k);
    each(k, "_v{1}[_q] = _s{1}[_q]._cut();\n");
  }
  return out;
}

// What element _k of pack _q counts as.
std::string CudaReduction::map(const std::string& k) const {
  std::string out = "_map(_p";
  for (int o = 0; o < p_.operands; ++o)
    if (is(o, Role::input)) out += formatted(", _v{}[_q]._v[{}]", o, moves(o) ? k : "0");
  for (auto [letter, used] : element_numbers(p_)) {
    out += formatted(", _r[_q]._{}", letter);
    if (used) out += formatted(" + {} * _p._{}_stride{}", k, letter, inner());
  }
  return out + ")";
}

void CudaReduction::declare_row_take() {
  out_ +=
      "template <int _w, int _u>\n"
      "static __device__ __forceinline__ void _take(const _params& _p, const _at (&_r)[_u], "
      "_type_reduce (&_m)[_u], gpuarr_kernel::_width_tag<_w>) {\n" +
      loads() + "#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) {\n    _m[_q] = " + map("0") +
      ";\n#pragma unroll\n    for (int _k = 1; _k < _w; ++_k) _m[_q] = _reduce(_p, _m[_q], " +
      map("_k") + ");\n  }\n}\n";
}

// Finds an item and returns its size.
void CudaReduction::declare_item() {
  out_ +=
      "static __device__ __forceinline__ int _item(const _params& _p, const _at& _base, "
      "const _index _t, _at& _r) {\n  _r = _base;\n";
  if (p_.nest.ndim - p_.kept > 1) {
    add("  _index _row = _t / _p._row_items;\n  const _index _c = _t - _row * {};\n",
        divisor_number(p_, "row_items", true));
    out_ += take_indices(p_, "_row", p_.kept, p_.inner_reduced() - 1,
                         [&](int axis) { return step_inputs(p_, operands_, "_r", "_x", axis); });
  } else {
    out_ += "  const _index _c = _t;\n";
  }
  find_item();
  for (int k = 0; k < p_.operands; ++k) {
    if (!is(k, Role::input) || !moves(k)) continue;
    add("  _r._p{} += _begin", k);
    if (p_.how(k) == Access::general) add(" * _p._s{}_{}", k, inner());
    out_ += ";\n";
  }
  for (auto [letter, used] : element_numbers(p_))
    if (used) add("  _r._{0} += _begin * _p._{0}_stride{1};\n", letter, inner());
  out_ += "  return _size;\n}\n";
}

void CudaReduction::find_item() {
  if (p_.exact || p_.pack == 1) {
    add("  const long long _begin = (long long)_c * {0};\n  const int _size = {0};\n", p_.pack);
    return;
  }
  out_ += "  typedef long long _offset;\n  int _size;\n";
  out_ += cuda_find_pack(
      {p_.pack, p_.shifts ? p_.anchor : -1, p_.margin, p_.shifts ? type(p_.anchor) : "",
       divisor_number(p_, formatted("extent{}", inner()), true)},
      "_size");
}

// _a takes in what the first _n of _u lines have.
void CudaReduction::declare_column_take() {
  out_ +=
      "template <int _w, int _u>\n"
      "static __device__ __forceinline__ void _take(const _params& _p, const _at (&_r)[_u], "
      "int _n, _type_reduce (&_a)[_w], bool _any) {\n" +
      loads() +
      "#pragma unroll\n  for (int _k = 0; _k < _w; ++_k) {\n"
      "    enum { _q = 0 };\n    _type_reduce _m = " +
      map("_k") +
      ";\n#pragma unroll\n    for (int _q = 1; _q < _u; ++_q)\n"
      "      if (_q < _n) _m = _reduce(_p, _m, " +
      map("_k") + ");\n    _a[_k] = _any ? _reduce(_p, _a[_k], _m) : _m;\n  }\n}\n";
}

// Goes to an element of the first column.
void CudaReduction::declare_line() {
  out_ +=
      "static __device__ __forceinline__ void _line(const _params& _p, const _at& _base, "
      "_index _t, _at& _r) {\n  _r = _base;\n";
  out_ += take_indices(p_, "_t", p_.kept, p_.inner_reduced(),
                       [&](int axis) { return step_inputs(p_, operands_, "_r", "_x", axis); });
  out_ += "}\n";
}

// How many results lie side by side, and where the first element of one of them is.
void CudaReduction::declare_columns() {
  add("static __device__ __forceinline__ _result _columns(const _params& _p) {{\n"
      "  return (_result){};\n}}\n",
      divisor_number(p_, formatted("extent{}", inner()), false));
  out_ +=
      "static __device__ __forceinline__ _at _at_column(const _params& _p, _result _rest, "
      "_result _c) {\n  _at _r;\n";
  for (int k = 0; k < p_.operands; ++k)
    if (is(k, Role::input))
      add("  _r._p{0} = _p._p{0} + (long long)_c * _p._s{0}_{1};\n", k, inner());
  for (auto [letter, used] : element_numbers(p_))
    if (used)
      add("  _r._{0} = _p._{0}_start + (long long)_c * _p._{0}_stride{1};\n", letter, inner());
    else
      add("  _r._{} = 0;\n", letter);
  if (p_.kept > 1)
    out_ += take_indices(p_, "_rest", 0, p_.kept - 2,
                         [&](int axis) { return step_inputs(p_, operands_, "_r", "_x", axis); });
  out_ += "  return _r;\n}\n";
}

void CudaReduction::declare_finish() {
  out_ +=
      "static __device__ __forceinline__ void _finish_columns(const _params& _p, _result _outer, "
      "_result _c, _type_reduce (&_a)[_params::_width]) {\n";
  out_ += "  enum { _width = _params::_width };\n";
  bool packs = false;
  for (int k = 0; k < p_.operands; ++k) packs |= is(k, Role::output) && p_.how(k) == Access::vector;
  if (p_.stage == Stage::whole && p_.pack > 1 && packs) return finish_pack();
  add("  const _result _o = _outer * {} + _c;\n"
      "#pragma unroll\n  for (int _k = 0; _k < _width; ++_k) _finish(_p, _o + _k, _a[_k]);\n}}\n",
      divisor_number(p_, formatted("extent{}", inner()), false));
}

// A whole pack of results is stored at once.
void CudaReduction::finish_pack() {
  bool counts = p_.traits.uses_result;
  for (int k = 0; k < p_.operands; ++k)
    if (is(k, Role::output))
      add("  {0}* _y{1} = _p._p{1} + (long long)_c * _p._s{1}_{2};\n", type(k), k, inner());
  if (counts) add("  long long _i = _p._o_start + (long long)_c * _p._o_stride{};\n", inner());
  out_ += take_indices(p_, "_outer", 0, p_.kept - 2,
                       [&](int axis) { return step_outputs(p_, operands_, axis); });
  auto each = [&](const char* vector, const char* general) {
    for (int k = 0; k < p_.operands; ++k)
      if (is(k, Role::output))
        out_ += formatted(fmt::runtime(p_.how(k) == Access::vector ? vector : general), type(k), k,
                          inner());
  };
  each("  _pack<{0}, _width> _w{1} = *(const _pack<{0}, _width>*)_y{1};\n",
       "  _pack<{0}, _width> _w{1};\n#pragma unroll\n  for (int _k = 0; _k < _width; ++_k) "
       "_w{1}._v[_k] = _y{1}[_k * _p._s{1}_{2}];\n");
  out_ += "#pragma unroll\n  for (int _k = 0; _k < _width; ++_k)\n    _post(_p, ";
  out_ += pieces_.identity ? "_reduce(_p, _identity(_p), _a[_k])" : "_a[_k]";
  for (int k = 0; k < p_.operands; ++k)
    if (is(k, Role::output)) add(", _w{}._v[_k]", k);
  out_ += counts ? formatted(", _i + _k * _p._o_stride{});\n", inner()) : ", 0);\n";
  each("  *(_pack<{0}, _width>*)_y{1} = _w{1};\n",
       "#pragma unroll\n  for (int _k = 0; _k < _width; ++_k) "
       "_y{1}[_k * _p._s{1}_{2}] = _w{1}._v[_k];\n");
  out_ += "}\n";
}

}  // namespace

std::string cuda_algorithm(const ReductionPlan& p) {
  namespace file = reduction_cuda_parts;
  std::string out = reduction_file("cuda/join", file::join);
  const bool rows = p.form == ReductionForm::rows;
  if (!rows || is_block_wide(p)) out += reduction_file("cuda/splits", file::splits);
  if (!rows) return out + reduction_file("cuda/columns", file::columns);
  if (!p.single)
    out += p.traits.ordered ? reduction_file("cuda/ordered", file::ordered)
                            : reduction_file("cuda/rows", file::rows);
  return out + (is_block_wide(p) ? reduction_file("cuda/blocks", file::blocks)
                                 : reduction_file("cuda/warps", file::warps));
}

// Only what the kernel asks for, so that no two texts differ in nothing else.
std::string cuda_constants(const ReductionPlan& p) {
  const bool rows = p.form == ReductionForm::rows;
  std::string out =
      formatted("  enum {{ _width = {}, _unroll = {}, _lanes = {} }};\n", p.pack, p.packs, p.lanes);
  out += formatted("  enum {{ _ordered = {:d} }};\n", p.traits.ordered);
  if (rows)
    out +=
        formatted("  enum {{ _gaps = {:d}, _ragged = {:d} }};\n", p.shifts, !p.exact && p.pack > 1);
  if (!rows || is_block_wide(p))
    out += formatted("  enum {{ _is_record = {:d} }};\n", p.traits.is_struct);
  return out;
}

std::string cuda_reduction(const ReductionText& text, const ReductionPlan& plan,
                           std::span<const Operand> operands) {
  return CudaReduction(text, plan, operands).write();
}

}  // namespace gpuarr
