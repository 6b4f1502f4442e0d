/* Elementwise kernels over random shapes, orders, slices, transposes and broadcasts, against a
 * naive loop; nothing outside the output's elements may change. */
#include "nested.h"
#include "operands.h"

enum { max_axes = 4, rounds = sanitized ? 24 : 80 };

static void expect(const struct operand* x, const struct operand* y, struct operand* z, int ndim,
                   const int64_t* shape, int uses_i) {
  int64_t index[max_axes] = {0}, i = 0;
  do {
    double* to = &z->values[place(z, ndim, index)];
    *to = x->values[place(x, ndim, index)] - 2 * y->values[place(y, ndim, index)] + *to;
    if (uses_i) *to += (double)(i % 7);
    ++i;
  } while (next_index(ndim, shape, index));
}

static int draw_shape(int64_t* shape) {
  int ndim = (int)random_between(0, max_axes);
  for (int axis = 0; axis < ndim; ++axis) shape[axis] = random_between(1, ndim > 2 ? 9 : 70);
  if (ndim == 1 && random_between(0, 1)) shape[0] = random_between(1, 100000);
  return ndim;
}

static void one_round(gpuarr_elementwise* const* kernels, int round) {
  const gpuarr_dtype dtypes[] = {GPUARR_I8, GPUARR_I32, GPUARR_I64, GPUARR_F32, GPUARR_F64};
  gpuarr_dtype dtype = dtypes[random_between(0, 4)];
  int64_t shape[max_axes] = {0}, x_shape[max_axes] = {0}, y_shape[max_axes] = {0};
  int ndim = draw_shape(shape);
  int x_ndim = narrow(ndim, shape, x_shape), y_ndim = narrow(ndim, shape, y_shape);
  int uses_i = random_between(0, 3) == 0;
  struct operand x = make_operand(dtype, x_ndim, x_shape), y = make_operand(dtype, y_ndim, y_shape);
  struct operand z = make_operand(dtype, ndim, shape);
  expect(&x, &y, &z, ndim, shape, uses_i);
  gpuarr_arg inputs[] = {gpuarr_arg_array(x.view), gpuarr_arg_array(y.view)};
  assert_ok(gpuarr_elementwise_call(kernels[uses_i], &z.view, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
  compare_operand(&z, "round", round);
  drop_operand(&x);
  drop_operand(&y);
  drop_operand(&z);
}

static void random_layouts(void** state) {
  (void)state;
  gpuarr_elementwise* kernels[2];
  assert_ok(gpuarr_elementwise_create(&kernels[0], "T x, T y", "T z", "z += x - 2 * y", NULL));
  assert_ok(gpuarr_elementwise_create(&kernels[1], "T x, T y", "T z", "z += x - 2 * y + (T)(i % 7)",
                                      NULL));
  for (int round = 0; round < rounds; ++round) one_round(kernels, round);
  gpuarr_elementwise_release(kernels[0]);
  gpuarr_elementwise_release(kernels[1]);
}

/* Every way in which three views of one dtype can be off the alignment of packs. */
static void every_alignment(void** state) {
  (void)state;
  gpuarr_elementwise* kernel;
  assert_ok(gpuarr_elementwise_create(&kernel, "T x, T y", "T z", "z += x - 2 * y", NULL));
  const gpuarr_dtype dtypes[] = {GPUARR_I8, GPUARR_F32, GPUARR_F64};
  for (int t = 0; t < 3; ++t)
    for (int64_t which = 0; which < 27; ++which) {
      const int64_t off[] = {which % 3, which / 3 % 3, which / 9}, wide = 5000 + which;
      struct operand o[3];
      for (int k = 0; k < 3; ++k) {
        o[k] = make_operand(dtypes[t], 1, &wide);
        gpuarr_array* part = NULL;
        assert_ok(gpuarr_array_slice(&part, o[k].view, 0, off[k], off[k] + 4990, 1));
        look_through(&o[k], part);
      }
      const int64_t count = 4990;
      expect(&o[0], &o[1], &o[2], 1, &count, 0);
      gpuarr_arg inputs[] = {gpuarr_arg_array(o[0].view), gpuarr_arg_array(o[1].view)};
      assert_ok(gpuarr_elementwise_call(kernel, &o[2].view, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
      compare_operand(&o[2], "alignment", which);
      for (int k = 0; k < 3; ++k) drop_operand(&o[k]);
    }
  gpuarr_elementwise_release(kernel);
}

/* Long enough for several blocks of threads and several threads of the CPU. */
static void large_arrays(void** state) {
  (void)state;
  gpuarr_elementwise* kernel;
  assert_ok(gpuarr_elementwise_create(&kernel, "T x, T y", "T z", "z += x - 2 * y", NULL));
  const int64_t shapes[][2] = {{700, 701}, {3, 200001}, {200001, 3}, {517, 1024}};
  for (int k = 0; k < 4; ++k)
    for (int transposed = 0; transposed < 2; ++transposed) {
      int64_t turned[] = {shapes[k][1], shapes[k][0]};
      struct operand x = make_operand(GPUARR_F32, 2, transposed ? turned : shapes[k]);
      struct operand y = make_operand(GPUARR_F32, 1, &shapes[k][1]),
                     z = make_operand(GPUARR_F32, 2, shapes[k]);
      if (transposed) {
        gpuarr_array* view = NULL;
        assert_ok(gpuarr_array_transpose(&view, x.view, 0, NULL));
        look_through(&x, view);
      }
      expect(&x, &y, &z, 2, shapes[k], 0);
      gpuarr_arg inputs[] = {gpuarr_arg_array(x.view), gpuarr_arg_array(y.view)};
      assert_ok(gpuarr_elementwise_call(kernel, &z.view, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
      compare_operand(&z, "shape", k);
      drop_operand(&x);
      drop_operand(&y);
      drop_operand(&z);
    }
  gpuarr_elementwise_release(kernel);
}

int main(void) {
  open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_layouts),
      cmocka_unit_test(every_alignment),
      cmocka_unit_test(large_arrays),
  };
  return run_suite(tests);
}
