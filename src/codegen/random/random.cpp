#include "codegen/random/random.hpp"

#include <array>

#include "codegen/random_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

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
  out += formatted("typedef {} T;\ntypedef {} R;\ntypedef {} Bits;\n", facts_of(dtype).cxx,
                   computed, random_bits_of(dtype));
  if (!r.by_steps)
    out += formatted("typedef {} V;\ntypedef {} A;\nenum {{ N = {} }};\n", r.drawn, r.argument,
                     r.per_step);
  return out + r.text;
}

int64_t random_steps_of_a_block(const Target& target, int64_t rounds) {
  return target.simt ? random_threads * target.random_steps * rounds : target.random_steps;
}

std::string random_fill_source(const Target& target, const RandomText& r, DType dtype) {
  const std::array<DType, 1> dtypes = {dtype};
  std::string out = target.prelude(needs_of(dtypes, {})) + random_preamble(r, dtype);
  out += random_parts::fill;
  out += formatted("#define FILL_KERNEL {}_kernel\nenum {{ THREADS = {}, STEPS = {} }};\n", r.name,
                   random_threads, target.random_steps);
  return out.append(target.random_fill);
}

}  // namespace gpuarr
