/* What every C test needs: cmocka, the device under test, checks that print the library's message,
 * random numbers that can be repeated. */
#ifndef GPUARR_TEST_SUPPORT_H
#define GPUARR_TEST_SUPPORT_H

/* cmocka.h wants four headers before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "gpuarr.h"

/* 1 under a sanitizer, where work takes several times as long. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { sanitized = 1 };
#else
enum { sanitized = 0 };
#endif

/* Run an array of tests, then check that no object of the library is left; main returns this. */
#define run_suite(tests) finish_tests(cmocka_run_group_tests(tests, NULL, check_nothing_lives))

/* A group teardown for programs that call cmocka_run_group_tests themselves. */
int check_nothing_lives(void** state);
int finish_tests(int failed);

/* $GPUARR_TEST_DEVICE, "host" unless set. Where there is no such device, the program ends as
 * skipped (77). */
gpuarr_device* open_test_device(void);
const char* test_device_name(void);
int test_device_is_host(void);

/* Ends the program as skipped (77), all of its tests. */
_Noreturn void skip_program(const char* why);

/* The call came to what it should; if not, the library's message is printed. */
#define assert_status(status, expected) check_status((status), (expected), __FILE__, __LINE__)
#define assert_ok(status) assert_status(status, GPUARR_OK)

/* gpuarr_last_error() contains a text. */
#define assert_message_has(part) check_message_has((part), __FILE__, __LINE__)

/* |actual - expected| <= tolerance * max(1, |expected|); NaN equals NaN, an infinity itself. */
#define assert_close(actual, expected, tolerance) \
  check_close((actual), (expected), (tolerance), __FILE__, __LINE__)

void check_status(gpuarr_status status, gpuarr_status expected, const char* file, int line);
void check_message_has(const char* part, const char* file, int line);
void check_close(double actual, double expected, double tolerance, const char* file, int line);

/* Random numbers from a seed that is printed at the first draw: $GPUARR_TEST_SEED (a number, or
 * "clock" for another one in each run), 1 unless set. */
uint64_t random_bits(void);
int64_t random_between(int64_t low, int64_t high); /* both ends included */
double random_unit(void);                          /* in [0, 1) */

#endif
