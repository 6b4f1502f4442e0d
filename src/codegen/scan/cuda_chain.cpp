#include "codegen/scan/cuda_chain.hpp"

#include <algorithm>

namespace gpuarr {

const char* const cuda_lanes_text =
    R"(enum { _words = (sizeof(_type_scan) + 3) / 4, _of_warp = _lanes < 32 ? _lanes : 32 };
template <class _F>
static __device__ __forceinline__ _type_scan _move(const _type_scan& _a, _F _shuffle) {
  unsigned _word[_words] = {};
  memcpy(_word, &_a, sizeof(_type_scan));
#pragma unroll
  for (int _k = 0; _k < _words; ++_k) _word[_k] = _shuffle(_word[_k]);
  _type_scan _b;
  memcpy((void*)&_b, _word, sizeof(_type_scan));
  return _b;
}
static __device__ __forceinline__ _type_scan _up(const _type_scan& _a, int _by, int _size) {
  return _move(_a, [&](unsigned _x) { return __shfl_up_sync(~0u, _x, _by, _size); });
}
static __device__ __forceinline__ _type_scan _of(const _type_scan& _a, int _lane, int _size) {
  return _move(_a, [&](unsigned _x) { return __shfl_sync(~0u, _x, _lane, _size); });
}
template <int _size, int _c>
static __device__ __forceinline__ void _scan_lanes(const _params& _p, _type_scan (&_a)[_c],
                                                   int _lane) {
#pragma unroll
  for (int _d = 1; _d < _size; _d *= 2)
#pragma unroll
    for (int _q = 0; _q < _c; ++_q) {
      const _type_scan _b = _up(_a[_q], _d, _size);
      if (_lane >= _d) _a[_q] = _reduce(_p, _b, _a[_q]);
    }
}
)";

// A word of 64 bits is half flag and half value, so that each tells by itself whether it is there,
// and no fence is needed. The memory is 0 before.
//
// What lies before a tile is always put together of the same pieces, whichever come first: tiles of
// its group of 32, groups of its thousand, and all thousands before.
const char* const cuda_chain_text =
    R"(static __device__ __forceinline__ void _publish(unsigned long long* _to,
                                                const _type_scan& _a) {
  unsigned _word[_words] = {};
  memcpy(_word, &_a, sizeof(_type_scan));
#pragma unroll
  for (int _k = 0; _k < _words; ++_k)
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;"
                 :: "l"(_to + _k), "l"(1ull << 32 | _word[_k]) : "memory");
}
static __device__ __forceinline__ _type_scan _await(const unsigned long long* _from, bool _wanted,
                                                    const _type_scan& _else) {
  unsigned long long _word[_words];
  for (;;) {
    bool _there = true;
    if (_wanted)
#pragma unroll
      for (int _k = 0; _k < _words; ++_k) {
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                     : "=l"(_word[_k]) : "l"(_from + _k) : "memory");
        _there &= _word[_k] >> 32 != 0;
      }
    if (__all_sync(~0u, _there)) break;
    __nanosleep(40);
  }
  if (!_wanted) return _else;
  unsigned _low[_words];
#pragma unroll
  for (int _k = 0; _k < _words; ++_k) _low[_k] = (unsigned)_word[_k];
  _type_scan _a;
  memcpy((void*)&_a, _low, sizeof(_type_scan));
  return _a;
}
static __device__ __forceinline__ _type_scan _fold_before(const _params& _p,
    const unsigned long long* _from, int _count, const _type_scan& _else) {
  const int _lane = threadIdx.x % 32;
  _type_scan _a[1] = {_await(_from + _lane * _words, _lane < _count, _else)};
  _scan_lanes<32>(_p, _a, _lane);
  return _of(_a[0], _count - 1, 32);
}
static __device__ __forceinline__ _type_scan _before_tile(const _params& _p, unsigned _r,
                                                          unsigned _t, const _type_scan& _total) {
  alignas(16) __shared__ char _bytes[3 * sizeof(_type_scan)];
  _type_scan* const _part = (_type_scan*)_bytes;
  const unsigned _tiles = (unsigned)_p._chunks, _i = _t % 32, _g = _t / 32 % 32, _s = _t / 1024;
  unsigned long long* const _tile = (unsigned long long*)_p._states + _r * _p._per_row;
  unsigned long long* const _group = _tile + (long long)_tiles * _words;
  unsigned long long* const _thousand = _group + (long long)((_tiles + 31) / 32) * _words;
  const unsigned _warp = threadIdx.x / 32;
  const bool _first = threadIdx.x % 32 == 0;
  if (_warp == 0) {
    if (_i < 31 && _first) _publish(_tile + (long long)_t * _words, _total);
    if (_i > 0) {
      const _type_scan _a = _fold_before(_p, _tile + (long long)(_t - _i) * _words, _i, _total);
      if (_i == 31 && _first)
        _publish(_group + (long long)(_t / 32) * _words, _reduce(_p, _a, _total));
      if (_first) _part[0] = _a;
    }
  } else if (_warp == 1 && _g > 0) {
    const _type_scan _a = _fold_before(_p, _group + (long long)(_s * 32) * _words, _g, _total);
    if (_first) _part[1] = _a;
  } else if (_warp == 2 && _s > 0) {
    const _type_scan _a = _await(_thousand + (long long)(_s - 1) * _words, true, _total);
    if (_first) _part[2] = _a;
  }
  __syncthreads();
  _type_scan _a = _total;
  bool _any = _s > 0;
  if (_s > 0) _a = _part[2];
  if (_g > 0) {
    _a = _any ? _reduce(_p, _a, _part[1]) : _part[1];
    _any = true;
  }
  if (_i > 0) _a = _any ? _reduce(_p, _a, _part[0]) : _part[0];
  if (_t % 1024 == 1023 && threadIdx.x == 0)
    _publish(_thousand + (long long)_s * _words, _reduce(_p, _a, _total));
  return _a;
}
)";

const char* const cuda_ahead_text =
    R"(template <class _T>
static __device__ __forceinline__ void _fetch_ahead(const _T* _from) {
#pragma unroll
  for (int _k = threadIdx.x * 128; _k < _tile * (int)sizeof(_T); _k += 256 * 128)
    asm volatile("prefetch.global.L2 [%0];" :: "l"((const char*)_from + _k));
}
)";

int64_t tiles_ahead(int64_t tile_bytes, int processors, int64_t cache_bytes) {
  return std::min<int64_t>(2 * processors, cache_bytes / 10 / tile_bytes);
}

}  // namespace gpuarr
