// The loop of an elementwise kernel as CUDA C++: what the algorithms (the .cuh files) ask for.
#include "codegen/elementwise/loop.hpp"
#include "codegen/elementwise_text.hpp"
#include "codegen/layout_text.hpp"

namespace gpuarr {
namespace {

class CudaLoop {
 public:
  CudaLoop(const ElementwiseText& pieces, const LoopVariant& variant,
           std::span<const OperandName> names)
      : loop_(pieces, variant, names), out_(loop_.out), p_(variant) {}

  std::string write() {
    loop_.write_places();
    if (p_.form == Form::tiled) {
      declare_tiles();
      write_fill();
      write_enter();
    } else {
      write_forward();
      if (p_.pack > 1) write_head();
    }
    write_run();
    write_kernel();
    return out_.take();
  }

 private:
  void declare_tiles() {
    out_.text += "\nstruct _tiles {\n";
    for (int k : out_.arrays)
      if (is_tile(k))
        out_.text += variable(formatted("gpuarr_kernel::_tile<{}, {}>", out_.type(k), p_.tile),
                              formatted("_tile{}", k));
    out_.text += "};\n";
  }

  void write_forward() {
    const char* const offset = offset_type(p_);
    out_.add("{} void _forward(const _params& _p, _place& _at, {} _by) {{\n", in_kernel, offset);
    for (int k : out_.arrays)
      if (p_.how(k) == Access::general)
        out_.add("  _at._data{0} += _by * ({1})_p._stride{0}[{2}];\n", k, offset, loop_.inner());
      else if (loop_.moves(k))
        out_.add("  _at._data{} += _by;\n", k);
    if (p_.uses_i) out_.add("  _at._i += _by * _p._i_stride[{}];\n", loop_.inner());
    out_.text += "}\n";
  }

  // How many elements of a row stand before its first aligned pack.
  void write_head() {
    out_.add("{0} {1} _head(const _place& _at) {{\n", in_kernel, offset_type(p_));
    if (p_.shifts)
      out_.add("  return gpuarr_kernel::_before_packs<{}, {}>(_at._data{});\n}}\n", p_.pack,
               offset_type(p_), p_.anchor);
    else
      out_.text += "  return 0;\n}\n";
  }

  void write_fill() {
    out_.add(
        "\ntemplate <class _square>\n"
        "static __device__ __forceinline__ void _fill(const _params& _p, const _place& _at, "
        "const _square& _own, _tiles& _to) {{\n");
    for (int k : out_.arrays)
      if (is_tile(k))
        out_.add("  gpuarr_kernel::_staged<{}, _square> _staged{};\n", out_.type(k), k);
    for (int k : out_.arrays)
      if (is_tile(k))
        out_.add("  _staged{0}._load(_own, _at._data{0}, ({1})_p._stride{0}[{2}]);\n", k,
                 offset_type(p_), loop_.inner());
    for (int k : out_.arrays)
      if (is_tile(k)) out_.add("  _staged{0}._store(_own, _to._tile{0});\n", k);
    out_.text += "}\n";
  }

  // Goes to an element of the square.
  void write_enter() {
    const char* const offset = offset_type(p_);
    out_.add(
        "{0} void _enter(const _params& _p, _place& _at, const _tiles& _from, int _inner_in_tile,\n"
        "    int _across_in_tile, {1} _inner, {1} _across) {{\n",
        in_kernel, offset);
    for (int k : out_.arrays)
      if (is_tile(k))
        out_.add(
            "  _at._data{0} = _from._tile{0}._element[_inner_in_tile][_across_in_tile]._element;\n",
            k);
      else if (loop_.moves(k))
        out_.add(
            "  _at._data{0} += _inner * ({1})_p._stride{0}[{2}] + "
            "_across * ({1})_p._stride{0}[{3}];\n",
            k, offset, loop_.inner(), p_.tile_axis);
    if (p_.uses_i)
      out_.add("  _at._i += _inner * _p._i_stride[{}] + _across * _p._i_stride[{}];\n",
               loop_.inner(), p_.tile_axis);
    out_.text += "}\n";
  }

