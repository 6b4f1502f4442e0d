#include "codegen/layout_text.hpp"
#include "codegen/reduction/functions.hpp"
#include "codegen/reduction/writers.hpp"
#include "codegen/reduction_cuda_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// Rows: a block or several to a result.
bool is_block_wide(const ReductionVariant& p) { return p.lanes == 256; }

class CudaReduction {
 public:
  CudaReduction(const ReductionText& pieces, const ReductionVariant& variant)
      : pieces_(pieces), p_(variant), out_(variant.operands) {}

  std::string write() {
    const char* algorithm = "columns";
    if (p_.gathers()) {
      algorithm = nullptr;
    } else if (is_rows()) {
      declare_row_take();
      declare_item();
      algorithm = p_.single ? "few_items" : is_block_wide(p_) ? "blocks" : "warps";
    } else {
      declare_column_take();
      declare_line();
      declare_columns();
      declare_finish();
    }
    out_.add(
        "\nextern \"C\" __global__ void __launch_bounds__(256) {}_kernel"
        "(const __grid_constant__ _params _p) {{\n",
        pieces_.name);
    if (p_.gathers())
      out_.text +=
          "  const _result _number = (_result)blockIdx.x * 256 + threadIdx.x;\n"
          "  if (_number < _p._results) gpuarr_kernel::_gather_result(_p, _number);\n}\n";
    else
      out_.add("  gpuarr_kernel::_reduce_{}(_p);\n}}\n", algorithm);
    return out_.take();
  }

 private:
  // All loads stand before the arithmetic, so that they are under way together.
  void write_loads() {
    for (int k : out_.inputs) {
      const bool cut = p_.how(k) == Access::shifted;
      const char* const width = moves(k) ? "_width" : "1";
      out_.add(
          "  gpuarr_kernel::{}<{}, {}> {}{}[_count];\n#pragma unroll\n"
          "  for (int _q = 0; _q < _count; ++_q) ",
          cut ? "_span" : "_pack", out_.type(k), width, cut ? "_spans" : "_values", k);
      if (!cut && moves(k) && streams())
        out_.add(
            "_values{0}[_q] = gpuarr_kernel::_load_once("
            "(const gpuarr_kernel::_pack<{1}, _width>*)_at[_q]._data{0});\n",
            k, out_.type(k));
      else if (moves(k))
        out_.add("{0}{1}[_q]._load(_at[_q]._data{1});\n", cut ? "_spans" : "_values", k);
      else
        out_.add("_values{0}[_q]._fill(*_at[_q]._data{0});\n", k);
    }
    for (int k : out_.inputs)
      if (p_.how(k) == Access::shifted)
        out_.add(
            "  gpuarr_kernel::_pack<{0}, _width> _values{1}[_count];\n#pragma unroll\n"
            "  for (int _q = 0; _q < _count; ++_q) _values{1}[_q] = _spans{1}[_q]._cut();\n",
            out_.type(k), k);
  }

  // What an element of pack _q counts as.
  std::string map(const char* element) const {
    std::string out = "_map(_p";
    for (int k : out_.inputs)
      out += formatted(", _values{}[_q]._element[{}]", k, moves(k) ? element : "0");
    for (auto [letter, used] : element_numbers(p_))
      out += used
                 ? formatted(", _at[_q]._{0} + {1} * _p._{0}_stride[{2}]", letter, element, inner())
                 : ", 0";
    return out + ")";
  }

  // --- Rows

  void declare_row_take() {
    out_.text +=
        "\n// What each of some packs counts as.\n"
        "template <int _width, int _count>\n"
        "static __device__ __forceinline__ void _take(\n"
        "    const _params& _p, const _place (&_at)[_count], _type_reduce (&_sums)[_count],\n"
        "    gpuarr_kernel::_width_tag<_width>) {\n";
    write_loads();
    out_.add(
        "#pragma unroll\n  for (int _q = 0; _q < _count; ++_q) {{\n"
        "    _sums[_q] = {};\n"
        "#pragma unroll\n    for (int _k = 1; _k < _width; ++_k)\n"
        "      _sums[_q] = _reduce(_p, _sums[_q], {});\n  }}\n}}\n",
        map("0"), map("_k"));
  }

