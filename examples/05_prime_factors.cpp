// A body with a loop: the sum of the prime factors of every number from 2 to a million.
#include "example.hpp"

namespace {

constexpr int first = 2, last = 1000000, count = last - first + 1;

// A function for the body to use goes into the preamble.
const char* const preamble = R"(
  __device__ int sum_of_prime_factors(int number) {
    int sum = 0;
    for (int divisor = 2; divisor * divisor <= number; ++divisor)
      for (; number % divisor == 0; number /= divisor) sum += divisor;
    return number > 1 ? sum + number : sum;
  })";

// The same with a sieve: smallest[m] is the smallest prime factor of m.
void check_with_sieve(const std::vector<int>& sums) {
  std::vector<int> smallest(last + 1);
  for (int p = first; p <= last; ++p)
    if (smallest[p] == 0)
      for (int m = p; m <= last; m += p)
        if (smallest[m] == 0) smallest[m] = p;
  for (int number = first; number <= last; ++number) {
    int sum = 0;
    for (int rest = number; rest > 1; rest /= smallest[rest]) sum += smallest[rest];
    expect(sums[number - first], sum, 0, "sum", number - first);
  }
}

}  // namespace

int main() try {
  gpuarr::Options options;
  options.set(gpuarr_kernel_options_set_name, "prime_factors")
      .set(gpuarr_kernel_options_set_preamble, preamble);
  const gpuarr::Elementwise kernel("", "int32 sum", "sum = sum_of_prime_factors((int)i + 2);",
                                   options);

  // No array says how many elements there are, so the call does; i is the element's index. What is
  // empty among the outputs is made by the call.
  gpuarr::Array array;
  kernel.run({array}, {}, {}, count);

  const auto sums = array.to_vector<int>();
  check_with_sieve(sums);
  std::printf("ok: sums of prime factors of 2 ... 1000000 on %s: %d %d %d ... %d %d %d\n",
              array.device().name().c_str(), sums[0], sums[1], sums[2], sums[count - 3],
              sums[count - 2], sums[count - 1]);
} catch (const std::exception& exception) {
  return failed(exception);
}
