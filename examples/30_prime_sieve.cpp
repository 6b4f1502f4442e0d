// The sieve of Eratosthenes with a mask: all multiples of a prime are struck out by one fill of a
// view, and what is left is found by a compaction. No kernel is written.
#include <gpuarr_arrange.hpp>

#include "example.hpp"

namespace {

// The primes below n. To strike out, primes below the root of n are enough, which are found the
// same way.
std::vector<int64_t> primes_below(int64_t n) {
  const gpuarr::Array mask = gpuarr::ones(GPUARR_BOOL, {n});
  mask.slice(0, 0, 2).fill(false);  // 0 and 1
  if (n > 4)
    for (int64_t p : primes_below(static_cast<int64_t>(std::sqrt(static_cast<double>(n - 1))) + 1))
      mask.slice(0, p * p, GPUARR_NONE, p).fill(false);
  return gpuarr::flatnonzero(mask).to_vector<int64_t>();
}

}  // namespace

int main() try {
  constexpr int n = 1000000;
  const std::vector<int64_t> primes = primes_below(n);

  std::size_t found = 0;
  std::vector<bool> struck(n);
  for (std::size_t p = 2; p < n; ++p) {
    if (struck[p]) continue;
    for (std::size_t k = p * p; k < n; k += p) struck[k] = true;
    if (found < primes.size())
      expect(static_cast<double>(primes[found]), static_cast<double>(p), 0, "prime", found);
    ++found;
  }
  expect(static_cast<double>(primes.size()), static_cast<double>(found), 0, "how many there are",
         0);
  std::printf("ok: %zu primes below %d, the last one %d, on %s\n", primes.size(), n,
              static_cast<int>(primes.back()), gpuarr::Device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
