/* The sieve of Eratosthenes with a mask: all multiples of a prime are struck out by one fill of a
 * view, and what is left is found by a compaction. No kernel is written. */
#include "example.h"

enum { N = 1000000 };

/* The primes below n, as an array. To strike out, primes below the root of n are enough, which are
 * found the same way. */
static gpuarr_array* primes_below(gpuarr_device* device, int64_t n) {
  gpuarr_array *mask, *view, *primes = NULL;
  check(gpuarr_array_ones(&mask, device, GPUARR_BOOL, 1, &n, GPUARR_ORDER_C, NULL));
  check(gpuarr_array_slice(&view, mask, 0, 0, 2, 1)); /* 0 and 1 */
  check(gpuarr_array_fill(view, gpuarr_arg_bool(0), NULL));
  gpuarr_array_release(view);

  if (n > 4) {
    int64_t divisors[1000]; /* the root of N, at most */
    gpuarr_array* small = primes_below(device, (int64_t)sqrt((double)(n - 1)) + 1);
    const int64_t count = gpuarr_array_size(small);
    check(gpuarr_array_read(divisors, sizeof divisors, NULL, small, NULL));
    gpuarr_array_release(small);
    for (int64_t k = 0; k < count; ++k) {
      const int64_t p = divisors[k];
      check(gpuarr_array_slice(&view, mask, 0, p * p, GPUARR_NONE, p));
      check(gpuarr_array_fill(view, gpuarr_arg_bool(0), NULL));
      gpuarr_array_release(view);
    }
  }
  check(gpuarr_flatnonzero(&primes, mask, NULL));
  gpuarr_array_release(mask);
  return primes;
}

int main(void) {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, NULL));
  gpuarr_array* array = primes_below(device, N);
  const int64_t count = gpuarr_array_size(array);
  int64_t* primes = malloc((size_t)count * sizeof *primes);
  check(gpuarr_array_read(primes, count * sizeof *primes, NULL, array, NULL));
  gpuarr_array_release(array);

  int64_t found = 0;
  static char struck[N];
  for (int64_t p = 2; p < N; ++p) {
    if (struck[p]) continue;
    for (int64_t k = p * p; k < N; k += p) struck[k] = 1;
    if (found < count) expect((double)primes[found], (double)p, 0, "prime", (int)found);
    ++found;
  }
  expect((double)count, (double)found, 0, "how many there are", 0);

  printf("ok: %d primes below %d, the last one %d, on %s\n", (int)count, N, (int)primes[count - 1],
         gpuarr_device_name(device));
  free(primes);
  return 0;
}
