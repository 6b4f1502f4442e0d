// The loop of an elementwise kernel as CUDA C++. One function, _run, has the user's body; it works
// on _u packs of _w elements. Kernels differ in how they find a pack's first elements.
#include <algorithm>

#include "codegen/elementwise.hpp"
#include "codegen/parameters.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

class CudaLoop {
 public:
  CudaLoop(const ElementwiseText& pieces, const Plan& plan, std::span<const Operand> operands,
           std::span<const OperandName> names)
      : pieces_(pieces), p_(plan), operands_(operands), names_(names) {}

  std::string write() {
    declare_helpers();
    declare_row();
    write_run();
    if (p_.form == Form::tiled) {
      write_tiled();
    } else {
      write_locate();
      write_kernel();
    }
    return std::move(out_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += format_text(format, fmt::make_format_args(args...));
  }
  const Operand& operand(int k) const { return operands_[static_cast<size_t>(k)]; }
  const OperandName& name(int k) const { return names_[static_cast<size_t>(k)]; }
  const char* type(int k) const { return row(operand(k).dtype).cxx; }
  const char* qualifier(int k) const { return operand(k).role == Role::input ? "const " : ""; }
  bool loops(int k) const { return in_loop(operand(k).role); }
  bool moves(int k) const {  // steps along the inner axis
    return loops(k) && p_.how(k) != Access::single && p_.how(k) != Access::repeated;
  }
  std::string inner_stride(int k) const {
    return p_.form == Form::rows ? "1" : text("_p.s{}_{}", k, p_.ndim - 1);
  }
  std::string index_step() const { return text("_p.i_stride{}", p_.ndim - 1); }

  void declare_helpers() {
    out_ += p_.wide ? "typedef unsigned long long _index;\ntypedef long long _offset;\n"
                    : "typedef unsigned _index;\ntypedef int _offset;\n";
    if (!p_.wide)
      out_ +=
          "static __device__ __forceinline__ unsigned operator/(unsigned n, const _divisor& d) {\n"
          "  return (unsigned)(((unsigned long long)n * d.multiplier) >> d.shift);\n}\n";
    out_ +=
        "template <class _T, int _w> struct alignas(sizeof(_T) * _w < 16 ? sizeof(_T) * _w : 16) "
        "_pack { _T v[_w]; };\n";
    for (int k = 0; k < p_.operands; ++k)
      if (p_.how(k) == Access::shifted && operand(k).role == Role::input) return declare_shifted();
  }

  // A pack that begins anywhere is cut out of the aligned granules that hold it.
  void declare_shifted() {
    out_ += R"(struct alignas(16) _granule { unsigned w[4]; };
static __device__ __forceinline__ void _cut(unsigned* _to, const void* _from) {
  const unsigned long long _a = (unsigned long long)_from;
  const _granule* _g = (const _granule*)(_a & ~15ull);
  const unsigned _skip = (unsigned)_a & 15u;
  const _granule _l = _g[0];
  _granule _h = _l;
  if (_skip) _h = _g[1];
  const unsigned _b = (_skip & 3u) * 8u;
  const unsigned _w[8] = {_l.w[0], _l.w[1], _l.w[2], _l.w[3], _h.w[0], _h.w[1], _h.w[2], _h.w[3]};
#define _CUT(k) _Pragma("unroll") for (int _j = 0; _j < 4; ++_j) \
  _to[_j] = __funnelshift_r(_w[_j + k], _w[_j + k + 1 < 8 ? _j + k + 1 : 7], _b)
  switch (_skip >> 2) {
    case 0: _CUT(0); break;
    case 1: _CUT(1); break;
    case 2: _CUT(2); break;
    default: _CUT(3); break;
  }
#undef _CUT
}
template <class _T, int _w>
static __device__ __forceinline__ _pack<_T, _w> _load_shifted(const _T* _from) {
  if constexpr (sizeof(_pack<_T, _w>) % 16 == 0) {
    alignas(16) unsigned _words[sizeof(_pack<_T, _w>) / 4];
#pragma unroll
    for (int _g = 0; _g < (int)sizeof(_words) / 16; ++_g)
      _cut(_words + 4 * _g, (const char*)_from + 16 * _g);
    return *(const _pack<_T, _w>*)_words;
  } else {
    _pack<_T, _w> _v;
#pragma unroll
    for (int _k = 0; _k < _w; ++_k) _v.v[_k] = _from[_k];
    return _v;
  }
}
)";
  }

