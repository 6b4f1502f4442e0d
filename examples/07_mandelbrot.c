/* The Mandelbrot set as a picture: 07_mandelbrot [FILE.png] */
#include "example.h"
#include "png.h"

enum { WIDTH = 960, HEIGHT = 640, LIMIT = 512 };

/* How many rounds of z = z * z + c it takes to leave a large circle, smoothed between the rounds;
 * LIMIT for points that never do. The first lines skip the two largest parts of the set. */
static const char* const body =
    "double p = cx - 0.25, q = p * p + cy * cy;\n"
    "if (q * (q + p) <= 0.25 * cy * cy || (cx + 1) * (cx + 1) + cy * cy <= 0.0625) {\n"
    "  rounds = 512;\n"
    "  continue;\n"
    "}\n"
    "double x = 0, y = 0;\n"
    "int k = 0;\n"
    "for (; k < 512 && x * x + y * y <= 256; ++k) {\n"
    "  double next = x * x - y * y + cx;\n"
    "  y = 2 * x * y + cy;\n"
    "  x = next;\n"
    "}\n"
    "rounds = k == 512 ? 512 : k + 3 - log2(log2(x * x + y * y));\n";

/* The same without smoothing, for one point. */
static int plain_rounds(double cx, double cy) {
  double x = 0, y = 0;
  int k = 0;
  for (; k < LIMIT && x * x + y * y <= 256; ++k) {
    double next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
  }
  return k;
}

/* From deep blue far out over white and orange to dark near the set; colour 255 is the set. */
static void make_palette(uint8_t palette[256][3]) {
  static const double stops[6][3] = {{0, 7, 100},   {32, 107, 203}, {237, 255, 255},
                                     {255, 170, 0}, {120, 30, 10},  {30, 0, 20}};
  for (int colour = 0; colour < 255; ++colour) {
    double at = colour / 51.0, part = at - (int)at;
    double weight = part * part * (3 - 2 * part);
    for (int c = 0; c < 3; ++c) {
      double from = stops[(int)at][c], to = stops[(int)at + 1][c];
      palette[colour][c] = (uint8_t)(from + weight * (to - from) + 0.5);
    }
  }
  palette[255][0] = palette[255][1] = palette[255][2] = 0;
}

static void write_picture(const char* path, const float* rounds) {
  static uint8_t pixels[WIDTH * HEIGHT];
  uint8_t palette[256][3];
  make_palette(palette);
  for (int k = 0; k < WIDTH * HEIGHT; ++k) {
    double colour = 35 * log2(1 + fmax(rounds[k], 0)) - 55;
    pixels[k] = rounds[k] == LIMIT ? 255 : (uint8_t)fmin(fmax(colour, 0), 254);
  }
  if (png_write(path, WIDTH, HEIGHT, pixels, (const uint8_t(*)[3])palette) == 0) return;
  perror(path);
  exit(1);
}

int main(int argc, char** argv) {
  static float rounds[HEIGHT][WIDTH];
  static double x[WIDTH], y[HEIGHT];
  gpuarr_device* device;
  gpuarr_elementwise* kernel;
  gpuarr_array *cx, *cy, *column, *result = NULL;
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_elementwise_create(&kernel, "float64 cx, float64 cy", "float32 rounds", body, NULL));

  /* A row of real parts and a column of imaginary parts broadcast to the picture. */
  check(gpuarr_array_linspace(&cx, device, GPUARR_F64, -2.45, 1.15, WIDTH, 1, NULL));
  check(gpuarr_array_linspace(&cy, device, GPUARR_F64, 1.2, -1.2, HEIGHT, 1, NULL));
  check(gpuarr_array_expand(&column, cy, 1));
  gpuarr_arg inputs[] = {gpuarr_arg_array(cx), gpuarr_arg_array(column)};
  check(gpuarr_elementwise_call(kernel, &result, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
  check(gpuarr_array_read(rounds, sizeof rounds, NULL, result, NULL));
  check(gpuarr_array_read(x, sizeof x, NULL, cx, NULL));
  check(gpuarr_array_read(y, sizeof y, NULL, cy, NULL));

  /* Next to the set the last bits of x and y decide, and compilers round them differently. */
  int differ = 0;
  for (int i = 0; i < HEIGHT; i += 4)
    for (int j = 0; j < WIDTH; j += 4)
      differ += fabs(plain_rounds(x[j], y[i]) - rounds[i][j]) > 1.001;
  expect(differ, 0, WIDTH * HEIGHT / 16 / 1000, "points unlike a plain loop's, their number", 0);

  if (argc > 1) write_picture(argv[1], rounds[0]);
  printf("ok: the Mandelbrot set, %d x %d points, on %s\n", WIDTH, HEIGHT,
         gpuarr_device_name(device));
  gpuarr_array_release(result);
  gpuarr_array_release(column);
  gpuarr_array_release(cy);
  gpuarr_array_release(cx);
  gpuarr_elementwise_release(kernel);
  return 0;
}
