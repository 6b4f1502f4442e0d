/* Formulas in C: these make an expression of others, and release them. keep() gives one that is
 * needed once more, in a statement before the one that uses it up: C computes arguments in any
 * order. gpuarr/expr.h has the functions behind them. */
#ifndef FORMULA_H
#define FORMULA_H

#include "example.h"

typedef gpuarr_expr* Expr;

static inline Expr of(const gpuarr_array* x) {
  Expr out;
  check(gpuarr_expr_array(&out, x));
  return out;
}

static inline Expr num(double x) {
  Expr out;
  check(gpuarr_expr_scalar(&out, gpuarr_arg_f64(x)));
  return out;
}

static inline Expr keep(Expr x) { return gpuarr_expr_retain(x); }

/* A function of one or two; y may be NULL. */
static inline Expr call(const char* name, Expr x, Expr y) {
  const gpuarr_expr* operands[] = {x, y};
  Expr out;
  check(gpuarr_expr_apply(&out, 1, name, operands, y == NULL ? 1 : 2));
  gpuarr_expr_release(x);
  gpuarr_expr_release(y);
  return out;
}

static inline Expr add(Expr x, Expr y) { return call("add", x, y); }
static inline Expr sub(Expr x, Expr y) { return call("subtract", x, y); }
static inline Expr mul(Expr x, Expr y) { return call("multiply", x, y); }
static inline Expr quo(Expr x, Expr y) { return call("divide", x, y); }

/* The same elements as float64. */
static inline Expr as_f64(Expr x) {
  Expr out;
  check(gpuarr_expr_astype(&out, x, GPUARR_F64));
  gpuarr_expr_release(x);
  return out;
}

/* A reduction along all axes: one number. */
static inline Expr reduce(const char* name, Expr x) {
  Expr out;
  check(gpuarr_expr_reduce(&out, name, x, NULL, GPUARR_ALL_AXES, 0, 0));
  gpuarr_expr_release(x);
  return out;
}

/* A reduction of each row, along the last axis; with keepdims, 1, of shape (ROWS, 1), which
 * broadcasts with the rows, else of shape (ROWS,). */
static inline Expr reduce_rows(const char* name, Expr x, int keepdims) {
  const int32_t last = -1;
  Expr out;
  check(gpuarr_expr_reduce(&out, name, x, &last, 1, keepdims, 0));
  gpuarr_expr_release(x);
  return out;
}

/* The last line of what is told of expressions says how many kernels they become. */
static inline void expect_kernels(const Expr* exprs, int count, int wanted) {
  const char *text, *last;
  check(gpuarr_expr_explain(&text, (const gpuarr_expr* const*)exprs, count));
  for (last = text; *text != '\0'; ++text)
    if (text[0] == '\n' && text[1] != '\0') last = text + 1;
  expect(atoi(last), wanted, 0, "number of kernels", 0);
}

/* Computes expressions together, into arrays that are there or NULL, and releases them. */
static inline void evaluate(gpuarr_array** out, Expr* exprs, int count) {
  check(gpuarr_evaluate(out, (const gpuarr_expr* const*)exprs, count, NULL));
  for (int k = 0; k < count; ++k) gpuarr_expr_release(exprs[k]);
}

#endif
