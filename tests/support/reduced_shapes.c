/* See reduced_shapes.h. */
#include "reduced_shapes.h"

#include <stdio.h>

#include "nested.h"

/* A sanitizer sees enough in some of the large ones. */
static void one(shape_test test, struct reduced r) {
  const int64_t large = 100000;
  if (sanitized && count_of(r.ndim, r.shape) > large && random_between(0, 3) > 0) return;
  char what[100];
  int length = snprintf(what, sizeof what, "axes %x of", r.reduced);
  for (int32_t axis = 0; axis < r.ndim; ++axis)
    length +=
        snprintf(what + length, sizeof what - (size_t)length, " %lld", (long long)r.shape[axis]);
  test(r, what);
}

void each_one_result(shape_test test) {
  const int64_t counts[] = {1,     2,     3,     7,      8,      31,      32,
                            33,    64,    100,   255,    256,    257,     1000,
                            2047,  2048,  2049,  4095,   4097,   8193,    9999,
                            65535, 65536, 65537, 131073, 300001, 1 << 20, (1 << 21) + 3};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k)
    one(test, (struct reduced){1, {counts[k]}, 1, 0});
}

static void rows(shape_test test, int64_t results, const int64_t* lengths, size_t count) {
  for (size_t k = 0; k < count; ++k) one(test, (struct reduced){2, {results, lengths[k]}, 2, 0});
}

void each_long_rows(shape_test test) {
  const int64_t lengths[] = {2049, 4096, 5001, 65536, 100003};
  rows(test, 2, lengths, 5);
  rows(test, 7, lengths, 5);
  rows(test, 100, lengths, 3);
}

void each_middle_rows(shape_test test) {
  const int64_t lengths[] = {65, 100, 127, 128, 255, 256, 257, 1000, 1023, 2047, 2048};
  rows(test, 33, lengths, 11);
  rows(test, 4103, lengths, 3);
  rows(test, 4103, lengths + 7, 1);
}

void each_short_rows(shape_test test) {
  int64_t lengths[64];
  for (int k = 0; k < 64; ++k) lengths[k] = k + 1;
  rows(test, 97, lengths, 64);
  const int64_t some[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 64};
  rows(test, 5003, some, 16);
  rows(test, 100001, some, 3);
}

void each_columns(shape_test test) {
  const int64_t kept[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 32, 33, 64, 100, 255, 256, 257, 1000};
  const int64_t lengths[] = {2, 3, 64, 65, 1000};
  for (int k = 0; k < 18; ++k)
    for (int l = k % 2; l < 5; l += 2) one(test, (struct reduced){2, {lengths[l], kept[k]}, 1, 0});
  for (int k = 0; k < 7; ++k) one(test, (struct reduced){2, {100000 / kept[k], kept[k]}, 1, 0});
  one(test, (struct reduced){2, {100000, 8}, 1, 1});
}

void each_mixed_axes(shape_test test) {
  const int64_t shapes[][3] = {{3, 5, 7},     {17, 100, 33}, {64, 33, 128}, {2, 1000, 100},
                               {100, 2, 100}, {1000, 3, 64}, {129, 7, 257}, {40, 40, 40}};
  for (int k = 0; k < 8; ++k)
    for (unsigned axes = 0; axes < 8; ++axes)
      if (k % 2 == 0 || axes == 2 || axes == 5)
        one(test, (struct reduced){3, {shapes[k][0], shapes[k][1], shapes[k][2]}, axes, k % 2});
}