  // Finds an item and returns its size.
  void declare_item() {
    const PlaceText place = input_place(out_, p_);
    out_.add(
        "{} int _item(const _params& _p, const _place& _base, _index _number, _place& _at) {{\n"
        "  _at = _base;\n",
        in_kernel);
    if (p_.ndim - p_.kept > 1) {
      out_.text +=
          "  _index _row = _number;\n"
          "  const _index _in_row = gpuarr_kernel::_take_index(_row, _p._row_items);\n";
      out_.text += steps(place, p_, "_at", "_row", p_.inner_reduced() - 1, p_.kept);
    } else {
      out_.text += "  const _index _in_row = _number;\n";
    }
    const std::string size = find_item();
    for (int k : out_.inputs)
      if (p_.how(k) == Access::general)
        out_.add("  _at._data{0} += _begin * _p._stride{0}[{1}];\n", k, inner());
      else if (moves(k))
        out_.add("  _at._data{} += _begin;\n", k);
    for (char letter : place.letters)
      out_.add("  _at._{0} += _begin * _p._{0}_stride[{1}];\n", letter, inner());
    out_.add("  return {};\n}}\n", size);
  }

  // Gives its size.
  std::string find_item() {
    if (p_.exact || p_.pack == 1) {
      out_.add("  const long long _begin = (long long)_in_row * {0};\n", p_.pack);
      return formatted("{}", p_.pack);
    }
    std::string head = "0ll";
    if (p_.shifts)
      head =
          formatted("gpuarr_kernel::_before_packs<{}, long long>(_at._data{})", p_.pack, p_.anchor);
    out_.add(
        "  const auto _piece = gpuarr_kernel::_find_piece<{}, {}>(\n"
        "      (long long)_in_row, {}, (long long){});\n"
        "  const long long _begin = _piece._begin;\n",
        p_.pack, p_.margin, head, extent(p_, inner()));
    return "_piece._size";
  }

  // --- Columns

  void declare_column_take() {
    out_.text +=
        "\n// _sums takes in what the first _lines of some lines have.\n"
        "template <int _width, int _count>\n"
        "static __device__ __forceinline__ void _take(const _params& _p, const _place "
        "(&_at)[_count], "
        "int _lines, _type_reduce (&_sums)[_width], bool _any) {\n";
    write_loads();
    out_.add(
        "#pragma unroll\n  for (int _k = 0; _k < _width; ++_k) {{\n"
        "    enum {{ _q = 0 }};\n    _type_reduce _sum = {0};\n"
        "#pragma unroll\n    for (int _q = 1; _q < _count; ++_q)\n"
        "      if (_q < _lines) _sum = _reduce(_p, _sum, {0});\n"
        "    _sums[_k] = _any ? _reduce(_p, _sums[_k], _sum) : _sum;\n  }}\n}}\n",
        map("_k"));
  }

  // Goes to an element of the first column.
  void declare_line() {
    out_.function(
        formatted(
            "{} void _line(const _params& _p, const _place& _base, _index _rest, _place& _at)",
            in_kernel),
        assignment("_at", "_base") +
            steps(input_place(out_, p_), p_, "_at", "_rest", p_.inner_reduced(), p_.kept));
  }

  // How many results lie side by side, and where the first element of one of them is.
  void declare_columns() {
    const PlaceText place = input_place(out_, p_);
    out_.function(formatted("{} _result _columns(const _params& _p)", in_kernel),
                  returned(formatted("(_result){}", extent(p_, inner()))));
    out_.add(
        "{} _place _at_column(const _params& _p, _result _rest, _result _column) {{\n"
        "  _place _at = {};\n  _step(_p, _at, {}, _column);\n{}  return _at;\n}}\n",
        in_kernel, place.start(), inner(), steps(place, p_, "_at", "_rest", p_.kept - 2));
  }

