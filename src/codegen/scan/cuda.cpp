// Rows of a scan in CUDA C++.
#include "codegen/layout/cuda_packs.hpp"
#include "codegen/scan/cuda_chain.hpp"
#include "codegen/scan/scan.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

const char* const scan_few_lanes_text =
    R"(  _type_scan _carry;
#pragma unroll
  for (int _q = 0; _q < _u; ++_q) {
    const _type_scan _b = _carry, _all = _of(_s[_q], _lanes - 1, _lanes);
    _carry = _q > 0 ? _reduce(_p, _carry, _all) : _all;
    _finish(_p, _at_row, _begin + (_q * _lanes + _lane) * _w, _end, _full, _lane == 0, _q > 0, _b,
            _a[_q]);
  }
}
)";

// The sums of all warps, pack by pack, are one row: a lane has one of them, or two.
const char* const scan_block_text =
    R"(  enum { _sums_count = _u * 8, _each = _sums_count > 32 ? 2 : 1 };
  alignas(16) __shared__ char _bytes[_sums_count * sizeof(_type_scan)];
  _type_scan* const _sums = (_type_scan*)_bytes;
  const int _warp = threadIdx.x / 32, _in_warp = threadIdx.x % 32;
#pragma unroll
  for (int _q = 0; _q < _u; ++_q)
    if (_in_warp == 31) _sums[_q * 8 + _warp] = _s[_q];
  __syncthreads();
  const int _mine = _in_warp * _each < _sums_count ? _in_warp * _each : _sums_count - 1;
  _type_scan _all[1] = {_sums[_mine]};
  if (_each == 2) _all[0] = _reduce(_p, _all[0], _sums[_mine + 1]);
  _scan_lanes<32>(_p, _all, _in_warp);
  const _type_scan _total = _of(_all[0], _sums_count / _each - 1, 32);
)";

const char* const scan_finish_text =
    R"(#pragma unroll
  for (int _q = 0; _q < _u; ++_q) {
    const int _k = _q * 8 + _warp, _pair = _k / _each;
    _type_scan _b = _of(_all[0], _pair > 0 ? _pair - 1 : 0, 32);
    bool _any = _pair > 0;
    if (_k % _each == 1) {
      _b = _any ? _reduce(_p, _b, _sums[_k - 1]) : _sums[_k - 1];
      _any = true;
    }
    if (_chained) {
      _b = _any ? _reduce(_p, _before, _b) : _before;
      _any = true;
    }
    _finish(_p, _at_row, _begin + (_q * _lanes + _lane) * _w, _end, _full, _in_warp == 0, _any,
            _b, _a[_q]);
  }
}
)";

class CudaScan {
 public:
  CudaScan(const ScanText& pieces, const ScanPlan& plan, std::span<const Operand> operands)
      : pieces_(pieces), p_(plan), operands_(operands) {}

