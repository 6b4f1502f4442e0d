/* A reduction of your own over all places: the largest element and where it is, in one pass. Blocks
 * are combined in their order, so that the result is the same for any number of places. The same
 * program runs by itself, by `gpuarr run -n 4`, and by mpirun. */
#include "example.h"

enum { ROWS = 1000, COLUMNS = 700 };

/* i is an element's index in the whole array. */
static gpuarr_reduction* make_kernel(void) {
  gpuarr_kernel_options* options;
  gpuarr_reduction* kernel;
  check(gpuarr_kernel_options_create(&options));
  check(
      gpuarr_kernel_options_set_preamble(options, "struct found { double value; long long at; };"));
  check(gpuarr_kernel_options_set_reduce_type(options, "found"));
  check(gpuarr_reduction_create(&kernel, "float64 x, float64 y", "float64 largest, int64 at",
                                "found{(x - y) * (x - y), (long long)i}",
                                "a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b",
                                "largest = sqrt(a.value); at = a.at;", NULL, options));
  gpuarr_kernel_options_release(options);
  return kernel;
}

int main(void) {
  gpuarr_team* team;
  gpuarr_blocked *x, *y, *results[] = {NULL, NULL};
  const int64_t shape[] = {ROWS, COLUMNS}, chunk[] = {300, 700};
  check(gpuarr_team_world(&team, NULL));
  check(gpuarr_blocked_empty(&x, team, GPUARR_F64, 2, shape, chunk, NULL));
  check(gpuarr_blocked_empty_like(&y, x, 0));
  check(gpuarr_blocked_arange(x, gpuarr_arg_f64(0), gpuarr_arg_f64(1)));
  check(gpuarr_blocked_fill(y, gpuarr_arg_f64(400000)));

  /* NULL outputs are made: one number on every place. */
  gpuarr_reduction* kernel = make_kernel();
  gpuarr_arg inputs[] = {gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED),
                         gpuarr_arg_blocked(y, GPUARR_ARG_BLOCKED)};
  check(gpuarr_blocked_reduction(kernel, results, 2, inputs, 2, NULL, 0, 0));
  double largest;
  int64_t at;
  check(gpuarr_blocked_read(&largest, sizeof largest, NULL, results[0], NULL, NULL, -1));
  check(gpuarr_blocked_read(&at, sizeof at, NULL, results[1], NULL, NULL, -1));
  expect(largest, 400000, 0, "largest difference", 0);
  expect((double)at, 0, 0, "its index", 0);

  gpuarr_blocked* mean = NULL; /* ready-made ones go by name */
  double means[COLUMNS];
  int32_t axis = 0;
  check(gpuarr_blocked_reduce(&mean, "mean", x, &axis, 1, 0, 0, 0));
  check(gpuarr_blocked_read(means, sizeof means, NULL, mean, NULL, NULL, -1));
  for (int j = 0; j < COLUMNS; ++j)
    expect(means[j], (ROWS - 1) / 2.0 * COLUMNS + j, 1e-9, "mean of a column", j);
  if (gpuarr_team_first(team) == 0)
    printf("largest difference %.0f, at element %d\n", largest, (int)at);

  gpuarr_blocked_release(mean);
  gpuarr_blocked_release(results[1]);
  gpuarr_blocked_release(results[0]);
  gpuarr_blocked_release(y);
  gpuarr_blocked_release(x);
  gpuarr_reduction_release(kernel);
  gpuarr_team_release(team);
  return 0;
}