  void write_run() {
    out_.text +=
        "\n// The body for each element of some packs.\n"
        "template <int _width, int _packs>\n"
        "static __device__ __forceinline__ void _run(const _params& _p, const _place "
        "(&_at)[_packs],\n"
        "                                            gpuarr_kernel::_width_tag<_width>) {\n";
    out_.text += bind_outside(loop_.pieces, p_, out_.names);
    const std::vector<int> variables = loop_.variables();
    for (int k : variables)
      out_.add("  gpuarr_kernel::{}<{}, {}> {}{}[_packs];\n", spans(k) ? "_span" : "_pack",
               out_.type(k), loop_.moves(k) ? "_width" : "1", spans(k) ? "_spans" : "_values", k);
    for (int k : variables) load(k);
    for (int k : variables)
      if (spans(k))
        out_.add(
            "\n  gpuarr_kernel::_pack<{0}, _width> _values{1}[_packs];\n#pragma unroll\n"
            "  for (int _q = 0; _q < _packs; ++_q) _values{1}[_q] = _spans{1}[_q]._cut();\n",
            out_.type(k), k);
    out_.text += statements("loop_prep", loop_.pieces.loop_prep);
    out_.text +=
        "\n#pragma unroll\n  for (int _q = 0; _q < _packs; ++_q) {\n"
        "#pragma unroll\n    for (int _k = 0; _k < _width; ++_k) {\n";
    for (int k : variables)
      out_.text +=
          reference(out_.element_type(k), loop_.name(k).name,
                    formatted("_values{}[_q]._element[{}]", k, loop_.moves(k) ? "_k" : "0"));
    out_.text += body_block(loop_.pieces, p_, loop_.index("_at[_q]"), "      ") + "    }\n  }\n";
    out_.text += statements("after_loop", loop_.pieces.after_loop);
    for (int k : out_.outputs)
      out_.add(
          "\n#pragma unroll\n  for (int _q = 0; _q < _packs; ++_q) "
          "_values{0}[_q].{1}(_at[_q]._data{0});\n",
          k, p_.how(k) == Access::shifted ? "_store_each" : "_store");
    out_.text += "}\n";
  }

  // All loads stand before the arithmetic, so that they are under way together.
  void load(int k) {
    const int from = loop_.source(k);
    std::string load = formatted("_load(_at[_q]._data{})", from);
    if (out_.is(from, Role::scalar))
      load = formatted("_fill(_p._scalar{}._value)", from);
    else if (loop_.moves(k) && !loop_.moves(from))
      load = formatted("_fill(*_at[_q]._data{})", from);
    else if (!spans(k) && p_.how(from) == Access::shifted)
      load = formatted("_load_each(_at[_q]._data{})", from);
    out_.add("#pragma unroll\n  for (int _q = 0; _q < _packs; ++_q) {}{}[_q].{};\n",
             spans(k) ? "_spans" : "_values", k, load);
  }

  void write_kernel() {
    const char* algorithm = p_.pack > 1              ? "rows"
                            : p_.form == Form::tiled ? "tiles<_tiles>"
                                                     : "elements";
    out_.add(
        "\nextern \"C\" __global__ void __launch_bounds__(256) {}_kernel"
        "(const __grid_constant__ _params _p) {{\n  gpuarr_kernel::_run_{}(_p);\n}}\n",
        loop_.pieces.name, algorithm);
  }

  bool is_tile(int k) const { return p_.how(k) == Access::transposed; }
  // The variable starts as packs of an input that may be misaligned.
  bool spans(int k) const {
    int from = loop_.source(k);
    return p_.how(from) == Access::shifted && out_.is(from, Role::input);
  }

  LoopWriter loop_;
  KernelWriter& out_;
  const LoopVariant& p_;
};

}  // namespace

std::string cuda_loop_algorithm(const LoopVariant& variant) {
  std::string out = kernel_file("layout/packs", layout_parts::packs);
  if (!variant.wide) out += kernel_file("layout/divisor", layout_parts::divisor);
  out += kernel_file("layout/index", layout_parts::index);
  if (variant.form == Form::tiled)
    return out + kernel_file("elementwise/tiles", elementwise_parts::tiles);
  if (variant.pack == 1)
    return out + kernel_file("elementwise/elements", elementwise_parts::elements);
  if (variant.margin > 0) out += kernel_file("layout/spans", layout_parts::spans);
  return out + kernel_file("layout/ragged", layout_parts::ragged) +
         kernel_file("elementwise/rows", elementwise_parts::rows);
}

std::string cuda_loop_constants(const LoopVariant& variant) {
  std::string out =
      formatted("  typedef ::_place _place;\n  typedef {} _index;\n  typedef {} _offset;\n",
                index_type(variant), offset_type(variant));
  if (variant.form == Form::tiled)
    return out + formatted(
                     "  enum {{ _axes = {}, _tile_axis = {}, _edge = "
                     "{} }};\n",
                     variant.ndim, variant.tile_axis, variant.tile);
  if (variant.pack == 1) return out + formatted("  enum {{ _axes = {} }};\n", variant.ndim);
  return out + formatted("  enum {{ _axes = {}, _pack = {}, _margin = {} }};\n", variant.ndim,
                         variant.pack, variant.margin);
}

std::string cuda_loop(const ElementwiseText& text, const LoopVariant& variant,
                      std::span<const OperandName> names) {
  return CudaLoop(text, variant, names).write();
}

}  // namespace gpuarr