  std::string write() {
    add("enum {{ _w = {}, _u = {}, _lanes = {}, _tile = _lanes * _w * _u }};\n", p_.pack, p_.packs,
        p_.lanes);
    out_ += cuda_pack_text;
    out_ += cuda_lanes_text;
    if (p_.chunked) out_ += cuda_chain_text;
    if (asks_ahead()) out_ += cuda_scan_ahead(operands_);
    write_finish();
    write_begin();
    write_loads();
    write_scan();
    if (p_.lanes <= 32) {
      out_ += scan_few_lanes_text;
    } else {
      out_ += scan_block_text;
      out_ += p_.chunked ? "  const _type_scan _before = _before_tile(_p, _r, _t, _total);\n"
                           "  const bool _chained = _t > 0;\n"
                         : "  const bool _chained = false;\n  const _type_scan _before = _total;\n";
      out_ += scan_finish_text;
    }
    return std::move(out_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += format_text(format, fmt::make_format_args(args...));
  }
  const char* type(size_t k) const { return row(operands_[k].dtype).cxx; }
  bool is(size_t k, Role role) const { return operands_[k].role == role; }
  bool asks_ahead() const { return p_.chunked && p_.pack > 1; }
  std::string place(size_t k, const std::string& e) const {
    return p_.unit[k] ? e : text("({}) * _p._s{}_{}", e, k, p_.scanned());
  }

  // Elements from _e on, as far as they are before _end.
  void write_finish() {
    add("static __device__ __forceinline__ void _finish(const _params& _p, const _at& _r,\n"
        "    long long _e, long long _end, bool _full, bool _first, bool _any,\n"
        "    const _type_scan& _b, const _type_scan (&_a)[_w]) {{\n  _type_scan _v[_w];\n");
    out_ +=
        "#pragma unroll\n  for (int _k = 0; _k < _w; ++_k)\n"
        "    _v[_k] = _any ? _reduce(_p, _b, _a[_k]) : _a[_k];\n";
    if (p_.exclusive) out_ += "  if (_first) _v[0] = _any ? _b : _identity(_p);\n";
    out_ += p_.chunked ? "  if (_full) {\n" : "  if (_e + _w <= _end) {\n";
    std::string results;
    std::string stores;
    for (size_t k = 0; k < operands_.size(); ++k) {
      if (!is(k, Role::output)) continue;
      add("    _pack<{}, _w> _y{};\n", type(k), k);
      results += text(", _y{}._v[_k]", k);
      stores += p_.pack > 1 ? text("    *(_pack<{0}, _w>*)(_r._p{1} + _e) = _y{1};\n", type(k), k)
                            : text("    _r._p{}[{}] = _y{}._v[0];\n", k, place(k, "_e"), k);
    }
    add("#pragma unroll\n    for (int _k = 0; _k < _w; ++_k) _post(_p, _v[_k]{});\n{}  }}", results,
        stores);
    if (p_.pack > 1 || p_.chunked)
      out_ +=
          " else {\n#pragma unroll\n    for (int _k = 0; _k < _w; ++_k)\n"
          "      if (_e + _k < _end) _put(_p, _r, _e + _k, 0, _v[_k]);\n  }";
    out_ += "\n}\n";
  }

  // Neighbouring rows' tiles are neighbours: so rows that lie in the same lines of the cache share
  // them. A tile waits for those with lower numbers, which are run before it.
  void write_begin() {
    add("extern \"C\" __global__ void __launch_bounds__(256) {}_kernel"
        "(const __grid_constant__ _params _p) {{\n"
        "  const int _lane = threadIdx.x % _lanes;\n",
        pieces_.name);
    if (p_.chunked)
      out_ +=
          "  const unsigned _t = blockIdx.x / (unsigned)_p._rows;\n"
          "  const unsigned _r = blockIdx.x - _t * (unsigned)_p._rows;\n"
          "  const long long _begin = (long long)_t * _tile, _end = _p._n;\n"
          "  const bool _full = _begin + _tile <= _end;\n";
    else
      out_ +=
          "  const _index _k0 = (_index)blockIdx.x * (256 / _lanes) + threadIdx.x / _lanes;\n"
          "  const bool _active = _k0 < (_index)_p._rows;\n"
          "  const _index _r = _active ? _k0 : 0;\n"
          "  const long long _begin = 0, _end = _active ? _p._n : 0;\n"
          "  const bool _full = false;\n";
    out_ += "  const _at _at_row = _row(_p, _r);\n";
    if (asks_ahead()) out_ += "  _ahead(_p);\n";
  }

  // What is not there is the last element once more: nothing that is there depends on it.
  void write_loads() {
    std::string packs;
    std::string singles;
    std::string elements;
    for (size_t k = 0; k < operands_.size(); ++k) {
      if (!is(k, Role::input)) continue;
      add("  _pack<{}, _w> _v{}[_u];\n", type(k), k);
      packs += p_.pack > 1
                   ? text("      _v{1}[_q] = *(const _pack<{0}, _w>*)(_at_row._p{1} + _e);\n",
                          type(k), k)
                   : text("      _v{0}[_q]._v[0] = _at_row._p{0}[{1}];\n", k, place(k, "_e"));
      singles += text("        _v{0}[_q]._v[_k] = _at_row._p{0}[{1}];\n", k, place(k, "_x"));
      elements += text(", _v{}[_q]._v[_k]", k);
    }
    const std::string open =
        "#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) {\n"
        "    const long long _e = _begin + (_q * _lanes + _lane) * _w;\n";
    const std::string last =
        "#pragma unroll\n      for (int _k = 0; _k < _w; ++_k) {\n"
        "        const long long _x = _e + _k < _p._n ? _e + _k : _p._n - 1;\n" +
        singles + "      }\n  }\n";
    // One question for all of a tile costs fewer registers, one for each pack serves rows of any
    // length.
    if (p_.chunked)
      out_ += "  if (_full) {\n" + open + packs + "  }\n  } else {\n" + open + last + "  }\n";
    else if (p_.pack > 1)
      out_ += open + "    if (_e + _w <= _p._n) {\n" + packs + "    } else\n" + last;
    else
      out_ += open + last;
    out_ +=
        "  _type_scan _a[_u][_w];\n#pragma unroll\n  for (int _q = 0; _q < _u; ++_q)\n"
        "#pragma unroll\n    for (int _k = 0; _k < _w; ++_k)\n      _a[_q][_k] = _map(_p" +
        elements + ", _begin + (_q * _lanes + _lane) * _w + _k);\n";
  }

  // Elements then have in them what lies before them in the warp, so that nothing else need be kept
  // while the block waits: what it holds meanwhile is what keeps memory busy.
  void write_scan() {
    out_ +=
        "  _type_scan _s[_u];\n#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) {\n"
        "#pragma unroll\n    for (int _k = 1; _k < _w; ++_k)\n"
        "      _a[_q][_k] = _reduce(_p, _a[_q][_k - 1], _a[_q][_k]);\n"
        "    _s[_q] = _a[_q][_w - 1];\n  }\n"
        "  _scan_lanes<_of_warp>(_p, _s, _lane % 32);\n#pragma unroll\n"
        "  for (int _q = 0; _q < _u; ++_q) {\n"
        "    const _type_scan _left = _up(_s[_q], 1, _of_warp);\n";
    if (p_.exclusive)
      out_ +=
          "#pragma unroll\n    for (int _k = _w - 1; _k > 0; --_k) _a[_q][_k] = _a[_q][_k - 1];\n"
          "    _a[_q][0] = _left;\n#pragma unroll\n    for (int _k = 1; _k < _w; ++_k)\n";
    else
      out_ += "#pragma unroll\n    for (int _k = 0; _k < _w; ++_k)\n";
    out_ += "      if (_lane % _of_warp > 0) _a[_q][_k] = _reduce(_p, _left, _a[_q][_k]);\n  }\n";
  }

  const ScanText& pieces_;
  const ScanPlan& p_;
  std::span<const Operand> operands_;
  std::string out_;
};

}  // namespace

std::string cuda_scan_ahead(std::span<const Operand> operands) {
  std::string out = cuda_ahead_text;
  out +=
      "static __device__ __forceinline__ void _ahead(const _params& _p) {\n"
      "  const unsigned _k = blockIdx.x + (unsigned)_p._ahead, _t = _k / (unsigned)_p._rows;\n"
      "  if ((long long)(_t + 1) * _tile > _p._n) return;\n"
      "  const _at _later = _row(_p, _k - _t * (unsigned)_p._rows);\n";
  for (size_t k = 0; k < operands.size(); ++k)
    if (operands[k].role == Role::input)
      out += text("  _fetch_ahead(_later._p{} + (long long)_t * _tile);\n", k);
  return out + "}\n";
}

std::string cuda_scan(const ScanText& text, const ScanPlan& plan,
                      std::span<const Operand> operands) {
  return CudaScan(text, plan, operands).write();
}

}  // namespace gpuarr
