// Tiled loops: a block works on a square. Operands that lie along the other axis are read along it
// into shared memory, and from there along the inner axis, so that both sides of the device's
// memory see whole lines.
#include "codegen/elementwise/cuda_loop.hpp"

namespace gpuarr {
namespace {

constexpr int block_rows = 8;  // 256 threads are 8 warps of 32
constexpr int batch = 4;       // elements whose direct loads are under way together

}  // namespace

void CudaLoop::write_tiled() {
  open_kernel();
  declare_tiles();
  find_tile();
  fill_tiles();
  out_ += "  __syncthreads();\n";
  run_tile();
  out_ += "}\n";
}

void CudaLoop::declare_tiles() {
  for (int k = 0; k < p_.operands; ++k)
    if (p_.how(k) == Access::transposed)
      add("  __shared__ _pack<{}, 1> _t{}[{}][{}];\n", type(k), k, p_.tile, p_.tile + 1);
}

void CudaLoop::find_tile() {
  out_ += "  _index _rest = blockIdx.x;\n  _row _r;\n";
  point_to_start();
  take_index("_a", "inner_tiles");
  take_index("_b", "cross_tiles");
  int last = p_.tile_axis == 0 ? 1 : 0;
  for (int axis = p_.nest.ndim - 2; axis >= 0; --axis)
    if (axis != p_.tile_axis) step_along(axis, axis == last);
  add("  const _offset _a0 = (_offset)_a * {0}, _b0 = (_offset)_b * {0};\n"
      "  const _offset _na = (_offset){1} - _a0, _nb = (_offset){2} - _b0;\n"
      "  const int _x = threadIdx.x % 32, _y = threadIdx.x / 32;\n",
      p_.tile, extent(p_.nest.ndim - 1), extent(p_.tile_axis));
}

// Through registers: all loads of a thread are under way before the first is stored.
void CudaLoop::fill_tiles() {
  int columns = p_.tile / 32;
  int count = p_.tile / block_rows * columns;
  std::string place = formatted("const int _j = _y + _q / {0} * {1}, _i = _x + _q % {0} * 32;",
                                columns, block_rows);
  for (int k = 0; k < p_.operands; ++k)
    if (p_.how(k) == Access::transposed) {
      add("  _pack<{}, 1> _g{}[{}];\n#pragma unroll\n", type(k), k, count);
      add("  for (int _q = 0; _q < {0}; ++_q) {{ {1}\n"
          "    if (_i < _nb && _j < _na) _g{2}[_q] = *(const _pack<{3}, 1>*)(_r._p{2} + "
          "(_a0 + _j) * (_offset)_p._s{2}_{4} + _b0 + _i);\n  }}\n",
          count, place, k, type(k), p_.nest.ndim - 1);
    }
  for (int k = 0; k < p_.operands; ++k)
    if (p_.how(k) == Access::transposed)
      add("#pragma unroll\n  for (int _q = 0; _q < {0}; ++_q) {{ {1} _t{2}[_j][_i] = _g{2}[_q]; "
          "}}\n",
          count, place, k);
}

void CudaLoop::run_tile() {
  int columns = p_.tile / 32;
  int count = p_.tile / block_rows * columns;
  add("#pragma unroll 1\n  for (int _s = 0; _s < {}; _s += {}) {{\n", count, batch);
  add("    _row _e[{0}];\n    bool _in[{0}];\n#pragma unroll\n", batch);
  add("    for (int _q = 0; _q < {0}; ++_q) {{\n"
      "      const int _j = _y + (_s + _q) / {1} * {2}, _i = _x + (_s + _q) % {1} * 32;\n"
      "      _in[_q] = _i < _na && _j < _nb;\n      _e[_q] = _r;\n",
      batch, columns, block_rows);
  for (int k = 0; k < p_.operands; ++k) {
    if (p_.how(k) == Access::transposed)
      add("      _e[_q]._p{0} = _t{0}[_i][_j]._v;\n", k);
    else if (moves(k))
      add("      _e[_q]._p{0} += (_a0 + _i) * (_offset)_p._s{0}_{1} + (_b0 + _j) * "
          "(_offset)_p._s{0}_{2};\n",
          k, p_.nest.ndim - 1, p_.tile_axis);
  }
  if (p_.uses_i)
    add("      _e[_q]._i += (_a0 + _i) * {} + (_b0 + _j) * _p._i_stride{};\n", index_step(),
        p_.tile_axis);
  add("    }}\n    if ({0}) {{ _run<1, {1}>(_p, _e); continue; }}\n", all_in(), batch);
  add("#pragma unroll\n    for (int _q = 0; _q < {}; ++_q)\n"
      "      if (_in[_q]) {{ const _row _one[1] = {{_e[_q]}}; _run<1, 1>(_p, _one); }}\n  }}\n",
      batch);
}

std::string CudaLoop::all_in() const {
  std::string all = "_in[0]";
  for (int q = 1; q < batch; ++q) all += formatted(" && _in[{}]", q);
  return all;
}

}  // namespace gpuarr
