/* See support.h. */
#include "support.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int check_nothing_lives(void** state) {
  (void)state;
  int64_t count = gpuarr_live_objects();
  if (count == 0) return 0;
  print_error("%" PRId64 " objects of the library were not released\n", count);
  return 1;
}

/* cmocka reports a failed group teardown, but does not count it. */
int finish_tests(int failed) { return failed != 0 || gpuarr_live_objects() != 0; }

void check_status(gpuarr_status status, gpuarr_status expected, const char* file, int line) {
  if (status == expected) return;
  print_error("expected %s, but got %s\n", gpuarr_status_name(expected),
              gpuarr_status_name(status));
  if (status != GPUARR_OK) print_error("%s\n", gpuarr_last_error());
  _fail(file, line);
}

void check_message_has(const char* part, const char* file, int line) {
  if (strstr(gpuarr_last_error(), part) != NULL) return;
  print_error("expected a message with \"%s\", but got\n%s\n", part, gpuarr_last_error());
  _fail(file, line);
}

void check_close(double actual, double expected, double tolerance, const char* file, int line) {
  if (isnan(actual) && isnan(expected)) return;
  if (isinf(expected) && actual == expected) return;
  if (fabs(actual - expected) <= tolerance * fmax(1.0, fabs(expected)) && !isinf(expected)) return;
  print_error("expected %.17g, but got %.17g (tolerance %g)\n", expected, actual, tolerance);
  _fail(file, line);
}

static uint64_t first_state(void) {
  const char* wanted = getenv("GPUARR_TEST_SEED");
  uint64_t seed = 1;
  if (wanted != NULL && strcmp(wanted, "clock") == 0)
    seed = (uint64_t)time(NULL);
  else if (wanted != NULL && *wanted != '\0')
    seed = strtoull(wanted, NULL, 10);
  print_message("GPUARR_TEST_SEED=%" PRIu64 "\n", seed);
  return seed;
}

/* splitmix64 */
uint64_t random_bits(void) {
  static int started;
  static uint64_t state;
  if (!started) {
    state = first_state();
    started = 1;
  }
  uint64_t z = (state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

int64_t random_between(int64_t low, int64_t high) {
  return low + (int64_t)(random_bits() % (uint64_t)(high - low + 1));
}

double random_unit(void) { return (double)(random_bits() >> 11) * 0x1p-53; }
