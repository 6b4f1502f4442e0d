#include "codegen/random/random.hpp"

#include <array>

#include "codegen/prelude/words.hpp"
#include "codegen/random_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

constexpr const char* random_parameters_text = R"(struct _params {
  philox_place at;
  philox_keys keys;
  A arguments[3];
  long long count, packed, rounds;
  T* out;
};
// A step by itself, of which the last one may be used in part.
static inline void single(const _params& p, const consts& q, long long step) {
  const philox_words w = philox_step(p.at, step);
  V v[N];
  if (draw(v, w, q)) settle(v, p.at, step, w, q);
  for (int k = 0; k < N; ++k)
    if (step * N + k < p.count) p.out[step * N + k] = (T)v[k];
}
)";

// A block's whole rounds, before the array's end and a change of the counter's high half, have
// nothing to ask for each number, and the constant half spares them two products of twenty.
constexpr const char* random_cuda_text = R"(
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) _pack { T v[N]; };
static inline void by_steps(const _params& p, const consts& q, long long first) {
#pragma unroll 1
  for (int k = 0; k < STEPS; ++k) {
    const long long step = first + (threadIdx.x + k * THREADS);
    if (step * N < p.count) single(p, q, step);
  }
}
extern "C" __global__ void __launch_bounds__(THREADS, 1)
    NAME_kernel(const __grid_constant__ _params p) {
  const consts q = prepare(p.arguments[0], p.arguments[1], p.arguments[2]);
  const long long first = (long long)blockIdx.x * p.rounds * (THREADS * STEPS);
  const unsigned long long counter = p.at.position + first;
  const unsigned low = (unsigned)counter, high = (unsigned)(counter >> 32);
  const long long left = p.packed ? (p.count / N - first) / (THREADS * STEPS) : 0;
  const int whole = (int)min(min(left, p.rounds), (0xffffffffll - low) / (THREADS * STEPS));
  unsigned own = low + threadIdx.x;
  _pack* out = (_pack*)p.out + first + threadIdx.x;
  int round = 0;
#pragma unroll 1
  for (; round < whole; ++round) {
    bool again = false;
#pragma unroll
    for (int k = 0; k < STEPS; ++k) {
      V v[N];
      again |= draw(v, philox_bits(p.at, p.keys, own + k * THREADS, high, 0), q);
      _pack pack;
      for (int j = 0; j < N; ++j) pack.v[j] = (T)v[j];
      out[k * THREADS] = pack;
    }
    if (again) by_steps(p, q, first + round * (long long)(THREADS * STEPS));
    own += THREADS * STEPS;
    out += THREADS * STEPS;
  }
  for (; round < p.rounds; ++round) by_steps(p, q, first + round * (long long)(THREADS * STEPS));
}
)";

// The low half of the counter is the loop's own, so that all of a vector is 32 bits wide.
constexpr const char* random_host_text = R"(
static inline void fill(const _params& p, const consts& q, long long first, int steps) {
  const unsigned long long counter = p.at.position + (unsigned long long)first;
  const unsigned low = (unsigned)counter, high = (unsigned)(counter >> 32);
  T* const out = p.out + first * N;
  bool again = low > 0xffffffffu - 256;
  for (int k = 0; k < steps; ++k) {
    V v[N];
    again |= draw(v, philox_bits(p.at, p.keys, low + (unsigned)k, high, 0), q);
    for (int j = 0; j < N; ++j) out[k * N + j] = (T)v[j];
  }
  for (int k = 0; again && k < steps; ++k) single(p, q, first + k);
}
extern "C" void NAME_kernel(const _params* _p, long long block, long long end) {
  const _params p = *_p;
  const consts q = prepare(p.arguments[0], p.arguments[1], p.arguments[2]);
  const long long whole = p.count / N;
  for (; block < end; ++block) {
    const long long first = block * STEPS, rest = whole - first;
    for (int k = 0; k < STEPS && k < rest; k += 256)
      fill(p, q, first + k, rest - k < 256 ? (int)(rest - k) : 256);
    if (rest < STEPS && whole * N < p.count) single(p, q, whole);
  }
}
)";

// The bits of a float, for its neighbour.
const char* random_bits_of(DType dtype) {
  return size_of(dtype) == 2 ? "uint16_t" : size_of(dtype) == 4 ? "uint32_t" : "uint64_t";
}

}  // namespace

void set_keys(RandomParameters& parameters) {
  const uint32_t seed[] = {static_cast<uint32_t>(parameters.seed),
                           static_cast<uint32_t>(parameters.seed >> 32)};
  for (uint32_t round = 0; round < 10; ++round) {
    parameters.keys[0][round] = seed[0] + round * 0x9e3779b9U;
    parameters.keys[1][round] = seed[1] + round * 0xbb67ae85U;
  }
}

std::string random_preamble(const RandomText& r, DType dtype) {
  const char* computed = dtype == DType::f64 ? "double" : "float";
  std::string out;
  out += random_parts::philox;
  out += random_parts::real;
  if (r.by_steps) out += random_parts::counts;
  out += text("typedef {} T;\ntypedef {} R;\ntypedef {} Bits;\n", row(dtype).cxx, computed,
              random_bits_of(dtype));
  if (!r.by_steps)
    out +=
        text("typedef {} V;\ntypedef {} A;\nenum {{ N = {} }};\n", r.drawn, r.argument, r.per_step);
  return out + r.text;
}

std::string random_fill_source(Target target, const RandomText& r, DType dtype) {
  const bool host = target == Target::host;
  const std::array<DType, 1> dtypes = {dtype};
  std::string body = host ? random_host_text : random_cuda_text;
  body = replaced(std::move(body), "NAME", r.name);
  body = replaced(std::move(body), "THREADS", std::to_string(random_threads));
  body = replaced(std::move(body), "STEPS",
                  std::to_string(host ? random_steps_of_a_block : random_steps));
  return prelude_text(target, needs_of(dtypes, {})) + random_preamble(r, dtype) +
         random_parameters_text + body;
}

const char* random_option(Target target) {
  return target == Target::host ? "-ffp-contract=off" : "--fmad=false";
}

}  // namespace gpuarr
