#include "codegen/cuda_packs.hpp"

namespace gpuarr {

const char* const cuda_pack_text =
    "template <class _T, int _w> struct alignas(sizeof(_T) * _w < 16 ? sizeof(_T) * _w : 16) "
    "_pack { _T _v[_w]; };\n";

const char* const cuda_span_text =
    R"(template <class _T, int _w, bool _whole = sizeof(_pack<_T, _w>) % 16 == 0>
struct _span {
  enum { _granules = sizeof(_pack<_T, _w>) / 16, _words = 4 * _granules };
  struct alignas(16) _granule { unsigned _four[4]; };
  unsigned _word[_words + 4];
  unsigned _skip;
  __device__ __forceinline__ void _load(const _T* _from) {
    const unsigned long long _a = (unsigned long long)_from;
    const _granule* _g = (const _granule*)(_a & ~15ull);
    _skip = (unsigned)_a & 15u;
#pragma unroll
    for (int _k = 0; _k <= _granules; ++_k)
      if (_k < _granules || _skip) {
        const _granule _read = _g[_k];
#pragma unroll
        for (int _j = 0; _j < 4; ++_j) _word[4 * _k + _j] = _read._four[_j];
      }
  }
  template <int _first>
  __device__ __forceinline__ void _shift(unsigned* _to) const {
#pragma unroll
    for (int _j = 0; _j < _words; ++_j)
      _to[_j] = __funnelshift_r(_word[_j + _first], _word[_j + _first + 1], _skip % 4 * 8);
  }
  __device__ __forceinline__ _pack<_T, _w> _cut() const {
    alignas(16) unsigned _to[_words];
    switch (_skip / 4) {
      case 0: _shift<0>(_to); break;
      case 1: _shift<1>(_to); break;
      case 2: _shift<2>(_to); break;
      default: _shift<3>(_to); break;
    }
    return *(const _pack<_T, _w>*)_to;
  }
};
template <class _T, int _w>
struct _span<_T, _w, false> {
  _pack<_T, _w> _v;
  __device__ __forceinline__ void _load(const _T* _from) {
#pragma unroll
    for (int _k = 0; _k < _w; ++_k) _v._v[_k] = _from[_k];
  }
  __device__ __forceinline__ _pack<_T, _w> _cut() const { return _v; }
};
)";

}  // namespace gpuarr
