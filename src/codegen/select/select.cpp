#include "codegen/select/select.hpp"

#include <algorithm>

#include "codegen/layout/cuda_packs.hpp"
#include "codegen/prelude/words.hpp"
#include "codegen/scan/cuda_chain.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

constexpr const char* select_types_text =
    R"(typedef unsigned long long _u64;
struct alignas(16) _u128 { _u64 _low, _high; };
struct _params {
  const _type_mask* _mask;
  const _type* _from;
  _type* _to;
  long long _n, _room;
  long long* _count;
  long long _chunks, _per_row;
  void* _states;
  long long _ahead;
};
)";

// Counts of elements are less than 2^13 in a tile.
constexpr const char* cuda_select_text =
    R"(typedef _u64 _type_scan;
static __device__ __forceinline__ _u64 _reduce(const _params&, _u64 _a, _u64 _b) {
  return _a + _b;
}
)";

constexpr const char* cuda_kernel_text =
    R"(extern "C" __global__ void __launch_bounds__(256) select_kernel(
    const __grid_constant__ _params _p) {
  alignas(16) __shared__ _staged _stage[_stages ? _tile : 1];
  __shared__ unsigned _sums[_u * 8];
  const unsigned _t = blockIdx.x, _lane = threadIdx.x, _warp = _lane / 32, _in_warp = _lane % 32;
  const long long _begin = (long long)_t * _tile, _here = _p._n - _begin;
  const long long _later = _begin + _p._ahead * _tile;
  if (_later + _tile <= _p._n) {
    _fetch_ahead(_p._mask + _later);
    if (_gathers) _fetch_ahead(_p._from + _later);
  }
  _pack<_type_mask, _w> _m[_u];
  _pack<_type, _w> _v[_u];
  if (_here >= _tile) {
#pragma unroll
    for (int _q = 0; _q < _u; ++_q)
      _m[_q] = *(const _pack<_type_mask, _w>*)(_p._mask + _begin + (_q * 256 + _lane) * _w);
    if (_gathers)
#pragma unroll
      for (int _q = 0; _q < _u; ++_q)
        _v[_q] = *(const _pack<_type, _w>*)(_p._from + _begin + (_q * 256 + _lane) * _w);
  } else {
#pragma unroll
    for (int _q = 0; _q < _u; ++_q)
#pragma unroll
      for (int _k = 0; _k < _w; ++_k) {
        const int _e = (_q * 256 + _lane) * _w + _k;
        if (_e < _here) {
          _m[_q]._v[_k] = _p._mask[_begin + _e];
          if (_gathers) _v[_q]._v[_k] = _p._from[_begin + _e];
        } else {
          _m[_q]._v[_k] = _type_mask();
        }
      }
  }
  unsigned _chosen[_u], _s[_u];
#pragma unroll
  for (int _q = 0; _q < _u; ++_q) {
    _chosen[_q] = 0;
#pragma unroll
    for (int _k = 0; _k < _w; ++_k)
      _chosen[_q] |= (_counts(_m[_q]._v[_k]) ? 1u : 0u) << _k;
    _s[_q] = __popc(_chosen[_q]);
  }
#pragma unroll
  for (int _d = 1; _d < 32; _d *= 2)
#pragma unroll
    for (int _q = 0; _q < _u; ++_q) {
      const unsigned _b = __shfl_up_sync(~0u, _s[_q], _d);
      if (_in_warp >= _d) _s[_q] += _b;
    }
#pragma unroll
  for (int _q = 0; _q < _u; ++_q)
    if (_in_warp == 31) _sums[_q * 8 + _warp] = _s[_q];
  __syncthreads();
  unsigned _all = _sums[_in_warp];
#pragma unroll
  for (int _d = 1; _d < 32; _d *= 2) {
    const unsigned _b = __shfl_up_sync(~0u, _all, _d);
    if (_in_warp >= _d) _all += _b;
  }
  const unsigned _total = __shfl_sync(~0u, _all, 31);
  unsigned _rank[_u];
#pragma unroll
  for (int _q = 0; _q < _u; ++_q) {
    const int _k = _q * 8 + _warp;
    const unsigned _b = __shfl_sync(~0u, _all, _k > 0 ? _k - 1 : 0);
    _rank[_q] = (_k > 0 ? _b : 0u) + _s[_q] - __popc(_chosen[_q]);
  }
)";

