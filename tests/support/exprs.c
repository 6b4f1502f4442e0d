#include "exprs.h"

#include <stdlib.h>
#include <string.h>

gpuarr_expr* expr_leaf(const gpuarr_array* array) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_array(&out, array));
  return out;
}

gpuarr_expr* expr_number(double value) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_scalar(&out, gpuarr_arg_f64(value)));
  return out;
}

gpuarr_expr* expr_whole(int64_t value) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_scalar(&out, gpuarr_arg_i64(value)));
  return out;
}

gpuarr_expr* expr_input(int32_t number) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_input(&out, number));
  return out;
}

gpuarr_expr* expr_unary(const char* name, gpuarr_expr* x) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_apply(&out, 1, name, (gpuarr_expr_list)&x, 1));
  gpuarr_expr_release(x);
  return out;
}

gpuarr_expr* expr_binary(const char* name, gpuarr_expr* x, gpuarr_expr* y) {
  gpuarr_expr *out = NULL, *both[] = {x, y};
  assert_ok(gpuarr_expr_apply(&out, 1, name, (gpuarr_expr_list)both, 2));
  gpuarr_expr_release(x);
  gpuarr_expr_release(y);
  return out;
}

gpuarr_expr* expr_reduced(const char* name, gpuarr_expr* x) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_reduce(&out, name, x, NULL, GPUARR_ALL_AXES, 0, 0));
  gpuarr_expr_release(x);
  return out;
}

gpuarr_expr* expr_along(const char* name, gpuarr_expr* x, int32_t axis) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_reduce(&out, name, x, &axis, 1, 1, 0));
  gpuarr_expr_release(x);
  return out;
}

gpuarr_expr* expr_product(gpuarr_expr* x, gpuarr_expr* y) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_matmul(&out, x, y));
  gpuarr_expr_release(x);
  gpuarr_expr_release(y);
  return out;
}

gpuarr_expr* expr_again(const gpuarr_expr* x) { return gpuarr_expr_retain((gpuarr_expr*)x); }

gpuarr_array* value_of_expr(gpuarr_expr* x) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_evaluate(&out, (gpuarr_expr_list)&x, 1, NULL));
  gpuarr_expr_release(x);
  return out;
}

gpuarr_function* function_of_exprs(gpuarr_expr** exprs, int32_t count) {
  gpuarr_function* out = NULL;
  assert_ok(gpuarr_function_create(&out, (gpuarr_expr_list)exprs, count));
  for (int32_t k = 0; k < count; ++k) gpuarr_expr_release(exprs[k]);
  return out;
}

gpuarr_function* momentum_step(void) {
  gpuarr_expr* decayed = expr_binary("multiply", expr_input(1), expr_input(3));
  gpuarr_expr* m = expr_binary("add", decayed, expr_input(2));
  gpuarr_expr* step = expr_binary("multiply", expr_number(0.5), expr_again(m));
  return function_of_exprs((gpuarr_expr*[]){expr_binary("subtract", expr_input(0), step), m}, 2);
}

int kernels_of(gpuarr_expr_list exprs, int32_t count) {
  const char* text = NULL;
  assert_ok(gpuarr_expr_explain(&text, exprs, count));
  const char* last = text;
  for (const char* next = text; (next = strchr(next, '\n')) != NULL && next[1] != '\0';)
    last = ++next;
  return atoi(last);
}
