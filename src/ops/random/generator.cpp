#include "ops/random/generator.hpp"

#include <sys/random.h>

#include <cerrno>

#include "core/error.hpp"

namespace gpuarr {

Generator::Generator(Device& device, uint64_t seed, uint64_t stream)
    : device_(device), seed_(seed), stream_(stream) {
  constexpr uint64_t streams = uint64_t{1} << 48;
  if (stream >= streams)
    fail(GPUARR_ERR_ARGUMENT, "stream is {}; give a number below 2^48 = {}", stream, streams);
}

uint64_t Generator::take(uint64_t steps) {
  uint64_t before = position();
  do {
    if (steps > UINT64_MAX - before)
      fail(GPUARR_ERR_ARGUMENT,
           "the generator is at position {} and has no {} steps left before 2^64; set its position "
           "back, or use another stream",
           before, steps);
  } while (!position_.compare_exchange_weak(before, before + steps, std::memory_order_relaxed));
  return before;
}

uint64_t system_seed() {
  uint64_t seed = 0;
  ssize_t got = 0;
  do got = getrandom(&seed, sizeof seed, 0);
  while (got < 0 && errno == EINTR);
  if (got != sizeof seed) fail(GPUARR_ERR_IO, "getrandom() failed: {}", errno_text(errno));
  return seed;
}

}  // namespace gpuarr
