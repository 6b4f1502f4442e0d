// Long rows of a scan in CUDA C++ whose tiles stand in shared memory.
#include "codegen/layout/cuda_packs.hpp"
#include "codegen/scan/cuda_chain.hpp"
#include "codegen/scan/scan.hpp"
#include "core/text.hpp"
#include "core/words.hpp"

namespace gpuarr {
namespace {

// A warp's packs lie together, so that it waits for nobody but itself with them. An odd number of
// packs in a row to a thread: so the threads' are in different banks. What is not there is the last
// element once more: nothing that is there depends on it.
const char* const staged_load_text =
    R"(
static __device__ __forceinline__ void _copy_pack(_in_pack* _to, const _in* _from, int _k) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
               :: "r"((unsigned)__cvta_generic_to_shared(_to + _k)), "l"(_from + _k * _w)
               : "memory");
}
static __device__ __forceinline__ void _load(_in_pack* _to, const _in* _from, int _first,
                                             int _count) {
  if (_count == _tile)
#pragma unroll
    for (int _q = 0; _q < _u; ++_q) _copy_pack(_to, _from, _first + _q * 32);
  else
#pragma unroll 1
    for (int _k = _first; _k < _first + 32 * _u; _k += 32)
      if ((_k + 1) * _w <= _count)
        _copy_pack(_to, _from, _k);
      else
#pragma unroll 1
        for (int _j = _k * _w; _j < (_k + 1) * _w; ++_j)
          ((_in*)_to)[_j] = _from[_j < _count ? _j : _count - 1];
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
}
)";

const char* const staged_store_text =
    R"(
static __device__ __forceinline__ void _store(_out* _to, const _out_pack* _from, int _count) {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (_count == _tile) {
    if (threadIdx.x == 0)
      asm volatile(
          "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
          "cp.async.bulk.commit_group;\n"
          "cp.async.bulk.wait_group.read 0;"
          :: "l"(_to), "r"((unsigned)__cvta_generic_to_shared(_from)),
             "n"(_tile * sizeof(_out)) : "memory");
  } else
#pragma unroll 1
    for (int _k = threadIdx.x; _k * _w < _count; _k += 256)
      if ((_k + 1) * _w <= _count)
        *(_out_pack*)(_to + _k * _w) = _from[_k];
      else
#pragma unroll 1
        for (int _j = _k * _w; _j < _count; ++_j) _to[_j] = ((const _out*)_from)[_j];
}
)";

// Asynchronous copies want multiples of 128 bytes in shared memory: with 16 more the kernel took a
// fifth longer.
const char* const staged_sum_text =
    R"(_kernel(const __grid_constant__ _params _p) {
  alignas(128) __shared__ char _bytes[_tile * sizeof(_in)];
  alignas(16) __shared__ char _sums_bytes[8 * sizeof(_type_scan)];
  _type_scan* const _sums = (_type_scan*)_sums_bytes;
  const int _lane = threadIdx.x % 32, _warp = threadIdx.x / 32;
  const unsigned _t = blockIdx.x / (unsigned)_p._rows, _r = blockIdx.x - _t * (unsigned)_p._rows;
  const long long _begin = (long long)_t * _tile, _rest = _p._n - _begin;
  const int _count = _rest < _tile ? (int)_rest : _tile, _mine = threadIdx.x * _u;
  const _at _at_row = _row(_p, _r);
  _ahead(_p);
  _load((_in_pack*)_bytes, _at_row._p_IN + _begin, _warp * 32 * _u + _lane, _count);
  _type_scan _sum;
#pragma unroll
  for (int _q = 0; _q < _u; ++_q) {
    const _in_pack _v = ((const _in_pack*)_bytes)[_mine + _q];
    _type_scan _a = _map(_p, _v._v[0], _begin + (_mine + _q) * _w);
#pragma unroll
    for (int _k = 1; _k < _w; ++_k)
      _a = _reduce(_p, _a, _map(_p, _v._v[_k], _begin + (_mine + _q) * _w + _k));
    _sum = _q > 0 ? _reduce(_p, _sum, _a) : _a;
  }
  _type_scan _s[1] = {_sum};
  _scan_lanes<32>(_p, _s, _lane);
  if (_lane == 31) _sums[_warp] = _s[0];
  __syncthreads();
  _type_scan _all[1] = {_sums[_lane % 8]};
  _scan_lanes<8>(_p, _all, _lane % 8);
  const _type_scan _left = _up(_s[0], 1, 32), _warps = _of(_all[0], _warp > 0 ? _warp - 1 : 0, 8);
  _type_scan _b = _before_tile(_p, _r, _t, _of(_all[0], 7, 8));
  bool _any = _t > 0;
  if (_warp > 0) {
    _b = _any ? _reduce(_p, _b, _warps) : _warps;
    _any = true;
  }
  if (_lane > 0) {
    _b = _any ? _reduce(_p, _b, _left) : _left;
    _any = true;
  }
)";

// The row from a thread's first element on is summed for itself again: to add each element to all
// that lies before would lose more of it.
const char* const staged_finish_text =
    R"(#pragma unroll
  for (int _q = 0; _q < _u; ++_q) {
    const _in_pack _v = ((const _in_pack*)_bytes)[_mine + _q];
    _out_pack _y{};
#pragma unroll
    for (int _k = 0; _k < _w; ++_k) {
      const _type_scan _x = _map(_p, _v._v[_k], _begin + (_mine + _q) * _w + _k);
      RESULT
      _post(_p, _result, _y._v[_k]);
    }
    ((_out_pack*)_bytes)[_mine + _q] = _y;
  }
  _store(_at_row._p_OUT + _begin, (const _out_pack*)_bytes, _count);
}
)";

const char* const inclusive_text =
    "_sum = _q + _k > 0 ? _reduce(_p, _sum, _x) : _x;\n"
    "      const _type_scan _result = _any ? _reduce(_p, _b, _sum) : _sum;";
const char* const exclusive_text =
    "const _type_scan _result = _q + _k == 0 ? (_any ? _b : _identity(_p))\n"
    "                               : _any ? _reduce(_p, _b, _sum) : _sum;\n"
    "      _sum = _q + _k > 0 ? _reduce(_p, _sum, _x) : _x;";

}  // namespace

std::string cuda_scan_staged(const ScanText& pieces, const ScanPlan& plan,
                             std::span<const Operand> operands) {
  size_t in = 0, out = 0;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].role == Role::input) in = k;
    if (operands[k].role == Role::output) out = k;
  }
  std::string made = text(
      "enum {{ _w = {}, _u = {}, _lanes = {}, _tile = _lanes * _w * _u }};\n"
      "typedef {} _in;\ntypedef {} _out;\n",
      plan.pack, plan.packs, plan.lanes, row(operands[in].dtype).cxx, row(operands[out].dtype).cxx);
  made += cuda_pack_text;
  made += "typedef _pack<_in, _w> _in_pack;\ntypedef _pack<_out, _w> _out_pack;\n";
  made += cuda_lanes_text;
  made += cuda_chain_text;
  made += cuda_scan_ahead(operands);
  made += staged_load_text;
  made += staged_store_text;
  made += text("extern \"C\" __global__ void __launch_bounds__(256, 5) {}", pieces.name);
  std::string body = staged_sum_text;
  body += staged_finish_text;
  body = replaced(std::move(body), "_p_IN", text("_p{}", in));
  body = replaced(std::move(body), "_p_OUT", text("_p{}", out));
  body = replaced(std::move(body), "RESULT", plan.exclusive ? exclusive_text : inclusive_text);
  return made + body;
}

}  // namespace gpuarr
