// The loop of an elementwise kernel as C++ for the CPU: plain loops that its compiler vectorises.
#include "codegen/elementwise/loop.hpp"
#include "codegen/elementwise_text.hpp"
#include "codegen/layout_text.hpp"

namespace gpuarr {
namespace {

class HostLoop {
 public:
  HostLoop(const ElementwiseText& pieces, const LoopVariant& variant,
           std::span<const OperandName> names)
      : loop_(pieces, variant, names), out_(loop_.out), p_(variant) {}

  std::string write() {
    loop_.write_places();
    out_.add(
        "\nextern \"C\" void {}_kernel(const _params* _pp, long long _first, "
        "long long _last) {{\n  const _params& _p = *_pp;\n",
        loop_.pieces.name);
    out_.text += bind_outside(loop_.pieces, p_, out_.names);
    for (int k : out_.inputs)
      if (p_.how(k) == Access::single)
        out_.text += constant(out_.type(k), formatted("_value{}", k), formatted("*_p._data{}", k));
    out_.text += statements("loop_prep", loop_.pieces.loop_prep);
    out_.text += host_blocks_begin;
    if (p_.form == Form::tiled)
      write_tiles();
    else
      write_rows();
    out_.text += "  }\n" + statements("after_loop", loop_.pieces.after_loop) + "}\n";
    return out_.take();
  }

 private:
  void write_rows() {
    out_.text += host_rows_begin;
    write_inner_loop();
    out_.text += "    }\n";
  }

  void write_tiles() {
    out_.add(
        "    const gpuarr_kernel::_band<_params> _band(_p, _block);\n"
        "    const long long _row_size = _p._extent[{0}];\n"
        "    for (long long _begin = 0; _begin < _row_size; _begin += {1})\n"
        "    for (long long _line = _band._first; _line < _band._last; ++_line) {{\n"
        "      const long long _end = gpuarr_kernel::_least(_begin + {1}, _row_size);\n"
        "      _place _at = _band._base;\n"
        "      _step(_p, _at, {2}, _line);\n",
        loop_.inner(), p_.tile, p_.tile_axis);
    write_inner_loop();
    out_.text += "    }\n";
  }

  std::string element(int k) const {
    if (!loop_.moves(k)) return formatted("*_at._data{}", k);
    if (p_.form == Form::rows) return formatted("_at._data{}[_k]", k);
    return formatted("_at._data{0}[_k * _p._stride{0}[{1}]]", k, loop_.inner());
  }

  void write_inner_loop() {
    for (int k : out_.inputs)
      if (p_.how(k) == Access::repeated)
        out_.text += constant(out_.type(k), formatted("_value{}", k), formatted("*_at._data{}", k));
    // Outputs never overlap inputs but at the same place, which is what the pragma promises. Of an
    // array in the body, elements have the same place one after another.
    const ElementwiseText& pieces = loop_.pieces;
    if (!pieces.preamble.has_own_arrays() && !pieces.loop_prep.has_own_arrays() &&
        !pieces.body.has_own_arrays())
      out_.text += host_independent;
    out_.text += "      for (long long _k = _begin; _k < _end; ++_k) {\n";
    for (int k : loop_.variables()) bind_element(k);
    out_.text += body_block(pieces, p_, loop_.index("_at"), "        ");
    for (int k : out_.outputs) out_.text += assignment(element(k), loop_.name(k).name);
    out_.text += "      }\n";
  }

  void bind_element(int k) {
    const int from = loop_.source(k);
    std::string value = element(from);
    if (out_.is(from, Role::scalar))
      value = formatted("_p._scalar{}._value", from);
    else if (out_.is(from, Role::input) && !loop_.moves(from))
      value = formatted("_value{}", from);
    out_.text += assignment(formatted("{} {}", out_.element_type(k), loop_.name(k).name), value);
  }

  LoopWriter loop_;
  KernelWriter& out_;
  const LoopVariant& p_;
};

}  // namespace

const char* const host_blocks_begin =
    "  for (long long _block = _first; _block < _last; ++_block) {\n";
const char* const host_rows_begin =
    "    const gpuarr_kernel::_rows _rows(_p, _block);\n"
    "    const long long _begin = _rows._begin, _end = _rows._end;\n"
    "    for (long long _row = _rows._first; _row < _rows._last; ++_row) {\n"
    "      const _place _at = _at_row(_p, _row);\n";
const char* const host_independent =
    "#ifdef __clang__\n#pragma clang loop vectorize(assume_safety)\n#else\n#pragma GCC ivdep\n"
    "#endif\n";

std::string host_loop_algorithm(const LoopVariant& variant) {
  std::string out;
  if (variant.ndim > 1) out = kernel_file("layout/index", layout_parts::index);
  return out + (variant.form == Form::tiled
                    ? kernel_file("elementwise/host_tiles", elementwise_parts::host_tiles)
                    : kernel_file("elementwise/host_rows", elementwise_parts::host_rows));
}

std::string host_loop_constants(const LoopVariant& variant) {
  if (variant.form != Form::tiled) return formatted("  enum {{ _axes = {} }};\n", variant.ndim);
  return formatted("  typedef ::_place _place;\n  enum {{ _tile_axis = {}, _edge = {} }};\n",
                   variant.tile_axis, variant.tile);
}

std::string host_loop(const ElementwiseText& text, const LoopVariant& variant,
                      std::span<const OperandName> names) {
  return HostLoop(text, variant, names).write();
}

}  // namespace gpuarr
