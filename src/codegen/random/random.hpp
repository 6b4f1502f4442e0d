// The source of kernels that fill arrays with random numbers (see README.md).
#pragma once

#include <cstdint>
#include <string>

#include "codegen/layout/target.hpp"

namespace gpuarr {

/// How a distribution makes its numbers.
struct RandomText {
  std::string name;       // of the kernel
  std::string text;       // consts, prepare(), draw(), settle(), or nothing
  std::string drawn;      // the type that draw() makes: V
  std::string argument;   // the type of prepare()'s arguments
  int per_step = 1;       // numbers that Philox's 128 bits are enough for: 1, 2, 4
  bool by_steps = false;  // each number has a step of its own: the text has functions alone
};

/// The parameters of a fill.
struct RandomParameters {
  uint64_t seed, stream, position;
  uint32_t keys[2][10];   // of Philox's rounds
  uint64_t arguments[3];  // as they lie in memory
  int64_t count;
  int64_t packed;  // whether `out` is aligned to packs
  int64_t rounds;  // of a block of threads
  void* out;
};

void set_keys(RandomParameters& parameters);  // from the seed

constexpr int random_threads = 256;  // of a block, where blocks have threads

/// How many steps a block does. Where it has threads, in so many rounds.
int64_t random_steps_of_a_block(const Target& target, int64_t rounds);

/// What stands before the text of an elementwise kernel: Philox, its functions, T and the text.
std::string random_preamble(const RandomText& text, DType dtype);

/// A kernel that fills elements that lie one after the other.
std::string random_fill_source(const Target& target, const RandomText& text, DType dtype);

}  // namespace gpuarr