  // Where a pack's elements are.
  void declare_row() {
    out_ += "struct _row {\n";
    for (int k = 0; k < p_.operands; ++k)
      if (loops(k)) add("  {}{}* p{};\n", qualifier(k), type(k), k);
    if (p_.uses_i) out_ += "  long long i;\n";
    out_ += "  int count;\n};\n";
  }

  void write_run() {
    out_ +=
        "template <int _w, int _u>\n"
        "static __device__ __forceinline__ void _run(const _params& _p, const _row (&_r)[_u]) {\n";
    out_ += bind_constants(p_, operands_, names_);
    for (int k = 0; k < p_.operands; ++k)
      if (loops(k)) load(k);
    out_ += user_piece("loop_prep", pieces_.loop_prep);
    out_ +=
        "#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) {\n"
        "#pragma unroll\n  for (int _k = 0; _k < _w; ++_k) {\n";
    for (int k = 0; k < p_.operands; ++k)
      if (loops(k) && !name(k).hidden)
        add("    {}{}& {} = _v{}[_q].v[{}];\n", qualifier(k), type(k), name(k).name, k,
            moves(k) ? "_k" : "0");
    out_ += body_block(pieces_, p_, "_r[_q].i + _k * " + index_step());
    out_ += "  }\n  }\n";
    out_ += user_piece("after_loop", pieces_.after_loop);
    for (int k = 0; k < p_.operands; ++k)
      if (operand(k).role == Role::output) store(k);
    out_ += "}\n";
  }

  // All loads stand before the arithmetic, so that they are under way together.
  void load(int k) {
    if (name(k).hidden) return;
    int from = name(k).starts_as >= 0 ? name(k).starts_as : k;
    const char* width = moves(k) ? "_w" : "1";
    add("  _pack<{}, {}> _v{}[_u];\n#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) ", type(k),
        width, k);
    if (moves(k) && !moves(from))
      add("for (int _k = 0; _k < _w; ++_k) _v{}[_q].v[_k] = *_r[_q].p{};\n", k, from);
    else if (p_.how(from) == Access::shifted && operand(from).role == Role::input)
      add("_v{}[_q] = _load_shifted<{}, _w>(_r[_q].p{});\n", k, type(k), from);
    else if (p_.how(from) == Access::shifted)
      add("for (int _k = 0; _k < _w; ++_k) _v{}[_q].v[_k] = _r[_q].p{}[_k];\n", k, from);
    else
      add("_v{}[_q] = *(const _pack<{}, {}>*)_r[_q].p{};\n", k, type(k), width, from);
  }

  void store(int k) {
    out_ += "#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) ";
    if (p_.how(k) == Access::shifted)
      add("for (int _k = 0; _k < _w; ++_k) _r[_q].p{}[_k] = _v{}[_q].v[_k];\n", k, k);
    else
      add("*(_pack<{}, {}>*)_r[_q].p{} = _v{}[_q];\n", type(k), moves(k) ? "_w" : "1", k, k);
  }

  // Finds pack _t: its first elements, and how many it has. In the strided form a pack is one
  // element and the row is the whole loop.
  void write_locate() {
    bool rows = p_.form == Form::rows;
    out_ +=
        "static __device__ __forceinline__ _row _locate(const _params& _p, _index _t) {\n"
        "  _row _r;\n  _r.count = 0;\n";
    add("  if (_t >= (_index)_p.{}) return _r;\n", rows ? "total_packs" : "n");
    if (rows) {
      out_ += p_.ndim > 1 ? "  _index _rest = _t / _p.row_packs;\n" : "";
      add("  const _index _c = {};\n",
          p_.ndim > 1 ? minus_product("_t", "_rest", "row_packs") : "_t");
    } else {
      out_ += "  _index _rest = _t;\n";
    }
    point_to_start();
    for (int axis = p_.ndim - (rows ? 2 : 1); axis >= 0; --axis) step_along(axis);
    if (rows)
      find_pack();
    else
      out_ += "  _r.count = 1;\n";
    out_ += "  return _r;\n}\n";
  }

