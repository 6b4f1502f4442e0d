#include "codegen/cuda_loop.hpp"

#include "codegen/parameters.hpp"

namespace gpuarr {

std::string cuda_loop(const ElementwiseText& text, const Plan& plan,
                      std::span<const Operand> operands, std::span<const OperandName> names) {
  return CudaLoop(text, plan, operands, names).write();
}

std::string CudaLoop::write() {
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

void CudaLoop::declare_helpers() {
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

// A pack that begins anywhere is cut out of the aligned granules of 16 bytes that hold it. Each
// granule that is read has an element of the pack in it, so no page is touched that is not the
// array's.
void CudaLoop::declare_shifted() {
  out_ += R"(struct alignas(16) _granule { unsigned w[4]; };
template <int _skip>
static __device__ __forceinline__ void _cut(unsigned* _to, const unsigned (&_w)[8], unsigned _b) {
#pragma unroll
  for (int _j = 0; _j < 4; ++_j)
    _to[_j] = __funnelshift_r(_w[_j + _skip], _w[_j + _skip + 1 < 8 ? _j + _skip + 1 : 7], _b);
}
static __device__ __forceinline__ void _load_granule(unsigned* _to, const void* _from) {
  const unsigned long long _a = (unsigned long long)_from;
  const _granule* _g = (const _granule*)(_a & ~15ull);
  const unsigned _skip = (unsigned)_a & 15u;
  const _granule _l = _g[0];
  _granule _h = _l;
  if (_skip) _h = _g[1];
  const unsigned _w[8] = {_l.w[0], _l.w[1], _l.w[2], _l.w[3], _h.w[0], _h.w[1], _h.w[2], _h.w[3]};
  const unsigned _b = (_skip & 3u) * 8u;
  switch (_skip >> 2) {
    case 0: _cut<0>(_to, _w, _b); break;
    case 1: _cut<1>(_to, _w, _b); break;
    case 2: _cut<2>(_to, _w, _b); break;
    default: _cut<3>(_to, _w, _b); break;
  }
}
template <class _T, int _w>
static __device__ __forceinline__ _pack<_T, _w> _load_shifted(const _T* _from) {
  if constexpr (sizeof(_pack<_T, _w>) % 16 == 0) {
    alignas(16) unsigned _words[sizeof(_pack<_T, _w>) / 4];
#pragma unroll
    for (int _g = 0; _g < (int)sizeof(_words) / 16; ++_g)
      _load_granule(_words + 4 * _g, (const char*)_from + 16 * _g);
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
void CudaLoop::declare_row() {
  out_ += "struct _row {\n";
  for (int k = 0; k < p_.operands; ++k)
    if (loops(k)) add("  {}{}* p{};\n", qualifier(k), type(k), k);
  if (p_.uses_i) out_ += "  long long i;\n";
  out_ += "  int count;\n};\n";
}

void CudaLoop::write_run() {
  out_ +=
      "template <int _w, int _u>\n"
      "static __device__ __forceinline__ void _run(const _params& _p, const _row (&_r)[_u]) {\n";
  out_ += bind_constants(p_, operands_, names_);
  for (int k = 0; k < p_.operands; ++k)
    if (loops(k)) load(k);
  out_ += statements("loop_prep", pieces_.loop_prep);
  out_ +=
      "#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) {\n"
      "#pragma unroll\n  for (int _k = 0; _k < _w; ++_k) {\n";
  for (int k = 0; k < p_.operands; ++k)
    if (loops(k) && !name(k).hidden)
      add("    {}{}& {} = _v{}[_q].v[{}];\n", qualifier(k), type(k), name(k).name, k,
          moves(k) ? "_k" : "0");
  out_ += body_block(pieces_, p_, "_r[_q].i + _k * " + index_step());
  out_ += "  }\n  }\n";
  out_ += statements("after_loop", pieces_.after_loop);
  for (int k = 0; k < p_.operands; ++k)
    if (operand(k).role == Role::output) store(k);
  out_ += "}\n";
}

// All loads stand before the arithmetic, so that they are under way together.
void CudaLoop::load(int k) {
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

void CudaLoop::store(int k) {
  out_ += "#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) ";
  if (p_.how(k) == Access::shifted)
    add("for (int _k = 0; _k < _w; ++_k) _r[_q].p{}[_k] = _v{}[_q].v[_k];\n", k, k);
  else
    add("*(_pack<{}, {}>*)_r[_q].p{} = _v{}[_q];\n", type(k), moves(k) ? "_w" : "1", k, k);
}

void CudaLoop::open_kernel() {
  add("extern \"C\" __global__ void __launch_bounds__(256) {}_kernel"
      "(const __grid_constant__ _params _p) {{\n",
      pieces_.name);
}

void CudaLoop::point_to_start() {
  for (int k = 0; k < p_.operands; ++k)
    if (loops(k)) add("  _r.p{} = _p.p{};\n", k, k);
  if (p_.uses_i) out_ += "  _r.i = _p.i_start;\n";
}

// Takes an index out of _rest: what is left of the division.
void CudaLoop::take_index(const char* index, const std::string& by) {
  add("  _index {} = _rest; _rest = _rest / _p.{}; {} -= _rest * {};\n", index, by, index,
      number(by));
}

// Takes the index along an axis out of _rest, and moves there.
void CudaLoop::step_along(int axis, bool last) {
  out_ += "  {";
  if (last)
    out_ += " const _index _x = _rest;\n";
  else
    take_index("_x", text("extent{}", axis));
  for (int k = 0; k < p_.operands; ++k)
    if (loops(k) && p_.how(k) != Access::single)
      add("    _r.p{} += (_offset)_x * (_offset)_p.s{}_{};\n", k, k, axis);
  if (p_.uses_i) add("    _r.i += (long long)_x * _p.i_stride{};\n", axis);
  out_ += "  }\n";
}

}  // namespace gpuarr
