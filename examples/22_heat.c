/* A stencil: heat that spreads in a plate with four hot discs and cold edges, as a picture:
 * 22_heat [FILE.png] */
#include "example.h"
#include "png.h"

enum { WIDTH = 320, HEIGHT = 240, STEPS = 400, BLOCK_X = 32, BLOCK_Y = 8 };

/* A gpuarr_view knows an array's extents and strides: now(y, x) is an element, of any slice or
 * transpose as well. Edges stay as they are. */
static const char* const source =
    "#include <gpuarr.cuh>\n"
    "__global__ void spread(gpuarr_view<const float, 2> now, gpuarr_view<float, 2> next,\n"
    "                       float rate) {\n"
    "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  if (y < 1 || x < 1 || y > now.shape()[0] - 2 || x > now.shape()[1] - 2) return;\n"
    "  float around = now(y - 1, x) + now(y + 1, x) + now(y, x - 1) + now(y, x + 1);\n"
    "  next(y, x) = now(y, x) + rate * (around - 4 * now(y, x));\n"
    "}\n";

static const float rate = 0.2f;

static void set_up(float plate[HEIGHT][WIDTH]) {
  const int discs[4][3] = {{70, 80, 40}, {160, 60, 25}, {120, 200, 50}, {50, 260, 15}};
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x)
      for (int d = 0; d < 4; ++d) {
        int dy = y - discs[d][0], dx = x - discs[d][1];
        if (dx * dx + dy * dy <= discs[d][2] * discs[d][2]) plate[y][x] = 1;
      }
}

/* The same in plain C; leaves the result in `now`. STEPS is even. */
static void plain_steps(float now[HEIGHT][WIDTH], float next[HEIGHT][WIDTH]) {
  for (int step = 0; step < STEPS; ++step) {
    float(*from)[WIDTH] = step % 2 == 0 ? now : next;
    float(*to)[WIDTH] = step % 2 == 0 ? next : now;
    for (int y = 1; y < HEIGHT - 1; ++y)
      for (int x = 1; x < WIDTH - 1; ++x)
        to[y][x] = from[y][x] + rate * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] +
                                        from[y][x + 1] - 4 * from[y][x]);
  }
}

static void write_picture(const char* path, float plate[HEIGHT][WIDTH]) {
  static uint8_t pixels[HEIGHT][WIDTH];
  uint8_t palette[256][3];
  for (int c = 0; c < 256; ++c) { /* black, red, yellow, white */
    palette[c][0] = (uint8_t)fmin(3 * c, 255);
    palette[c][1] = (uint8_t)fmin(fmax(3 * c - 255, 0), 255);
    palette[c][2] = (uint8_t)fmin(fmax(3 * c - 510, 0), 255);
  }
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x) pixels[y][x] = (uint8_t)(255 * plate[y][x] + 0.5f);
  if (png_write(path, WIDTH, HEIGHT, pixels[0], (const uint8_t(*)[3])palette) == 0) return;
  perror(path);
  exit(1);
}

int main(int argc, char** argv) {
  static float plate[HEIGHT][WIDTH], wanted[HEIGHT][WIDTH], scratch[HEIGHT][WIDTH];
  set_up(plate);
  set_up(wanted);

  gpuarr_device* device;
  gpuarr_raw* spread;
  gpuarr_array* plates[2];
  int64_t shape[] = {HEIGHT, WIDTH};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_raw_create(&spread, source, "spread", NULL, NULL));
  check(gpuarr_array_from_host(&plates[0], device, GPUARR_F32, 2, shape, NULL, plate, sizeof plate,
                               NULL));
  check(gpuarr_array_copy(&plates[1], plates[0], GPUARR_ORDER_C, NULL));

  /* Two calls, from one array to the other and back, are checked once and launched often. */
  gpuarr_call* calls[2];
  int64_t grid[] = {(WIDTH + BLOCK_X - 1) / BLOCK_X, (HEIGHT + BLOCK_Y - 1) / BLOCK_Y, 1};
  int64_t block[] = {BLOCK_X, BLOCK_Y, 1};
  for (int c = 0; c < 2; ++c) {
    gpuarr_arg args[] = {gpuarr_arg_view(plates[c]), gpuarr_arg_view(plates[1 - c]),
                         gpuarr_arg_f32(rate)};
    check(gpuarr_raw_prepare(&calls[c], spread, grid, block, 0, args, 3, NULL));
  }
  for (int step = 0; step < STEPS; ++step) check(gpuarr_call_launch(calls[step % 2], NULL));
  check(gpuarr_array_read(plate, sizeof plate, NULL, plates[STEPS % 2], NULL));

  plain_steps(wanted, scratch);
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x) expect(plate[y][x], wanted[y][x], 1e-5, "heat", y * WIDTH + x);
  if (argc > 1) write_picture(argv[1], plate);

  printf("ok: heat in a plate of %d x %d points after %d steps on %s\n", WIDTH, HEIGHT, STEPS,
         gpuarr_device_name(device));
  gpuarr_call_release(calls[1]);
  gpuarr_call_release(calls[0]);
  gpuarr_array_release(plates[1]);
  gpuarr_array_release(plates[0]);
  gpuarr_raw_release(spread);
  return 0;
}