  std::string minus_product(const char* n, const char* quotient, const std::string& by) const {
    return text("{} - {} * _p.{}{}", n, quotient, by, p_.wide ? "" : ".divisor");
  }

  void point_to_start() {
    for (int k = 0; k < p_.operands; ++k)
      if (loops(k)) add("  _r.p{} = _p.p{};\n", k, k);
    if (p_.uses_i) out_ += "  _r.i = _p.i_start;\n";
  }

  // Takes the index along an axis out of _rest, and moves there.
  void step_along(int axis) {
    if (axis > 0)
      add("  {{ const _index _q = _rest / _p.extent{}; const _index _x = {}; _rest = _q;\n", axis,
          minus_product("_rest", "_q", text("extent{}", axis)));
    else
      out_ += "  { const _index _x = _rest;\n";
    for (int k = 0; k < p_.operands; ++k)
      if (loops(k) && p_.how(k) != Access::single)
        add("    _r.p{} += (_offset)_x * (_offset)_p.s{}_{};\n", k, k, axis);
    if (p_.uses_i) add("    _r.i += (long long)_x * _p.i_stride{};\n", axis);
    out_ += "  }\n";
  }

  void find_pack() {
    add("  const _offset _n = _p.extent{}{};\n", p_.ndim - 1, p_.wide ? "" : ".divisor");
    add("  _offset _begin = (_offset)_c * {};\n", p_.pack);
    if (p_.shifts)
      add("  _begin -= (_offset)((unsigned long long)_r.p{} / sizeof({}) % {});\n", p_.anchor,
          type(p_.anchor), p_.pack);
    add("  _offset _end = _begin + {};\n", p_.pack);
    out_ += "  if (_end > _n) _end = _n;\n";
    if (p_.shifts) out_ += "  if (_begin < 0) _begin = 0;\n";
    out_ += "  _r.count = _end > _begin ? (int)(_end - _begin) : 0;\n";
    for (int k = 0; k < p_.operands; ++k)
      if (moves(k)) add("  _r.p{} += _begin;\n", k);
    if (p_.uses_i) add("  _r.i += _begin * {};\n", index_step());
  }

  void open_kernel() {
    add("extern \"C\" __global__ void __launch_bounds__(256) {}_kernel"
        "(const __grid_constant__ _params _p) {{\n",
        pieces_.name);
  }

  void write_kernel() {
    open_kernel();
    add("  const _index _t = (_index)blockIdx.x * {} + threadIdx.x;\n", 256 * p_.packs);
    add("  _row _r[{}];\n  int _full = 0;\n", p_.packs);
    add("#pragma unroll\n  for (int _q = 0; _q < {}; ++_q) {{ _r[_q] = _locate(_p, _t + _q * 256); "
        "_full += _r[_q].count == {}; }}\n",
        p_.packs, p_.pack);
    add("  if (_full == {}) return _run<{}, {}>(_p, _r);\n", p_.packs, p_.pack, p_.packs);
    if (p_.pack > 1 || p_.packs > 1) write_tail();
    out_ += "}\n";
  }

  // Packs at the ends, element by element.
  void write_tail() {
    add("#pragma unroll 1\n  for (int _q = 0; _q < {}; ++_q) {{\n", p_.packs);
    out_ += "    _row _e[1] = {_r[0]};\n";
    for (int q = 1; q < p_.packs; ++q) add("    if (_q == {}) _e[0] = _r[{}];\n", q, q);
    out_ +=
        "#pragma unroll 1\n    for (int _k = _e[0].count; _k > 0; --_k) {\n"
        "      _run<1, 1>(_p, _e);\n";
    for (int k = 0; k < p_.operands; ++k)
      if (moves(k)) add("      ++_e[0].p{};\n", k);
    if (p_.uses_i) add("      _e[0].i += {};\n", index_step());
    out_ += "    }\n  }\n";
  }

