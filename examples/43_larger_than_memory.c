/* More data than memory: an array in a Zarr directory is made, mapped and summed slab by slab; only
 * one slab is in memory at a time. The same program runs by itself, by `gpuarr run -n 4`, and by
 * mpirun: 43_larger_than_memory [DIRECTORY] */
#include "example.h"

enum { ROWS = 2000, COLUMNS = 500, SLAB = 500 };

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "larger_than_memory.zarr";
  gpuarr_team* team;
  gpuarr_blocked *x, *sum = NULL;
  const int64_t whole[] = {ROWS, COLUMNS}, slab[] = {SLAB, COLUMNS}, chunk[] = {100, COLUMNS};
  check(gpuarr_team_world(&team, NULL));
  check(gpuarr_blocked_empty(&x, team, GPUARR_F64, 2, slab, chunk, NULL));

  check(gpuarr_file_create(team, path, GPUARR_FILE_ZARR, GPUARR_F64, 2, whole, chunk));
  for (int64_t row = 0; row < ROWS; row += SLAB) {
    const int64_t start[] = {row, 0};
    check(gpuarr_blocked_arange(x, gpuarr_arg_i64(row * COLUMNS), gpuarr_arg_i64(1)));
    check(gpuarr_blocked_save_part(path, x, start));
  }

  double total = 0;
  const char* names[] = {"x"};
  const gpuarr_arg args[] = {gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED)};
  for (int64_t row = 0; row < ROWS; row += SLAB) {
    const int64_t start[] = {row, 0};
    double part;
    check(gpuarr_blocked_load_part(x, path, start));
    check(gpuarr_map_blocks_eval(&x, 1, "2 * x + 1", names, args, 1));
    check(gpuarr_blocked_save_part(path, x, start));
    check(gpuarr_blocked_reduce(&sum, "sum", x, NULL, 0, 0, 0, 0));
    check(gpuarr_blocked_read(&part, sizeof part, NULL, sum, NULL, NULL, -1));
    total += part;
  }
  expect(total, (double)ROWS * COLUMNS * ((double)ROWS * COLUMNS), 0, "sum", 0);
  if (gpuarr_team_first(team) == 0) printf("the sum of %s is %.0f\n", path, total);

  gpuarr_blocked_release(sum);
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
  return 0;
}
