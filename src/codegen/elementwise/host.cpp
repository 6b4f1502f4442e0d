// The loop of an elementwise kernel as C++ for the CPU: plain loops that its compiler vectorises.
#include "codegen/elementwise/elementwise.hpp"
#include "codegen/elementwise/own_arrays.hpp"
#include "codegen/elementwise/parameters.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

class HostLoop {
 public:
  HostLoop(const ElementwiseText& pieces, const Plan& plan, std::span<const Operand> operands,
           std::span<const OperandName> names)
      : pieces_(pieces), p_(plan), operands_(operands), names_(names) {}

  std::string write() {
    add("extern \"C\" void {}_kernel(const _params* _pp, long long _first, long long _last) {{\n",
        pieces_.name);
    out_ += "  const _params& _p = *_pp;\n" + bind_outside(pieces_, p_, operands_, names_);
    for (int k = 0; k < p_.operands; ++k)
      if (loops(k) && p_.how(k) == Access::single && operand(k).role == Role::input)
        add("  const {} _c{} = *_p._p{};\n", type(k), k, k);
    out_ += statements("loop_prep", pieces_.loop_prep);
    out_ += "  for (long long _block = _first; _block < _last; ++_block) {\n";
    if (p_.form == Form::tiled)
      write_tiles();
    else
      write_rows();
    out_ += "  }\n" + statements("after_loop", pieces_.after_loop) + "}\n";
    return std::move(out_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += format_text(format, fmt::make_format_args(args...));
  }
  const Operand& operand(int k) const { return operands_[static_cast<size_t>(k)]; }
  const OperandName& name(int k) const { return names_[static_cast<size_t>(k)]; }
  const char* type(int k) const { return facts_of(operand(k).dtype).cxx; }
  const char* qualifier(int k) const { return operand(k).role == Role::input ? "const " : ""; }
  bool loops(int k) const { return in_loop(operand(k).role); }
  int inner() const { return p_.nest.ndim - 1; }

  // Blocks are chunks of long rows, or several short rows.
  void write_rows() {
    out_ +=
        "    const long long _row0 = _block / _p._chunks_per_row * _p._rows_per_block;\n"
        "    const long long _row1 = _row0 + _p._rows_per_block < _p._rows ? "
        "_row0 + _p._rows_per_block : _p._rows;\n"
        "    const long long _k0 = _block % _p._chunks_per_row * _p._chunk;\n";
    add("    const long long _k1 = _k0 + _p._chunk < _p._extent{0} ? _k0 + _p._chunk : "
        "_p._extent{0};\n",
        inner());
    out_ +=
        "    for (long long _row = _row0; _row < _row1; ++_row) {\n"
        "      long long _rest = _row;\n";
    point_to_start();
    int innermost_outer = p_.nest.ndim - 2;
    for (int axis = innermost_outer; axis >= 0; --axis) step_along(axis, axis == 0);
    write_inner_loop();
    out_ += "    }\n";
  }

  // A block is a band of tiles along the inner axis; within a tile the lines of a transposed
  // operand stay in the cache.
  void write_tiles() {
    out_ += "    long long _rest = _block;\n";
    point_to_start();
    add("    const long long _j0 = _rest % _p._cross_tiles * {};\n", p_.tile);
    out_ += "    _rest /= _p._cross_tiles;\n";
    add("    const long long _j1 = _j0 + {} < _p._extent{} ? _j0 + {} : _p._extent{};\n", p_.tile,
        p_.tile_axis, p_.tile, p_.tile_axis);
    int last = p_.tile_axis == 0 ? 1 : 0;
    for (int axis = p_.nest.ndim - 2; axis >= 0; --axis)
      if (axis != p_.tile_axis) step_along(axis, axis == last);
    rename_pointers();
    add("    for (long long _k0 = 0; _k0 < _p._extent{}; _k0 += {})\n"
        "    for (long long _j = _j0; _j < _j1; ++_j) {{\n",
        inner(), p_.tile);
    add("      const long long _k1 = _k0 + {} < _p._extent{} ? _k0 + {} : _p._extent{};\n", p_.tile,
        inner(), p_.tile, inner());
    for (int k = 0; k < p_.operands; ++k)
      if (loops(k) && p_.how(k) != Access::single)
        add("      {}{}* const _q{} = _o{} + _j * _p._s{}_{};\n", qualifier(k), type(k), k, k, k,
            p_.tile_axis);
      else if (loops(k))
        add("      {}{}* const _q{} = _o{};\n", qualifier(k), type(k), k, k);
    if (p_.uses_i) add("      const long long _i = _oi + _j * _p._i_stride{};\n", p_.tile_axis);
    write_inner_loop();
    out_ += "    }\n";
  }

  void rename_pointers() {
    for (int k = 0; k < p_.operands; ++k)
      if (loops(k)) add("    {}{}* const _o{} = _q{};\n", qualifier(k), type(k), k, k);
    if (p_.uses_i) out_ += "    const long long _oi = _i;\n";
  }

  void point_to_start() {
    for (int k = 0; k < p_.operands; ++k)
      if (loops(k)) add("      {}{}* _q{} = _p._p{};\n", qualifier(k), type(k), k, k);
    if (p_.uses_i) out_ += "      long long _i = _p._i_start;\n";
  }

  void step_along(int axis, bool last) {
    if (last)
      out_ += "      { const long long _x = _rest;\n";
    else
      add("      {{ const long long _x = _rest % _p._extent{}; _rest /= _p._extent{};\n", axis,
          axis);
    for (int k = 0; k < p_.operands; ++k)
      if (loops(k) && p_.how(k) != Access::single)
        add("        _q{} += _x * _p._s{}_{};\n", k, k, axis);
    if (p_.uses_i) add("        _i += _x * _p._i_stride{};\n", axis);
    out_ += "      }\n";
  }

  std::string element(int k) const {
    if (p_.how(k) == Access::single || p_.how(k) == Access::repeated) return formatted("*_q{}", k);
    if (p_.form == Form::rows) return formatted("_q{}[_k]", k);
    return formatted("_q{}[_k * _p._s{}_{}]", k, k, inner());
  }

  void write_inner_loop() {
    for (int k = 0; k < p_.operands; ++k)
      if (loops(k) && p_.how(k) == Access::repeated)
        add("      const {} _c{} = *_q{};\n", type(k), k, k);
    // Outputs never overlap inputs but at the same place, which is what the pragma promises.
    if (!has_own_arrays(pieces_.preamble + ";" + pieces_.loop_prep + ";" + pieces_.body))
      out_ +=
          "#ifdef __clang__\n#pragma clang loop vectorize(assume_safety)\n#else\n"
          "#pragma GCC ivdep\n#endif\n";
    out_ += "      for (long long _k = _k0; _k < _k1; ++_k) {\n";
    for (int k = 0; k < p_.operands; ++k)
      if (loops(k) && !name(k).hidden) bind_element(k);
    out_ += body_block(pieces_, p_, formatted("_i + _k * _p._i_stride{}", inner()));
    for (int k = 0; k < p_.operands; ++k)
      if (operand(k).role == Role::output) add("        {} = {};\n", element(k), name(k).name);
    out_ += "      }\n";
  }

  void bind_element(int k) {
    int from = name(k).starts_as >= 0 ? name(k).starts_as : k;
    bool constant = operand(from).role == Role::input &&
                    (p_.how(from) == Access::single || p_.how(from) == Access::repeated);
    std::string value = constant ? formatted("_c{}", from) : element(from);
    if (operand(from).role == Role::scalar) value = formatted("_p._v{}._v", from);
    add("        {}{} {} = {};\n", qualifier(k), type(k), name(k).name, value);
  }

  const ElementwiseText& pieces_;
  const Plan& p_;
  std::span<const Operand> operands_;
  std::span<const OperandName> names_;
  std::string out_;
};

}  // namespace

std::string host_loop(const ElementwiseText& text, const Plan& plan,
                      std::span<const Operand> operands, std::span<const OperandName> names) {
  return HostLoop(text, plan, operands, names).write();
}

}  // namespace gpuarr