  void declare_finish() {
    out_.add(
        "{} void _finish_columns(const _params& _p, _result _outer, _result _column, "
        "_type_reduce (&_sums)[_params::_width]) {{\n",
        in_kernel);
    bool packs = false;
    for (int k : out_.outputs) packs |= p_.how(k) == Access::vector;
    if (p_.stage == Stage::whole && p_.pack > 1 && packs) return finish_pack();
    out_.add(
        "  const _result _first = _outer * _columns(_p) + _column;\n"
        "#pragma unroll\n  for (int _k = 0; _k < _params::_width; ++_k)\n"
        "    _finish(_p, _first + _k, _sums[_k]);\n}}\n");
  }

  // A whole pack of results is stored at once.
  void finish_pack() {
    const PlaceText results = result_place(out_, p_);
    out_.add(
        "  enum {{ _width = _params::_width }};\n  _results _to = {};\n"
        "  _step_result(_p, _to, {}, _column);\n{}",
        results.start(), inner(), steps(results, p_, "_to", "_outer", p_.kept - 2));
    for (int k : out_.outputs)
      if (p_.how(k) == Access::vector)
        out_.add(
            "  gpuarr_kernel::_pack<{0}, _width> _values{1};\n  _values{1}._load(_to._data{1});\n",
            out_.type(k), k);
      else
        out_.add(
            "  gpuarr_kernel::_pack<{0}, _width> _values{1};\n#pragma unroll\n"
            "  for (int _k = 0; _k < _width; ++_k)\n"
            "    _values{1}._element[_k] = _to._data{1}[_k * _p._stride{1}[{2}]];\n",
            out_.type(k), k, inner());
    out_.add("#pragma unroll\n  for (int _k = 0; _k < _width; ++_k)\n    _post(_p, {}",
             pieces_.identity ? "_reduce(_p, _identity(_p), _sums[_k])" : "_sums[_k]");
    for (int k : out_.outputs) out_.add(", _values{}._element[_k]", k);
    out_.text += results.letters.empty()
                     ? ", 0);\n"
                     : formatted(", _to._o + _k * _p._o_stride[{}]);\n", inner());
    for (int k : out_.outputs)
      if (p_.how(k) == Access::vector)
        out_.add("  _values{0}._store(_to._data{0});\n", k);
      else
        out_.add(
            "#pragma unroll\n  for (int _k = 0; _k < _width; ++_k)\n"
            "    _to._data{0}[_k * _p._stride{0}[{1}]] = _values{0}._element[_k];\n",
            k, inner());
    out_.text += "}\n";
  }

  bool is_rows() const { return p_.form == ReductionForm::rows; }
  // Whether a block goes through memory without coming back to it.
  bool streams() const { return is_rows() && is_block_wide(p_) && p_.pack > 1; }
  int inner() const { return is_rows() ? p_.inner_reduced() : p_.inner_kept(); }
  bool moves(int k) const { return p_.how(k) != Access::repeated; }  // along the inner axis

  const ReductionText& pieces_;
  const ReductionVariant& p_;
  KernelWriter out_;
};

}  // namespace

std::string cuda_algorithm(const ReductionVariant& p) {
  namespace file = reduction_cuda_parts;
  std::string out = kernel_file("layout/packs", layout_parts::packs);
  if (p.shifts) out += kernel_file("layout/spans", layout_parts::spans);
  out += kernel_file("reduction/cuda/join", file::join);
  const bool rows = p.form == ReductionForm::rows;
  if (!rows || is_block_wide(p)) out += kernel_file("reduction/cuda/splits", file::splits);
  if (!rows) return out + kernel_file("reduction/cuda/columns", file::columns);
  if (!p.exact && p.pack > 1) out += kernel_file("layout/ragged", layout_parts::ragged);
  if (!p.single)
    out += p.traits.ordered ? kernel_file("reduction/cuda/ordered", file::ordered)
                            : kernel_file("reduction/cuda/rows", file::rows);
  return out + (is_block_wide(p) ? kernel_file("reduction/cuda/blocks", file::blocks)
                                 : kernel_file("reduction/cuda/warps", file::warps));
}

// Only what the kernel asks for, so that no two texts differ in nothing else.
std::string cuda_constants(const ReductionVariant& p) {
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

std::string cuda_reduction(const ReductionText& text, const ReductionVariant& variant) {
  return CudaReduction(text, variant).write();
}

}  // namespace gpuarr
