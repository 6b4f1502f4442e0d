/* Principal components of a picture: each of its rows is a point, and a few singular vectors say
 * nearly all of them. 29_principal_components [FILE.pgm] */
#include "example.h"

enum { HEIGHT = 80, WIDTH = 120, KEPT = 12 };

/* An 8-bit PGM file: https://netpbm.sourceforge.net/doc/pgm.html */
static void read_picture(const char* path, float pixels[HEIGHT][WIDTH]) {
  int width = 0, height = 0;
  FILE* file = fopen(path, "rb");
  if (file == NULL || fscanf(file, "P5 %d %d 255", &width, &height) != 2 || width != WIDTH ||
      height != HEIGHT || fgetc(file) != '\n') {
    fprintf(stderr, "%s is no picture of %d x %d\n", path, WIDTH, HEIGHT);
    exit(1);
  }
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x) pixels[y][x] = (float)fgetc(file);
  fclose(file);
}

/* Half of the numbers or fewer, as a picture again. */
static void write_picture(const char* path, float pixels[HEIGHT][WIDTH]) {
  FILE* file = fopen(path, "wb");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  fprintf(file, "P5\n%d %d\n255\n", WIDTH, HEIGHT);
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x) fputc((int)fminf(fmaxf(pixels[y][x] + 0.5f, 0), 255), file);
  fclose(file);
}

int main(int argc, char** argv) {
  static float pixels[HEIGHT][WIDTH], restored[HEIGHT][WIDTH];
  read_picture(EXAMPLE_FOLDER "/mandelbrot.pgm", pixels);
  gpuarr_device* device;
  gpuarr_array *picture, *mean = NULL, *centred = NULL, *u = NULL, *s = NULL, *vh = NULL;
  const int64_t shape[] = {HEIGHT, WIDTH};
  const int32_t down = 0;
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_array_from_host(&picture, device, GPUARR_F32, 2, shape, NULL, pixels, sizeof pixels,
                               NULL));

  /* The mean row is taken away; what is left is u diag(s) vh, with the greatest values first. */
  check(gpuarr_mean(&mean, picture, &down, 1, 0, NULL));
  check(gpuarr_subtract(&centred, gpuarr_arg_array(picture), gpuarr_arg_array(mean), NULL));
  check(gpuarr_svd(&u, &s, &vh, centred, 0, NULL, NULL));

  /* The first components alone: columns of u, each times its value, by rows of vh. */
  gpuarr_array *some_u, *some_s, *some_vh, *scaled = NULL, *product = NULL, *back = NULL;
  check(gpuarr_array_slice(&some_u, u, 1, 0, KEPT, 1));
  check(gpuarr_array_slice(&some_s, s, 0, 0, KEPT, 1));
  check(gpuarr_array_slice(&some_vh, vh, 0, 0, KEPT, 1));
  check(gpuarr_multiply(&scaled, gpuarr_arg_array(some_u), gpuarr_arg_array(some_s), NULL));
  check(gpuarr_matmul(&product, scaled, some_vh, 0, NULL));
  check(gpuarr_add(&back, gpuarr_arg_array(product), gpuarr_arg_array(mean), NULL));

  /* The squares of the values that were left out are the squares of all errors. */
  static float values[HEIGHT];
  check(gpuarr_array_read(values, sizeof values, NULL, s, NULL));
  check(gpuarr_array_read(restored, sizeof restored, NULL, back, NULL));
  double all = 0, left_out = 0, errors = 0;
  for (int k = 0; k < HEIGHT; ++k) {
    all += (double)values[k] * values[k];
    left_out += k < KEPT ? 0 : (double)values[k] * values[k];
  }
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x) errors += pow(restored[y][x] - pixels[y][x], 2);
  expect(errors, left_out, 1e-4 * left_out, "the squared error", KEPT);
  expect(left_out / all, 0, 0.05, "the part that is left out", KEPT);

  if (argc > 1) write_picture(argv[1], restored);
  printf("%d of %d components: %.2f %% of the variance, %.1f grey levels off, %d of %d numbers\n",
         KEPT, HEIGHT, 100 * (1 - left_out / all), sqrt(errors / (HEIGHT * WIDTH)),
         KEPT * (HEIGHT + WIDTH + 1) + WIDTH, HEIGHT * WIDTH);
  printf("ok: principal components of a picture, on %s\n", gpuarr_device_name(device));
  gpuarr_array* arrays[] = {picture, mean,   centred, u,      s,       vh,
                            some_u,  some_s, some_vh, scaled, product, back};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) gpuarr_array_release(arrays[k]);
  return gpuarr_live_objects() == 0 ? 0 : 1;
}
