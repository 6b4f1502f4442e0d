/* A stencil over blocks: heat in a plate with cold edges. Each block has a frame of ghost cells,
 * which neighbours fill while it works on its inner part. The same program runs by itself, by
 * `gpuarr run -n 4`, and by mpirun. */
#include "example.h"

enum { HEIGHT = 200, WIDTH = 320, STEPS = 50 };
static const float rate = 0.2f;

/* `now` has ghost cells, so cell (y, x) of the block is at (y + 1, x + 1) there. */
static const char* const source =
    "#include <gpuarr.cuh>\n"
    "__global__ void spread(gpuarr_view<const float, 2> now, gpuarr_view<float, 2> next,\n"
    "                       float rate, int border) {\n"
    "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  int height = next.shape()[0], width = next.shape()[1];\n"
    "  if (y >= height || x >= width) return;\n"
    "  bool at_border = y == 0 || x == 0 || y == height - 1 || x == width - 1;\n"
    "  if (at_border != (border != 0)) return;\n"
    "  float around = now(y, x + 1) + now(y + 2, x + 1) + now(y + 1, x) + now(y + 1, x + 2);\n"
    "  next(y, x) = now(y + 1, x + 1) + rate * (around - 4 * now(y + 1, x + 1));\n"
    "}\n";

/* The same in plain C. STEPS is even, so that the result is in `now`. */
static float now[HEIGHT + 2][WIDTH + 2], next[HEIGHT + 2][WIDTH + 2];
static void plain_steps(void) {
  for (int step = 0; step < STEPS; ++step) {
    float(*from)[WIDTH + 2] = step % 2 == 0 ? now : next;
    float(*to)[WIDTH + 2] = step % 2 == 0 ? next : now;
    for (int y = 1; y <= HEIGHT; ++y)
      for (int x = 1; x <= WIDTH; ++x)
        to[y][x] = from[y][x] + rate * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] +
                                        from[y][x + 1] - 4 * from[y][x]);
  }
}

static void step(gpuarr_raw* spread, gpuarr_blocked* from, gpuarr_blocked* to) {
  const int64_t threads[] = {32, 8, 1};
  gpuarr_arg args[] = {gpuarr_arg_blocked(from, GPUARR_ARG_BLOCKED_HALO_VIEW),
                       gpuarr_arg_blocked(to, GPUARR_ARG_BLOCKED_VIEW), gpuarr_arg_f32(rate),
                       gpuarr_arg_i32(0)};
  check(gpuarr_halo_begin(from)); /* ghost cells are under way ... */
  check(gpuarr_map_blocks_raw(spread, to, threads, args, 4));
  check(gpuarr_halo_end(from)); /* ... and there */
  args[3] = gpuarr_arg_i32(1);
  check(gpuarr_map_blocks_raw(spread, to, threads, args, 4));
}

int main(void) {
  gpuarr_team* team;
  gpuarr_blocked_options* options;
  gpuarr_blocked* plates[2];
  gpuarr_raw* spread;
  const int64_t shape[] = {HEIGHT, WIDTH}, chunk[] = {100, 160}, one[] = {1, 1};
  const int32_t cold[] = {GPUARR_BOUNDARY_CONSTANT, GPUARR_BOUNDARY_CONSTANT};
  check(gpuarr_team_world(&team, NULL));
  check(gpuarr_blocked_options_create(&options));
  check(gpuarr_blocked_options_set_halo(options, 2, one, one, cold));
  for (int k = 0; k < 2; ++k)
    check(gpuarr_blocked_empty(&plates[k], team, GPUARR_F32, 2, shape, chunk, options));
  check(gpuarr_raw_create(&spread, source, "spread", NULL, NULL));

  static float plate[HEIGHT][WIDTH]; /* a hot square in the middle, where four blocks meet */
  for (int y = 80; y < 120; ++y)
    for (int x = 130; x < 190; ++x) now[y + 1][x + 1] = plate[y][x] = 1;
  check(gpuarr_blocked_write(plates[0], NULL, NULL, -1, plate, sizeof plate, NULL));
  for (int k = 0; k < STEPS; ++k) step(spread, plates[k % 2], plates[(k + 1) % 2]);
  check(gpuarr_blocked_read(plate, sizeof plate, NULL, plates[0], NULL, NULL, -1));

  plain_steps();
  for (int k = 0; k < HEIGHT * WIDTH; ++k)
    expect(plate[k / WIDTH][k % WIDTH], now[k / WIDTH + 1][k % WIDTH + 1], 1e-5, "heat", k);
  if (gpuarr_team_first(team) == 0)
    printf("after %d steps the middle has %.4f of its heat\n", STEPS, plate[100][160]);

  gpuarr_raw_release(spread);
  gpuarr_blocked_release(plates[1]);
  gpuarr_blocked_release(plates[0]);
  gpuarr_blocked_options_release(options);
  gpuarr_team_release(team);
  return 0;
}
