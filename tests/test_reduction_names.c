/* Names in a reduction's texts that parameters, or the algorithms around the texts, have too. */
#include <stdio.h>
#include <stdlib.h>

#include "arrays.h"
#include "kernels.h"

static gpuarr_device* device;

/* In reduce and post a and b are partial results, elsewhere what the lists say. */
static void parameters_may_be_called_a_and_b(void** state) {
  (void)state;
  gpuarr_array* x = ramp(GPUARR_F32, 5);
  gpuarr_reduction* kernel =
      make_reduction(&(struct reduction_texts){.in = "T x, T a, T b, raw T c",
                                               .out = "T y",
                                               .map = "x * a * b + c[0]",
                                               .reduce = "a + b",
                                               .post = "y = a",
                                               .identity = "0"});
  gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_i32(3), gpuarr_arg_array(x),
                         gpuarr_arg_array(x)};
  gpuarr_array* y = reduce_all(kernel, inputs, 4);
  assert_close(value_of(y), 90, 0);
  release_arrays((gpuarr_array*[]){x, y}, 2);
  gpuarr_reduction_release(kernel);
}

/* Sums of ones in rows of all lengths, columns, and results that blocks share. */
static void assert_sums_of_ones(gpuarr_reduction* kernel) {
  static const int64_t shapes[][2] = {{50, 7}, {50, 100},   {3, 3001},
                                      {7, 50}, {2, 300007}, {100003, 3}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
    for (int32_t axis = 0; axis < 2; ++axis) {
      gpuarr_array* x = NULL;
      assert_ok(gpuarr_array_ones(&x, device, GPUARR_F64, 2, shapes[s], GPUARR_ORDER_C, NULL));
      const gpuarr_arg input = gpuarr_arg_array(x);
      gpuarr_array* sums = reduce_along(kernel, &input, 1, axis);
      const int64_t count = shapes[s][1 - axis];
      double* expected = malloc((size_t)count * sizeof *expected);
      for (int64_t k = 0; k < count; ++k) expected[k] = (double)shapes[s][axis];
      assert_values(sums, count, expected);
      free(expected);
      release_arrays((gpuarr_array*[]){x, sums}, 2);
    }
}

/* A line for each of the words, which stands where "%s" does in it. */
static const char* text_of_words(const char* line, const char* const* words, size_t count) {
  static char text[16000];
  size_t length = 0;
  for (size_t k = 0; k < count; ++k)
    length += (size_t)snprintf(text + length, sizeof text - length, line, words[k]);
  return text;
}

/* What a text defines is its own: the words of the algorithms around it are not replaced. */
static void macros_are_the_texts_own(void** state) {
  (void)state;
  static const char* const words[] = {
      "Memory", "Partial",  "Place",  "Plain",  "Split",     "active", "across", "ahead",
      "any",    "base",     "batch",  "before", "begin",     "bytes",  "climb",  "column",
      "count",  "distance", "each",   "end",    "first",     "fold",   "groups", "half",
      "has",    "here",     "inside", "item",   "k",         "lane",   "lanes",  "last",
      "least",  "left",     "line",   "lines",  "memory",    "one",    "other",  "outer",
      "own",    "p",        "parts",  "place",  "places",    "q",      "result", "row",
      "shared", "size",     "sizes",  "split",  "splits",    "step",   "stop",   "sum",
      "sums",   "threads",  "tile",   "unit",   "used",      "value",  "values", "vector",
      "warp",   "warps",    "whole",  "width",  "join_lanes"};
  gpuarr_reduction* kernel = make_reduction(
      &(struct reduction_texts){.in = "T first_one",
                                .out = "T out",
                                .preamble = text_of_words("#define %s gpuarr is not to see this\n",
                                                          words, sizeof words / sizeof *words),
                                .map = "first_one",
                                .reduce = "a + b",
                                .post = "out = a"});
  assert_sums_of_ones(kernel);
  gpuarr_reduction_release(kernel);
}

/* So are its functions, however well they would fit: partial results are of a type of its own. */
static void functions_are_the_texts_own(void** state) {
  (void)state;
  static const char* const words[] = {
      "climb",       "fold",       "fold_columns",  "fold_in_lanes", "fold_in_order", "fold_lines",
      "fold_ragged", "fold_row",   "fold_splits",   "fold_whole",    "halve",         "join_lanes",
      "join_lines",  "join_warps", "is_last_block", "least",         "of_lane_above"};
  char preamble[16000];
  snprintf(preamble, sizeof preamble,
           "struct mine { double value; };\ntemplate <int n, class... A> struct nothing;\n%s",
           text_of_words("template <class... A> __device__ nothing<1> %1$s(A&&...) = delete;\n"
                         "template <int n, class... A> __device__ nothing<2> %1$s(A&&...) = delete;"
                         "\n",
                         words, sizeof words / sizeof *words));
  gpuarr_reduction* kernel =
      make_reduction(&(struct reduction_texts){.in = "T x",
                                               .out = "T out",
                                               .preamble = preamble,
                                               .reduce_type = "mine",
                                               .map = "mine{(double)x}",
                                               .reduce = "mine{a.value + b.value}",
                                               .post = "out = a.value"});
  assert_sums_of_ones(kernel);
  gpuarr_reduction_release(kernel);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_may_be_called_a_and_b),
      cmocka_unit_test(macros_are_the_texts_own),
      cmocka_unit_test(functions_are_the_texts_own),
  };
  return run_suite(tests);
}
