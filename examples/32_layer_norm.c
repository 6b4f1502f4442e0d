/* Layer norm with weight and bias, put together of functions, and as one kernel: each row is read
 * once, and written once. */
#include "formula.h"

enum { ROWS = 500, COLUMNS = 768 };

static const double epsilon = 1e-5;
static float x[ROWS][COLUMNS], weight[COLUMNS], bias[COLUMNS], result[ROWS][COLUMNS];

static Expr layer_norm(Expr values, Expr w, Expr b) {
  Expr middle = reduce_rows("mean", keep(values), 1);
  Expr centered = sub(values, middle);
  Expr variance = reduce_rows("mean", call("square", keep(centered), NULL), 1);
  Expr deviation = call("sqrt", add(variance, num(epsilon)), NULL);
  return add(mul(quo(centered, deviation), w), b);
}

static void check_row(int i) {
  double middle = 0, squares = 0;
  for (int j = 0; j < COLUMNS; ++j) middle += x[i][j] / (double)COLUMNS;
  for (int j = 0; j < COLUMNS; ++j) squares += pow(x[i][j] - middle, 2) / (double)COLUMNS;
  for (int j = 0; j < COLUMNS; ++j) {
    double wanted = (x[i][j] - middle) / sqrt(squares + epsilon) * weight[j] + bias[j];
    expect(result[i][j], wanted, 1e-4, "layer norm", i * COLUMNS + j);
  }
}

int main(void) {
  for (int64_t k = 0; k < ROWS * COLUMNS; ++k)
    x[k / COLUMNS][k % COLUMNS] = (float)(k * k % 1009 - 504) / 100;
  for (int j = 0; j < COLUMNS; ++j) {
    weight[j] = 1 + (float)(j % 5) / 4;
    bias[j] = (float)(j % 3);
  }

  gpuarr_device* device;
  gpuarr_array *in, *w, *b, *y = NULL;
  int64_t shape[] = {ROWS, COLUMNS};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_array_from_host(&in, device, GPUARR_F32, 2, shape, NULL, x, sizeof x, NULL));
  check(gpuarr_array_from_host(&w, device, GPUARR_F32, 1, shape + 1, NULL, weight, sizeof weight,
                               NULL));
  check(
      gpuarr_array_from_host(&b, device, GPUARR_F32, 1, shape + 1, NULL, bias, sizeof bias, NULL));

  /* Nothing is computed before gpuarr_evaluate; gpuarr_expr_explain tells how it would be. */
  Expr norm = layer_norm(of(in), of(w), of(b));
  expect_kernels(&norm, 1, 1);
  evaluate(&y, &norm, 1);
  check(gpuarr_array_read(result, sizeof result, NULL, y, NULL));
  for (int i = 0; i < ROWS; ++i) check_row(i);

  printf("ok: layer norm of %d rows of %d in one kernel on %s\n", ROWS, COLUMNS,
         gpuarr_device_name(device));
  gpuarr_array_release(y);
  gpuarr_array_release(b);
  gpuarr_array_release(w);
  gpuarr_array_release(in);
  return 0;
}
