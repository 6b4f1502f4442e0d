#include "codegen/reduction/cuda.hpp"

#include "codegen/layout/cuda_packs.hpp"
#include "codegen/reduction/functions.hpp"

namespace gpuarr {
namespace {

// A lane's neighbour is the next group of elements, so that joining keeps their order: results of
// lanes 0 to 2d-1 are those of 0 to d-1 and of d to 2d-1. The first _active lanes have something,
// or if there are _gaps those whose _any says so. _u of them are joined side by side.
const char* const join_text =
    R"(static __device__ __forceinline__ _type_reduce _down(const _type_reduce& _a, int _by) {
  unsigned _word[(sizeof(_type_reduce) + 3) / 4] = {};
  memcpy(_word, &_a, sizeof(_type_reduce));
#pragma unroll
  for (int _k = 0; _k < (sizeof(_type_reduce) + 3) / 4; ++_k)
    _word[_k] = __shfl_down_sync(~0u, _word[_k], _by);
  _type_reduce _b;
  memcpy((void*)&_b, _word, sizeof(_type_reduce));
  return _b;
}
template <int _size, int _u>
static __device__ __forceinline__ void _join_lanes(const _params& _p, _type_reduce (&_a)[_u],
                                                   int _lane, int _active, bool (&_any)[_u]) {
  unsigned _has[_u];
  if (_gaps)
#pragma unroll
    for (int _q = 0; _q < _u; ++_q) _has[_q] = __ballot_sync(~0u, _any[_q]);
#pragma unroll 1
  for (int _d = 1; _d < _size; _d *= 2)
#pragma unroll
    for (int _q = 0; _q < _u; ++_q) {
      const _type_reduce _b = _down(_a[_q], _d);
      if (!_gaps) {
        if (_lane + _d < _active) _a[_q] = _reduce(_p, _a[_q], _b);
        continue;
      }
      const unsigned _of_warp = threadIdx.x % 32;
      if (_has[_q] >> _of_warp >> _d & 1) {
        _a[_q] = _any[_q] ? _reduce(_p, _a[_q], _b) : _b;
        _any[_q] = true;
      }
      _has[_q] |= _has[_q] >> _d;
    }
}
)";

// Whether this is the last block of its group to come here; it sees what the others wrote before.
// The counter is then 0 again.
const char* const last_block_text =
    R"(static __device__ __forceinline__ bool _last_block(const _params& _p, unsigned _group) {
  __shared__ bool _last;
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned _others = (unsigned)_p._splits - 1;
    unsigned _before;
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
                 : "=r"(_before) : "l"(_p._counters + _group), "r"(_others) : "memory");
    _last = _before == _others;
  }
  __syncthreads();
  return _last;
}
)";

// Packs of 16 bytes that nobody reads again leave the first cache to others.
const char* const stream_text =
    R"(template <class _P>
static __device__ __forceinline__ _P _load(const _P* _from) {
  if constexpr (sizeof(_P) != 16) {
    return *_from;
  } else {
    unsigned _word[4];
    asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
        : "=r"(_word[0]), "=r"(_word[1]), "=r"(_word[2]), "=r"(_word[3]) : "l"(_from));
    _P _pack;
    memcpy((void*)&_pack, _word, 16);
    return _pack;
  }
}
)";

// Partial results of neighbouring pieces, in order.
const char* const gather_text =
    R"(  const long long _i = _number(_p, _o);
  _type_reduce _a = _partial(_p, 0, _i);
  for (long long _s = 1; _s < _p._sets; ++_s)
    _a = _reduce(_p, _a, _partial(_p, _s, _i));
  _finish(_p, _o, _a);
}
)";

}  // namespace

std::string cuda_reduction(const ReductionText& text, const ReductionPlan& plan,
                           std::span<const Operand> operands) {
  return CudaReduction(text, plan, operands).write();
}

std::string CudaReduction::write() {
  if (p_.stage != Stage::whole && p_.stage != Stage::partial) {
    write_gather();
  } else {
    declare_constants();
    out_ += join_text;
    if (is_rows())
      write_rows();
    else
      write_columns();
  }
  return std::move(out_);
}

void CudaReduction::declare_constants() {
  add("typedef {} _index;\nenum {{ _width = {}, _unroll = {}, _lanes = {}, _gaps = {:d} }};\n",
      p_.wide ? "long long" : "unsigned", p_.pack, p_.packs, p_.lanes, p_.shifts);
  out_ += cuda_pack_text;
  if (p_.shifts) out_ += cuda_span_text;
  if (!is_rows() || p_.lanes == 256) out_ += last_block_text;
  if (streams()) out_ += stream_text;
}

// All loads stand before the arithmetic, so that they are under way together.
std::string CudaReduction::loads() const {
  std::string out;
  auto each = [&](int k, const char* format) {
    out += "#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) ";
    out += text(fmt::runtime(format), type(k), k);
  };
  for (int k = 0; k < p_.operands; ++k) {
    if (!is(k, Role::input)) continue;
    bool cut = p_.how(k) == Access::shifted;
    out += text("  {}<{}, {}> _{}{}[_u];\n", cut ? "_span" : "_pack", type(k),
                moves(k) ? "_w" : "1", cut ? "s" : "v", k);
    each(k, cut        ? "_s{1}[_q]._load(_r[_q]._p{1});\n"
            : moves(k) ? (streams() ? "_v{1}[_q] = _load((const _pack<{0}, _w>*)_r[_q]._p{1});\n"
                                    : "_v{1}[_q] = *(const _pack<{0}, _w>*)_r[_q]._p{1};\n")
                       : "_v{1}[_q]._v[0] = *_r[_q]._p{1};\n");
  }
  for (int k = 0; k < p_.operands; ++k) {
    if (!is(k, Role::input) || p_.how(k) != Access::shifted) continue;
    out += text("  _pack<{0}, _w> _v{1}[_u];\n", type(k), k);
    each(k, "_v{1}[_q] = _s{1}[_q]._cut();\n");
  }
  return out;
}

// What element _k of pack _q counts as.
std::string CudaReduction::map(const std::string& k) const {
  std::string out = "_map(_p";
  for (int o = 0; o < p_.operands; ++o)
    if (is(o, Role::input)) out += text(", _v{}[_q]._v[{}]", o, moves(o) ? k : "0");
  for (auto [letter, used] : element_numbers(p_)) {
    out += text(", _r[_q]._{}", letter);
    if (used) out += text(" + {} * _p._{}_stride{}", k, letter, inner());
  }
  return out + ")";
}

void CudaReduction::open_kernel() {
  add("extern \"C\" __global__ void __launch_bounds__(256) {}_kernel"
      "(const __grid_constant__ _params _p) {{\n",
      pieces_.name);
}

// Stages that have partial results or none: one thread for each result.
void CudaReduction::write_gather() {
  open_kernel();
  out_ +=
      "  const _result _o = (_result)blockIdx.x * 256 + threadIdx.x;\n"
      "  if (_o >= _p._results) return;\n";
  out_ += p_.stage == Stage::empty ? "  _finish(_p, _o, _identity(_p));\n}\n" : gather_text;
}

}  // namespace gpuarr