  // Transposed operands go through shared memory: read along the cross axis, used along the inner.
  void write_tiled() {
    int tile = p_.tile;
    open_kernel();
    for (int k = 0; k < p_.operands; ++k)
      if (p_.how(k) == Access::transposed)
        add("  __shared__ _pack<{}, 1> _t{}[{}][{}];\n", type(k), k, tile, tile + 1);
    out_ += "  _index _rest = blockIdx.x;\n  _row _r;\n";
    point_to_start();
    take_index("_a", "inner_tiles");
    take_index("_b", "cross_tiles");
    int last = 0;
    while (last == p_.tile_axis) ++last;
    for (int axis = p_.ndim - 2; axis >= 0; --axis)
      if (axis != p_.tile_axis) step_along_outer(axis, axis == last);
    add("  const long long _a0 = (long long)_a * {}, _b0 = (long long)_b * {};\n", tile, tile);
    add("  const long long _na = (long long)_p.extent{}{}, _nb = (long long)_p.extent{}{};\n",
        p_.ndim - 1, p_.wide ? "" : ".divisor", p_.tile_axis, p_.wide ? "" : ".divisor");
    out_ += "  const int _x = threadIdx.x % 32, _y = threadIdx.x / 32;\n";
    tile_loop("_b0 + _i < _nb && _a0 + _j < _na", [&] {
      for (int k = 0; k < p_.operands; ++k)
        if (p_.how(k) == Access::transposed)
          add("      _t{}[_j][_i].v[0] = _r.p{}[(_a0 + _j) * _p.s{}_{} + _b0 + _i];\n", k, k, k,
              p_.ndim - 1);
    });
    out_ += "  __syncthreads();\n";
    tile_loop("_a0 + _i < _na && _b0 + _j < _nb", [&] { run_tile_element(); });
    out_ += "}\n";
  }

  void take_index(const char* index, const char* by) {
    add("  _index {} = _rest; _rest = _rest / _p.{}; {} -= _rest * _p.{}{};\n", index, by, index,
        by, p_.wide ? "" : ".divisor");
  }

  void step_along_outer(int axis, bool last) {
    if (last)
      out_ += "  { const _index _x = _rest;\n";
    else
      add("  {{ const _index _q = _rest / _p.extent{}; const _index _x = {}; _rest = _q;\n", axis,
          minus_product("_rest", "_q", text("extent{}", axis)));
    for (int k = 0; k < p_.operands; ++k)
      if (loops(k) && p_.how(k) != Access::single)
        add("    _r.p{} += (long long)_x * _p.s{}_{};\n", k, k, axis);
    if (p_.uses_i) add("    _r.i += (long long)_x * _p.i_stride{};\n", axis);
    out_ += "  }\n";
  }

  template <class F>
  void tile_loop(const char* inside, F&& body) {
    add("#pragma unroll\n  for (int _j = _y; _j < {}; _j += 8)\n"
        "#pragma unroll\n  for (int _i = _x; _i < {}; _i += 32)\n    if ({}) {{\n",
        p_.tile, p_.tile, inside);
    body();
    out_ += "    }\n";
  }

  void run_tile_element() {
    out_ += "      _row _e[1] = {_r};\n";
    for (int k = 0; k < p_.operands; ++k) {
      if (p_.how(k) == Access::transposed)
        add("      _e[0].p{} = _t{}[_i][_j].v;\n", k, k);
      else if (moves(k))
        add("      _e[0].p{} += (_a0 + _i) * _p.s{}_{} + (_b0 + _j) * _p.s{}_{};\n", k, k,
            p_.ndim - 1, k, p_.tile_axis);
    }
    if (p_.uses_i)
      add("      _e[0].i += (_a0 + _i) * {} + (_b0 + _j) * _p.i_stride{};\n", index_step(),
          p_.tile_axis);
    out_ += "      _run<1, 1>(_p, _e);\n";
  }

  const ElementwiseText& pieces_;
  const Plan& p_;
  std::span<const Operand> operands_;
  std::span<const OperandName> names_;
  std::string out_;
};

}  // namespace

std::string cuda_loop(const ElementwiseText& text, const Plan& plan,
                      std::span<const Operand> operands, std::span<const OperandName> names) {
  return CudaLoop(text, plan, operands, names).write();
}

}  // namespace gpuarr
