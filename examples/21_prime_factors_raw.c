/* 05_prime_factors.c as a raw kernel: the sum of the prime factors of every number from 2 to a
 * million. */
#include "example.h"

enum { FIRST = 2, LAST = 1000000, COUNT = LAST - FIRST + 1 };

static const char* const source =
    "__device__ int sum_of_prime_factors(int number) {\n"
    "  int sum = 0;\n"
    "  for (int divisor = 2; divisor * divisor <= number; ++divisor)\n"
    "    for (; number % divisor == 0; number /= divisor) sum += divisor;\n"
    "  return number > 1 ? sum + number : sum;\n"
    "}\n"
    "\n"
    "__global__ void prime_factors(int* sums, int first, int count) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < count) sums[i] = sum_of_prime_factors(first + i);\n"
    "}\n";

/* The same with a sieve: smallest[m] is the smallest prime factor of m. */
static void check_with_sieve(const int32_t* sums) {
  int* smallest = calloc(LAST + 1, sizeof *smallest);
  if (smallest == NULL) exit(1);
  for (int p = 2; p <= LAST; ++p)
    for (int m = p; smallest[p] == 0 || smallest[p] == p; m += p) {
      if (m > LAST) break;
      if (smallest[m] == 0) smallest[m] = p;
    }
  for (int number = FIRST; number <= LAST; ++number) {
    int sum = 0;
    for (int rest = number; rest > 1; rest /= smallest[rest]) sum += smallest[rest];
    expect(sums[number - FIRST], sum, 0, "sum", number - FIRST);
  }
  free(smallest);
}

int main(void) {
  static int32_t sums[COUNT];
  gpuarr_device* device;
  gpuarr_raw* kernel;
  gpuarr_array* array;
  int64_t shape[] = {COUNT};
  check(gpuarr_device_open(&device, NULL));
  check(
      gpuarr_raw_create(&kernel, source, "prime_factors", "int* sums, int first, int count", NULL));
  check(gpuarr_array_empty(&array, device, GPUARR_I32, 1, shape, GPUARR_ORDER_C, NULL));

  gpuarr_arg args[] = {gpuarr_arg_array(array), gpuarr_arg_i32(FIRST), gpuarr_arg_i32(COUNT)};
  check(gpuarr_raw_launch_1d(kernel, COUNT, args, 3, NULL));

  check(gpuarr_array_read(sums, COUNT * sizeof *sums, NULL, array, NULL));
  check_with_sieve(sums);
  printf("ok: sums of prime factors of 2 ... 1000000 on %s: %d %d %d ... %d %d %d\n",
         gpuarr_device_name(device), sums[0], sums[1], sums[2], sums[COUNT - 3], sums[COUNT - 2],
         sums[COUNT - 1]);

  gpuarr_array_release(array);
  gpuarr_raw_release(kernel);
  return 0;
}