constexpr const char* cuda_before_text =
    R"(  const _u64 _sum = _before_tile(_p, 0, _t, _total), _before = _t > 0 ? _sum : 0;
  if (_t + 1 == _p._chunks && _lane == 0 && _p._count) *_p._count = (long long)(_before + _total);
)";

constexpr const char* cuda_stage_text =
    R"(#pragma unroll
  for (int _q = 0; _q < _u; ++_q) {
    unsigned _to = _rank[_q];
#pragma unroll
    for (int _k = 0; _k < _w; ++_k)
      if (_chosen[_q] >> _k & 1) _stage[_to++] = _STAGED;
  }
)";

// The barrier in _before_tile stands between.
constexpr const char* cuda_write_text =
    R"(  for (unsigned _k = _lane; _k < _total; _k += 256)
    if ((long long)(_before + _k) < _p._room) _p._to[_before + _k] = _written(_begin, _stage[_k]);
}
)";

constexpr const char* cuda_spread_text =
    R"(#pragma unroll
  for (int _q = 0; _q < _u; ++_q) {
    _u64 _k0 = _before + _rank[_q];
#pragma unroll
    for (int _k = 0; _k < _w; ++_k)
      if (_chosen[_q] >> _k & 1) {
        const _u64 _from = _k0 < (_u64)_p._room ? _k0 : _k0 % (_u64)_p._room;
        _p._to[_begin + (_q * 256 + _lane) * _w + _k] = _p._from[_from];
        ++_k0;
      }
  }
}
)";

constexpr const char* host_select_text =
    R"(extern "C" void select_totals(const _params* _pp, long long _first, long long _last) {
  const _params& _p = *_pp;
  for (long long _t = _first; _t < _last; ++_t) {
    const long long _begin = _t * 65536, _left = _p._n - _begin;
    const int _m = _left < 65536 ? (int)_left : 65536;
    unsigned _count = 0;
    for (int _k = 0; _k < _m; ++_k) _count += _counts(_p._mask[_begin + _k]);
    ((long long*)_p._states)[_t] = _count;
  }
}
extern "C" void select_prefix(const _params* _pp, long long, long long) {
  const _params& _p = *_pp;
  long long* const _states = (long long*)_p._states;
  long long _sum = 0;
  for (long long _t = 0; _t < _p._chunks; ++_t) {
    const long long _count = _states[_t];
    _states[_t] = _sum;
    _sum += _count;
  }
  if (_p._count) *_p._count = _sum;
}
extern "C" void select_kernel(const _params* _pp, long long _first, long long _last) {
  const _params& _p = *_pp;
  for (long long _t = _first; _t < _last; ++_t) {
    const long long _begin = _t * 65536, _left = _p._n - _begin;
    const int _m = _left < 65536 ? (int)_left : 65536;
    long long _rank = ((const long long*)_p._states)[_t];
)";

// Without a branch, which a mask's pattern would make cost; into memory aside, since one more than
// is chosen is written.
constexpr const char* host_chosen_text =
    R"(    for (int _k = 0; _k < _m;) {
      _type _aside[257];
      int _to = 0;
      const int _end = _m - _k < 256 ? _m : _k + 256;
      for (; _k < _end; ++_k) {
        _aside[_to] = _ITEM;
        _to += _counts(_p._mask[_begin + _k]);
      }
      const long long _fits = _p._room - _rank < _to ? _p._room - _rank : _to;
      if (_fits > 0) __builtin_memcpy(_p._to + _rank, _aside, _fits * sizeof(_type));
      _rank += _to;
    }
  }
}
)";

