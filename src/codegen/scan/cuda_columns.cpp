// Columns of a scan in CUDA C++: a block takes 32 neighbouring columns, each warp some elements of
// all of them.
#include "codegen/scan/scan.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

const char* const strip_text =
    R"(struct _strip {
  _at _r;
  long long _column, _first, _end, _state;
  unsigned _chunk;
  bool _active;
};
static __device__ __forceinline__ _strip _strip_of(const _params& _p) {
  const unsigned _outer = (unsigned)(_p._rows / _p._columns), _q = blockIdx.x / (unsigned)_p._cut;
  const unsigned _s = _q / _outer, _o = _q - _s * _outer;
  const long long _c = (long long)(blockIdx.x - _q * (unsigned)_p._cut) * 32 + threadIdx.x % 32;
  const long long _first = (long long)_s * _p._chunk;
  const bool _active = _c < _p._columns;
  const long long _column = _active ? _c : _p._columns - 1;
  return {_row(_p, _o), _column, _first, _p._n - _first < _p._chunk ? _p._n : _first + _p._chunk,
          _s * _p._rows + _o * _p._columns + _column, _s, _active};
}
)";

// What is not there is the last element once more: nothing that is there depends on it, and the
// total of the last chunk is nobody's.
const char* const steps_text =
    R"(template <bool _writes>
static __device__ __forceinline__ void _scan_strip(const _params& _p, const _strip& _t) {
  alignas(16) __shared__ char _bytes[2 * 256 * sizeof(_type_scan)];
  const int _warp = threadIdx.x / 32;
  _type_scan* const _states = (_type_scan*)_p._states;
  bool _any = _writes && _t._chunk > 0;
  _type_scan _carry;
  if (_any) _carry = _states[_t._state];
  int _turn = 0;
  for (long long _base = _t._first; _base < _t._end; _base += 8 * _u) {
    _type_scan* const _sums = (_type_scan*)_bytes + 256 * _turn;
    _turn = 1 - _turn;
    const long long _e = _base + _warp * _u;
    _type_scan _a[_u];
#pragma unroll
    for (int _k = 0; _k < _u; ++_k)
      _a[_k] = _get(_p, _t._r, _e + _k < _t._end ? _e + _k : _t._end - 1, _t._column);
#pragma unroll
    for (int _k = 1; _k < _u; ++_k) _a[_k] = _reduce(_p, _a[_k - 1], _a[_k]);
    _sums[threadIdx.x] = _a[_u - 1];
    __syncthreads();
    _type_scan _before = _carry;
    bool _has = _any;
#pragma unroll
    for (int _v = 0; _v < 8; ++_v) {
      if (_v == _warp) {
        _before = _carry;
        _has = _any;
      }
      const _type_scan _sum = _sums[_v * 32 + threadIdx.x % 32];
      _carry = _any ? _reduce(_p, _carry, _sum) : _sum;
      _any = true;
    }
    if (!_writes || !_t._active) continue;
#pragma unroll
    for (int _k = 0; _k < _u; ++_k)
      if (_e + _k < _t._end)
        _put(_p, _t._r, _e + _k, _t._column, _result(_p, _has, _before, _a, _k));
  }
  if (!_writes && _t._active && _warp == 0) _states[_t._state] = _carry;
}
)";

// Loads are under way together.
const char* const prefix_text =
    R"((const __grid_constant__ _params _p) {
  _type_scan* const _states = (_type_scan*)_p._states;
  const long long _r = (long long)blockIdx.x * 256 + threadIdx.x;
  if (_r >= _p._rows) return;
  _type_scan _a = _states[_r];
  for (long long _s = 1; _s < _p._chunks; _s += 16) {
    _type_scan _b[16];
#pragma unroll
    for (int _k = 0; _k < 16; ++_k)
      if (_s + _k + 1 < _p._chunks) _b[_k] = _states[(_s + _k) * _p._rows + _r];
#pragma unroll
    for (int _k = 0; _k < 16; ++_k)
      if (_s + _k < _p._chunks) {
        _states[(_s + _k) * _p._rows + _r] = _a;
        if (_s + _k + 1 < _p._chunks) _a = _reduce(_p, _a, _b[_k]);
      }
  }
}
)";

}  // namespace

std::string cuda_scan_columns(const ScanText& pieces, const ScanPlan& plan) {
  auto open = [&](ScanStage stage) {
    return text("extern \"C\" __global__ void __launch_bounds__(256) {}{}", pieces.name,
                suffix(stage));
  };
  const char* const result = plan.exclusive
                                 ? "_k > 0 ? (_has ? _reduce(_p, _b, _a[_k > 0 ? _k - 1 : 0]) : "
                                   "_a[_k > 0 ? _k - 1 : 0]) : _has ? _b : _identity(_p)"
                                 : "_has ? _reduce(_p, _b, _a[_k]) : _a[_k]";
  std::string out = text(
      "enum {{ _u = {} }};\n"
      "static __device__ __forceinline__ _type_scan _result(const _params& _p, bool _has,\n"
      "    const _type_scan& _b, const _type_scan (&_a)[_u], int _k) {{\n  return {};\n}}\n",
      plan.packs, result);
  out += strip_text;
  out += steps_text;
  if (plan.chunked) {
    out += open(ScanStage::totals) + "(const __grid_constant__ _params _p) {\n" +
           "  const _strip _t = _strip_of(_p);\n"
           "  if (_t._chunk + 1 < _p._chunks) _scan_strip<false>(_p, _t);\n}\n";
    out += open(ScanStage::prefix) + prefix_text;
  }
  return out + open(ScanStage::scan) +
         "(const __grid_constant__ _params _p) {\n  _scan_strip<true>(_p, _strip_of(_p));\n}\n";
}

}  // namespace gpuarr
