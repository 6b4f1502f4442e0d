/* See sweep.h: expressions. */
#include "sweep.h"

typedef const gpuarr_expr* const* list;

static void exercise_views(const gpuarr_expr* x) {
  gpuarr_expr* views[7];
  for (int i = 0; i < 7; ++i) views[i] = POISON;
  const int64_t one[] = {1, 24}, more[] = {3, 4, 6};
  made(gpuarr_expr_slice(&views[0], x, 1, 0, 6, 2), &views[0]);
  made(gpuarr_expr_index(&views[1], x, 0, 1), &views[1]);
  made(gpuarr_expr_expand(&views[2], x, 0), &views[2]);
  made(gpuarr_expr_transpose(&views[3], x, 0, NULL), &views[3]);
  made(gpuarr_expr_flip(&views[4], x, 0, NULL), &views[4]);
  made(gpuarr_expr_broadcast(&views[5], x, 3, more), &views[5]);
  made(gpuarr_expr_reshape(&views[6], x, 2, one), &views[6]);
  for (int i = 0; i < 7; ++i) gpuarr_expr_release(views[i]);
}

static void exercise_texts(const gpuarr_array* a) {
  const char* const names[] = {"x"};
  const gpuarr_arg arg = gpuarr_arg_array(a);
  gpuarr_array *one = NULL, *two[2] = {NULL};
  gpuarr_expr* parsed = NULL;
  int32_t count = 7;
  check(gpuarr_eval_count(&count, "x + 1, sum(x)") != GPUARR_OK || count == 2, "two results");
  if (a == NULL) return;
  made(gpuarr_eval(&one, "x + 1", names, &arg, 1, NULL), &one);
  made(gpuarr_eval_all(two, 2, "x + 1, x[0] - 1", names, &arg, 1, NULL), &two[0]);
  made(gpuarr_expr_parse(&parsed, 1, "sum(x)", names, &arg, 1), &parsed);
  gpuarr_array_release(one);
  for (int k = 0; k < 2; ++k) gpuarr_array_release(two[k]);
  gpuarr_expr_release(parsed);
}

static void exercise_kernels_of(const gpuarr_expr* x) {
  gpuarr_elementwise* kernel = NULL;
  gpuarr_reduction* reduction = NULL;
  gpuarr_expr *scaled = NULL, *most = NULL, *sums = POISON, *turned = POISON, *square = NULL;
  gpuarr_expr* places = POISON;
  made(gpuarr_elementwise_create(&kernel, "T x", "T y", "y = 2 * x", NULL), &kernel);
  made(gpuarr_reduction_create(&reduction, "T x", "T y", "x", "a > b ? a : b", "", NULL, NULL),
       &reduction);
  if (kernel != NULL) made(gpuarr_expr_elementwise(&scaled, 1, kernel, &x, 1), &scaled);
  if (reduction != NULL)
    made(gpuarr_expr_reduction(&most, 1, reduction, &x, 1, NULL, GPUARR_ALL_AXES, 0), &most);
  made(gpuarr_expr_scan(&sums, "cumsum", x, 0, 0), &sums);
  made(gpuarr_expr_transpose(&turned, x, 0, NULL), &turned);
  if (turned != NULL) made(gpuarr_expr_matmul(&square, x, turned), &square);
  made(gpuarr_expr_indices(&places, x, 1), &places);
  gpuarr_expr* all[] = {scaled, most, sums, turned, square, places};
  for (int k = 0; k < 6; ++k) gpuarr_expr_release(all[k]);
  gpuarr_elementwise_release(kernel);
  gpuarr_reduction_release(reduction);
}

static void exercise_functions_of(gpuarr_array* a) {
  gpuarr_expr *x = POISON, *half = NULL;
  gpuarr_function* f = POISON;
  gpuarr_call* call = POISON;
  gpuarr_array* out = NULL;
  const char* text = NULL;
  made(gpuarr_expr_input(&x, 0), &x);
  made(gpuarr_expr_apply(&half, 1, "tanh", (list)&x, 1), &half);
  made(gpuarr_function_create(&f, (list)&half, 1), &f);
  if (f != NULL && a != NULL) {
    const gpuarr_arg arg = gpuarr_arg_array(a);
    made(gpuarr_function_call(f, &out, 1, &arg, 1, NULL), &out);
    made(gpuarr_function_explain(&text, f, &arg, 1), &text);
    made(gpuarr_function_prepare(&call, f, &a, 1, &arg, 1), &call);
    gpuarr_call_release(call);
  }
  check(f == NULL || gpuarr_function_input_count(f) == 1, "one input");
  check(f == NULL || gpuarr_function_output_count(f) == 1, "one output");
  gpuarr_function_release(gpuarr_function_retain(f));
  gpuarr_function_release(f);
  gpuarr_expr_release(x);
  gpuarr_expr_release(half);
  gpuarr_array_release(out);
}

void exercise_exprs(const struct stage* s) {
  const int64_t shape[] = {4, 6};
  gpuarr_array *a = POISON, *out = NULL;
  made(gpuarr_array_zeros(&a, s->device, GPUARR_F32, 2, shape, 0, NULL), &a);
  gpuarr_expr *x = POISON, *two = POISON, *wide = POISON, *product = NULL, *sum = POISON;
  made(gpuarr_expr_array(&x, a), &x);
  made(gpuarr_expr_scalar(&two, gpuarr_arg_f64(2)), &two);
  made(gpuarr_expr_astype(&wide, x, GPUARR_F64), &wide);
  const gpuarr_expr* both[] = {wide, two};
  made(gpuarr_expr_apply(&product, 1, "multiply", both, 2), &product);
  made(gpuarr_expr_reduce(&sum, "sum", product, NULL, GPUARR_ALL_AXES, 0, 0), &sum);
  check(gpuarr_expr_ndim(sum) == 0, "a sum has no axes");
  check(sum == NULL || gpuarr_expr_dtype(sum) == GPUARR_F64, "of float64");
  check(x == NULL || gpuarr_expr_shape(x)[1] == 6, "an array's shape is its own");
  if (product != NULL) exercise_views(product);
  if (product != NULL) exercise_kernels_of(product);
  exercise_functions_of(a);
  const char* text = NULL;
  made(gpuarr_expr_explain(&text, (list)&sum, 1), &text);
  made(gpuarr_evaluate(&out, (list)&sum, 1, NULL), &out);
  exercise_texts(a);
  gpuarr_expr_release(gpuarr_expr_retain(sum));
  gpuarr_expr* all[] = {x, two, wide, product, sum};
  for (int k = 0; k < 5; ++k) gpuarr_expr_release(all[k]);
  gpuarr_array_release(a);
  gpuarr_array_release(out);
}
