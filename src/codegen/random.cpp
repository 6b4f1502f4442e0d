#include "codegen/random.hpp"

#include <array>

#include "codegen/prelude_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

constexpr const char* parameters_text = R"(struct _params {
  philox_place at;
  A arguments[3];
  long long count, packed;
  T* out;
};
)";

constexpr const char* cuda_text = R"(
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) _pack { T v[N]; };
extern "C" __global__ void __launch_bounds__(THREADS)
    NAME_kernel(const __grid_constant__ _params p) {
  const consts q = prepare(p.arguments[0], p.arguments[1], p.arguments[2]);
  const long long first = (long long)blockIdx.x * (THREADS * STEPS) + threadIdx.x;
#pragma unroll
  for (int k = 0; k < STEPS; ++k) {
    const long long step = first + k * THREADS, at = step * N;
    if (at >= p.count) return;
    const philox_words w = philox_step(p.at, step);
    V v[N];
    if (draw(v, w, q)) settle(v, p.at, step, w, q);
    if (p.packed && at + N <= p.count) {
      _pack pack;
      for (int j = 0; j < N; ++j) pack.v[j] = (T)v[j];
      *(_pack*)(p.out + at) = pack;
    } else {
      for (int j = 0; j < N; ++j)
        if (at + j < p.count) p.out[at + j] = (T)v[j];
    }
  }
}
)";

// The low half of the counter is the loop's own, so that all of a vector is 32 bits wide.
constexpr const char* host_text = R"(
static inline void fill(const _params& p, const consts& q, long long first, int steps) {
  const unsigned long long counter = p.at.position + (unsigned long long)first;
  const unsigned low = (unsigned)counter, high = (unsigned)(counter >> 32);
  T* const out = p.out + first * N;
  bool again = false;
  for (int k = 0; k < steps; ++k) {
    const unsigned own = low + (unsigned)k;
    V v[N];
    again |= draw(v, philox_bits(p.at, own, high + (own < low), 0), q);
    for (int j = 0; j < N; ++j) out[k * N + j] = (T)v[j];
  }
  for (int k = 0; again && k < steps; ++k) {
    const philox_words w = philox_step(p.at, first + k);
    V v[N];
    if (!draw(v, w, q)) continue;
    settle(v, p.at, first + k, w, q);
    for (int j = 0; j < N; ++j) out[k * N + j] = (T)v[j];
  }
}
extern "C" void NAME_kernel(const _params* _p, long long block, long long end) {
  const _params p = *_p;
  const consts q = prepare(p.arguments[0], p.arguments[1], p.arguments[2]);
  const long long whole = p.count / N;
  for (; block < end; ++block) {
    const long long first = block * STEPS, rest = whole - first;
    for (int k = 0; k < STEPS && k < rest; k += 256)
      fill(p, q, first + k, rest - k < 256 ? (int)(rest - k) : 256);
    if (rest >= STEPS || whole * N == p.count) continue;
    const philox_words w = philox_step(p.at, whole);
    V v[N];
    if (draw(v, w, q)) settle(v, p.at, whole, w, q);
    for (long long j = 0; whole * N + j < p.count; ++j) p.out[whole * N + j] = (T)v[j];
  }
}
)";

// The bits of a float, for its neighbour.
const char* bits_of(DType dtype) {
  return size_of(dtype) == 2 ? "uint16_t" : size_of(dtype) == 4 ? "uint32_t" : "uint64_t";
}

std::string replaced(std::string text, const char* word, const std::string& by) {
  const std::string_view what = word;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace

std::string random_preamble(const RandomText& r, DType dtype) {
  const char* computed = dtype == DType::f64 ? "double" : "float";
  std::string out;
  out += prelude_parts::philox;
  out += prelude_parts::random_real;
  if (r.by_steps) out += prelude_parts::random_counts;
  out += text("typedef {} T;\ntypedef {} R;\ntypedef {} Bits;\n", row(dtype).cxx, computed,
              bits_of(dtype));
  if (!r.by_steps)
    out +=
        text("typedef {} V;\ntypedef {} A;\nenum {{ N = {} }};\n", r.drawn, r.argument, r.per_step);
  return out + r.text;
}

std::string random_fill_source(Target target, const RandomText& r, DType dtype) {
  const bool host = target == Target::host;
  const std::array<DType, 1> dtypes = {dtype};
  std::string body = host ? host_text : cuda_text;
  body = replaced(std::move(body), "NAME", r.name);
  body = replaced(std::move(body), "THREADS", std::to_string(random_threads));
  body = replaced(std::move(body), "STEPS",
                  std::to_string(host ? random_steps_of_a_block : random_steps));
  return prelude_text(target, needs_of(dtypes, {})) + random_preamble(r, dtype) + parameters_text +
         body;
}

const char* random_option(Target target) {
  return target == Target::host ? "-ffp-contract=off" : "--fmad=false";
}

}  // namespace gpuarr
