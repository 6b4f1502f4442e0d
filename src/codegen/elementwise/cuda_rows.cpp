// Rows and strided loops: a thread finds its packs from their numbers. A row has its whole packs
// first, then its single elements, those before the first aligned pack and those after the last;
// each is a number of its own, so that no thread walks an edge alone while others wait. In the
// strided form a pack is one element and the row is the whole loop.
#include "codegen/elementwise/cuda_loop.hpp"
#include "codegen/layout/cuda_packs.hpp"

namespace gpuarr {

void CudaLoop::write_locate() {
  bool rows = p_.form == Form::rows;
  out_ +=
      "static __device__ __forceinline__ _row _locate(const _params& _p, _index _t) {\n"
      "  _row _r;\n  _r._count = 0;\n";
  add("  if (_t >= (_index)_p._{}) return _r;\n  _index _rest = _t;\n", rows ? "total_packs" : "n");
  if (rows && p_.nest.ndim > 1) take_index("_c", "row_packs");
  if (rows && p_.nest.ndim == 1) out_ += "  const _index _c = _t;\n";
  point_to_start();
  for (int axis = p_.nest.ndim - (rows ? 2 : 1); axis >= 0; --axis) step_along(axis, axis == 0);
  if (rows)
    find_pack();
  else
    out_ += "  _r._count = 1;\n";
  out_ += "  return _r;\n}\n";
}

void CudaLoop::find_pack() {
  if (p_.pack == 1) {
    out_ += "  const _offset _begin = _c;\n  _r._count = 1;\n";
  } else {
    out_ += cuda_find_pack({p_.pack, p_.shifts ? p_.anchor : -1, p_.margin,
                            p_.shifts ? type(p_.anchor) : "", extent(p_.nest.ndim - 1)},
                           "_r._count");
  }
  for (int k = 0; k < p_.operands; ++k)
    if (moves(k)) add("  _r._p{} += _begin;\n", k);
  if (p_.uses_i) add("  _r._i += _begin * {};\n", index_step());
}

void CudaLoop::write_kernel() {
  open_kernel();
  out_ += "  const _row _r[1] = {_locate(_p, (_index)blockIdx.x * 256 + threadIdx.x)};\n";
  add("  if (_r[0]._count == {0}) return _run<{0}, 1>(_p, _r);\n", p_.pack);
  if (p_.pack > 1) out_ += "  if (_r[0]._count == 1) _run<1, 1>(_p, _r);\n";
  out_ += "}\n";
}

}  // namespace gpuarr
