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

gpuarr_expr* expr_again(const gpuarr_expr* x) { return gpuarr_expr_retain((gpuarr_expr*)x); }

gpuarr_array* value_of_expr(gpuarr_expr* x) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_evaluate(&out, (gpuarr_expr_list)&x, 1, NULL));
  gpuarr_expr_release(x);
  return out;
}

int kernels_of(gpuarr_expr_list exprs, int32_t count) {
  const char* text = NULL;
  assert_ok(gpuarr_expr_explain(&text, exprs, count));
  const char* last = text;
  for (const char* next = text; (next = strchr(next, '\n')) != NULL && next[1] != '\0';)
    last = ++next;
  return atoi(last);
}
