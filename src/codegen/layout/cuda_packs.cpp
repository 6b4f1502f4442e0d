#include "codegen/layout/cuda_packs.hpp"

#include "core/text.hpp"

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

// A pack that is cut out of granules must not read past the row: the last may be its array's.
std::string cuda_find_pack(const RaggedRow& row, const std::string& count) {
  std::string out = "  const _offset _head = 0;\n";
  if (row.anchor >= 0)
    out = formatted(
        "  const _offset _head = "
        "(_offset)(({0} - (unsigned long long)_r._p{1} / sizeof({2}) % {0}) % {0});\n",
        row.pack, row.anchor, row.anchor_type);
  return out + formatted(
                   "  const _offset _n = {0}, _packed = _n - _head - {2};\n"
                   "  const _offset _full = _packed < 0 ? 0 : _packed / {1};\n"
                   "  _offset _begin = _head + (_offset)_c * {1};\n  {3} = {1};\n"
                   "  if ((_offset)_c >= _full) {{\n"
                   "    _begin = (_offset)_c - _full;\n"
                   "    if (_begin >= _head) _begin += _full * {1};\n"
                   "    {3} = _begin < _n;\n  }}\n",
                   row.extent, row.pack, row.margin, count);
}

}  // namespace gpuarr
