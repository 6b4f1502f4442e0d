/* A body with a loop: the sum of the prime factors of every number from 2 to a million. */
#include "example.h"

enum { FIRST = 2, LAST = 1000000, COUNT = LAST - FIRST + 1 };

/* A function for the body to use goes into the preamble. */
static const char* const preamble =
    "__device__ int sum_of_prime_factors(int number) {\n"
    "  int sum = 0;\n"
    "  for (int divisor = 2; divisor * divisor <= number; ++divisor)\n"
    "    for (; number % divisor == 0; number /= divisor) sum += divisor;\n"
    "  return number > 1 ? sum + number : sum;\n"
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
  gpuarr_device* device;
  gpuarr_kernel_options* options;
  gpuarr_elementwise* kernel;
  gpuarr_array* array = NULL;
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_kernel_options_create(&options));
  check(gpuarr_kernel_options_set_name(options, "prime_factors"));
  check(gpuarr_kernel_options_set_preamble(options, preamble));
  check(gpuarr_elementwise_create(&kernel, "", "int32 sum",
                                  "sum = sum_of_prime_factors((int)i + 2);", options));
  gpuarr_kernel_options_release(options);

  /* No array says how many elements there are, so the call does; i is the element's index. */
  check(gpuarr_elementwise_call(kernel, &array, 1, NULL, 0, COUNT, NULL));

  int32_t* sums = malloc(COUNT * sizeof *sums);
  if (sums == NULL) return 1;
  check(gpuarr_array_read(sums, COUNT * sizeof *sums, NULL, array, NULL));
  check_with_sieve(sums);
  printf("ok: sums of prime factors of 2 ... 1000000 on %s: %d %d %d ... %d %d %d\n",
         gpuarr_device_name(device), sums[0], sums[1], sums[2], sums[COUNT - 3], sums[COUNT - 2],
         sums[COUNT - 1]);

  free(sums);
  gpuarr_array_release(array);
  gpuarr_elementwise_release(kernel);
  return 0;
}
