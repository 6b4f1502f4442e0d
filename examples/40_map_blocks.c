/* A kernel of your own for each block of a chunked array: Dask's map_blocks, on several devices or
 * processes. The same program runs by itself, by `gpuarr run -n 4`, and by mpirun. */
#include "example.h"

static const char* const source =
    "extern \"C\" __global__ void add(const float* x, const float* y, float* z, long long n,\n"
    "                               long long width) {\n"
    "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n"
    "  if (i < n) z[i] = x[i] + y[i % width];\n"
    "}\n";

enum { ROWS = 4096, COLUMNS = 1024 };

int main(void) {
  gpuarr_team* team;
  const char* who;
  check(gpuarr_team_world(&team, NULL)); /* all processes; by itself, this one */
  check(gpuarr_team_describe(&who, team));
  if (gpuarr_team_first(team) == 0) puts(who);

  /* x and z are 4 x 2 blocks of 1024 x 512; y has two blocks, which every place has. */
  gpuarr_blocked *x, *y, *z;
  gpuarr_blocked_options* everywhere;
  int64_t shape[] = {ROWS, COLUMNS}, chunk[] = {1024, 512};
  check(gpuarr_blocked_options_create(&everywhere));
  check(gpuarr_blocked_options_set_placement(everywhere, GPUARR_PLACEMENT_REPLICATED));
  check(gpuarr_blocked_empty(&x, team, GPUARR_F32, 2, shape, chunk, NULL));
  check(gpuarr_blocked_empty(&y, team, GPUARR_F32, 1, shape + 1, chunk + 1, everywhere));
  check(gpuarr_blocked_empty_like(&z, x, 0));
  check(gpuarr_blocked_arange(x, gpuarr_arg_i64(0), gpuarr_arg_i64(1)));
  check(gpuarr_blocked_arange(y, gpuarr_arg_i64(0), gpuarr_arg_i64(10)));

  gpuarr_raw* add;
  check(gpuarr_raw_create(&add, source, "add", NULL, NULL));
  gpuarr_arg args[] = {
      gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED), gpuarr_arg_blocked(y, GPUARR_ARG_BLOCKED),
      gpuarr_arg_blocked(z, GPUARR_ARG_BLOCKED), gpuarr_arg_block(GPUARR_ARG_BLOCK_SIZE, 0),
      gpuarr_arg_block(GPUARR_ARG_BLOCK_EXTENT, 1)};
  check(gpuarr_map_blocks_raw(add, z, NULL, args, 5));

  float row[COLUMNS]; /* every process gets row 3000 */
  int64_t start[] = {3000, 0}, stop[] = {3001, COLUMNS};
  check(gpuarr_blocked_read(row, sizeof row, NULL, z, start, stop, -1));
  for (int j = 0; j < COLUMNS; ++j)
    expect(row[j], (float)(3000 * COLUMNS + j) + (float)(10 * j), 0, "z", j);

  gpuarr_raw_release(add);
  gpuarr_blocked_options_release(everywhere);
  gpuarr_blocked_release(z);
  gpuarr_blocked_release(y);
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
  return 0;
}