constexpr const char* host_spread_text =
    R"(    _rank %= _p._room;
    for (int _k = 0; _k < _m; ++_k)
      if (_counts(_p._mask[_begin + _k])) {
        _p._to[_begin + _k] = _p._from[_rank];
        if (++_rank == _p._room) _rank = 0;
      }
  }
}
)";

const char* bytes_type(int bytes) {
  switch (bytes) {
    case 1:
      return "unsigned char";
    case 2:
      return "unsigned short";
    case 4:
      return "unsigned";
    case 8:
      return "_u64";
    default:
      return "_u128";
  }
}

// Not 0: of floats all bits but the sign's count, of each part of a complex number.
std::string counts_text(DType mask) {
  const DTypeKind kind = row(mask).kind;
  const bool has_sign = kind == DTypeKind::real || kind == DTypeKind::complex;
  const int part = size_of(mask) / (kind == DTypeKind::complex ? 2 : 1);
  std::string bits = "~0ull";
  if (has_sign) bits = part == 2 ? "0x7fffull" : part == 4 ? "0x7fffffff7fffffffull" : "~0ull >> 1";
  return size_of(mask) == 16 ? text("((_x._low | _x._high) & ({})) != 0", bits)
                             : text("((_u64)_x & ({})) != 0", bits);
}

std::string cuda_select(const SelectPlan& p) {
  const bool gathers = p.selection == Selection::gather;
  const bool stages = p.selection != Selection::spread;
  std::string out = text(
      "enum {{ _w = {}, _u = {}, _lanes = 256, _tile = _lanes * _w * _u, _gathers = {:d}, "
      "_stages = {:d} }};\ntypedef {} _staged;\n",
      p.pack, SelectPlan::packs, gathers, stages,
      p.selection == Selection::indices ? "unsigned short" : "_type");
  out += cuda_pack_text;
  out += cuda_select_text;
  out += cuda_lanes_text;
  out += cuda_chain_text;
  out += cuda_ahead_text;
  if (stages)
    out += text(
        "static __device__ __forceinline__ _type _written(long long _begin, const _staged& _x) {{\n"
        "  return {};\n}}\n",
        gathers ? "_x" : "(_type)(_begin + _x)");
  out += cuda_kernel_text;
  if (stages)
    out += replaced(cuda_stage_text, "_STAGED",
                    gathers ? "_v[_q]._v[_k]" : "(_staged)((_q * 256 + _lane) * _w + _k)");
  out += cuda_before_text;
  return out + (stages ? cuda_write_text : cuda_spread_text);
}

}  // namespace

// Of large elements two loads of 16 bytes, which keeps more under way than one.
int widest_pack(Selection selection, DType mask, int bytes) {
  if (selection == Selection::gather) return std::min(32 / bytes, bytes < 4 ? 8 : 4);
  return std::min(16 / size_of(mask), 8);
}

std::string select_source(const SelectPlan& p) {
  const bool host = p.target == Target::host;
  std::string out = "typedef unsigned long long _u64;\nstruct _u128;\n";
  out += text("typedef {} _type_mask;\ntypedef {} _type;\n", bytes_type(size_of(p.mask)),
              p.selection == Selection::indices ? "long long" : bytes_type(p.bytes));
  out += select_types_text;
  out += text("static {} bool _counts(const _type_mask& _x) {{\n  return {};\n}}\n",
              host ? "inline" : "__device__ __forceinline__", counts_text(p.mask));
  if (!host) return out + cuda_select(p);
  out += host_select_text;
  if (p.selection == Selection::spread) return out + host_spread_text;
  return out + replaced(host_chosen_text, "_ITEM",
                        p.selection == Selection::gather ? "_p._from[_begin + _k]" : "_begin + _k");
}

}  // namespace gpuarr
