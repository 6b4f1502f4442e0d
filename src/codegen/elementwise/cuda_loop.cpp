#include "codegen/elementwise/cuda_loop.hpp"

#include "codegen/elementwise/parameters.hpp"
#include "codegen/layout/cuda_packs.hpp"

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
  out_ += cuda_pack_text;
  for (int k = 0; k < p_.operands; ++k)
    if (loops(k) && spans(k)) {
      out_ += cuda_span_text;
      return;
    }
}

// Where a pack's elements are.
void CudaLoop::declare_row() {
  out_ += "struct _row {\n";
  for (int k = 0; k < p_.operands; ++k)
    if (loops(k)) add("  {}{}* _p{};\n", qualifier(k), type(k), k);
  if (p_.uses_i) out_ += "  long long _i;\n";
  out_ += "  int _count;\n};\n";
}

void CudaLoop::write_run() {
  out_ +=
      "template <int _w, int _u>\n"
      "static __device__ __forceinline__ void _run(const _params& _p, const _row (&_r)[_u]) {\n";
  out_ += bind_outside(pieces_, p_, operands_, names_);
  for (int k = 0; k < p_.operands; ++k)
    if (loops(k)) load(k);
  for (int k = 0; k < p_.operands; ++k)
    if (spans(k))
      add("  _pack<{0}, _w> _v{1}[_u];\n#pragma unroll\n"
          "  for (int _q = 0; _q < _u; ++_q) _v{1}[_q] = _s{1}[_q]._cut();\n",
          type(k), k);
  out_ += statements("loop_prep", pieces_.loop_prep);
  out_ +=
      "#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) {\n"
      "#pragma unroll\n  for (int _k = 0; _k < _w; ++_k) {\n";
  for (int k = 0; k < p_.operands; ++k)
    if (loops(k) && !name(k).hidden)
      add("    {}{}& {} = _v{}[_q]._v[{}];\n", qualifier(k), type(k), name(k).name, k,
          moves(k) ? "_k" : "0");
  out_ += body_block(pieces_, p_, "_r[_q]._i + _k * " + index_step());
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
  if (spans(k)) {
    add("  _span<{0}, _w> _s{1}[_u];\n#pragma unroll\n"
        "  for (int _q = 0; _q < _u; ++_q) _s{1}[_q]._load(_r[_q]._p{2});\n",
        type(k), k, from);
    return;
  }
  const char* width = moves(k) ? "_w" : "1";
  add("  _pack<{}, {}> _v{}[_u];\n#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) ", type(k),
      width, k);
  if (operand(from).role == Role::scalar)
    add("for (int _k = 0; _k < {}; ++_k) _v{}[_q]._v[_k] = _p._v{}._v;\n", width, k, from);
  else if (moves(k) && !moves(from))
    add("for (int _k = 0; _k < _w; ++_k) _v{}[_q]._v[_k] = *_r[_q]._p{};\n", k, from);
  else if (p_.how(from) == Access::shifted)
    add("for (int _k = 0; _k < _w; ++_k) _v{}[_q]._v[_k] = _r[_q]._p{}[_k];\n", k, from);
  else
    add("_v{}[_q] = *(const _pack<{}, {}>*)_r[_q]._p{};\n", k, type(k), width, from);
}

void CudaLoop::store(int k) {
  out_ += "#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) ";
  if (p_.how(k) == Access::shifted)
    add("for (int _k = 0; _k < _w; ++_k) _r[_q]._p{}[_k] = _v{}[_q]._v[_k];\n", k, k);
  else
    add("*(_pack<{}, {}>*)_r[_q]._p{} = _v{}[_q];\n", type(k), moves(k) ? "_w" : "1", k, k);
}

void CudaLoop::open_kernel() {
  add("extern \"C\" __global__ void __launch_bounds__(256) {}_kernel"
      "(const __grid_constant__ _params _p) {{\n",
      pieces_.name);
}

void CudaLoop::point_to_start() {
  for (int k = 0; k < p_.operands; ++k)
    if (loops(k)) add("  _r._p{} = _p._p{};\n", k, k);
  if (p_.uses_i) out_ += "  _r._i = _p._i_start;\n";
}

// Takes an index out of _rest: what is left of the division.
void CudaLoop::take_index(const char* index, const std::string& by) {
  add("  _index {} = _rest; _rest = _rest / _p._{}; {} -= _rest * {};\n", index, by, index,
      number(by));
}

// Takes the index along an axis out of _rest, and moves there.
void CudaLoop::step_along(int axis, bool last) {
  out_ += "  {";
  if (last)
    out_ += " const _index _x = _rest;\n";
  else
    take_index("_x", formatted("extent{}", axis));
  for (int k = 0; k < p_.operands; ++k)
    if (loops(k) && p_.how(k) != Access::single)
      add("    _r._p{} += (_offset)_x * (_offset)_p._s{}_{};\n", k, k, axis);
  if (p_.uses_i) add("    _r._i += (long long)_x * _p._i_stride{};\n", axis);
  out_ += "  }\n";
}

}  // namespace gpuarr
