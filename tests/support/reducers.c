/* See reducers.h. */
#include "reducers.h"

#include <math.h>
#include <string.h>

#include "arrays.h"

static gpuarr_status var_1(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                           int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return gpuarr_var(out, x, 1, axes, axis_count, keepdims, stream);
}

static gpuarr_status std_1(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                           int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return gpuarr_std(out, x, 1, axes, axis_count, keepdims, stream);
}

static gpuarr_status norm_1(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                            int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return gpuarr_norm(out, x, 1, axes, axis_count, keepdims, stream);
}

static gpuarr_status norm_2(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                            int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return gpuarr_norm(out, x, 2, axes, axis_count, keepdims, stream);
}

static gpuarr_status norm_inf(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                              int32_t axis_count, int32_t keepdims, gpuarr_stream* stream) {
  return gpuarr_norm(out, x, INFINITY, axes, axis_count, keepdims, stream);
}

static double sum(const double* x, int64_t count) {
  double result = 0;
  for (int64_t k = 0; k < count; ++k) result += x[k];
  return result;
}

static double prod(const double* x, int64_t count) {
  double result = 1;
  for (int64_t k = 0; k < count; ++k) result *= x[k];
  return result;
}

static double argmin(const double* x, int64_t count) {
  int64_t best = 0;
  for (int64_t k = 1; k < count; ++k) best = x[k] < x[best] ? k : best;
  return (double)best;
}

static double argmax(const double* x, int64_t count) {
  int64_t best = 0;
  for (int64_t k = 1; k < count; ++k) best = x[k] > x[best] ? k : best;
  return (double)best;
}

static double min(const double* x, int64_t count) { return x[(int64_t)argmin(x, count)]; }
static double max(const double* x, int64_t count) { return x[(int64_t)argmax(x, count)]; }

static double count_nonzero(const double* x, int64_t count) {
  double result = 0;
  for (int64_t k = 0; k < count; ++k) result += x[k] != 0;
  return result;
}

static double any(const double* x, int64_t count) { return count_nonzero(x, count) > 0; }

static double all(const double* x, int64_t count) {
  return count_nonzero(x, count) == (double)count;
}

static double mean(const double* x, int64_t count) { return sum(x, count) / (double)count; }

static double var(const double* x, int64_t count) {
  double m = mean(x, count), squares = 0;
  for (int64_t k = 0; k < count; ++k) squares += (x[k] - m) * (x[k] - m);
  return squares / (double)(count - 1);
}

static double root_of_var(const double* x, int64_t count) { return sqrt(var(x, count)); }

static double norm1(const double* x, int64_t count) {
  double result = 0;
  for (int64_t k = 0; k < count; ++k) result += fabs(x[k]);
  return result;
}

static double norm2(const double* x, int64_t count) {
  double result = 0;
  for (int64_t k = 0; k < count; ++k) result += x[k] * x[k];
  return sqrt(result);
}

static double norm_max(const double* x, int64_t count) {
  double result = 0;
  for (int64_t k = 0; k < count; ++k) result = fmax(result, fabs(x[k]));
  return result;
}

static double logsumexp(const double* x, int64_t count) {
  double result = 0;
  for (int64_t k = 0; k < count; ++k) result += exp(x[k]);
  return log(result);
}

const struct reducer reducers[reducer_count] = {
    {"sum", gpuarr_sum, sum, sums, 0},
    {"prod", gpuarr_prod, prod, sums, 0},
    {"min", gpuarr_min, min, same, 1},
    {"max", gpuarr_max, max, same, 1},
    {"argmin", gpuarr_argmin, argmin, index_of, 1},
    {"argmax", gpuarr_argmax, argmax, index_of, 1},
    {"any", gpuarr_any, any, truth, 0},
    {"all", gpuarr_all, all, truth, 0},
    {"count_nonzero", gpuarr_count_nonzero, count_nonzero, index_of, 0},
    {"mean", gpuarr_mean, mean, floating, 0},
    {"var", var_1, var, floating, 0},
    {"std", std_1, root_of_var, floating, 0},
    {"norm_1", norm_1, norm1, floating, 0},
    {"norm_2", norm_2, norm2, floating, 0},
    {"norm_inf", norm_inf, norm_max, floating, 0},
    {"nansum", gpuarr_nansum, sum, sums, 0},
    {"nanmin", gpuarr_nanmin, min, same, 1},
    {"nanmax", gpuarr_nanmax, max, same, 1},
    {"logsumexp", gpuarr_logsumexp, logsumexp, floating, 0},
};

const struct reducer* reducer_called(const char* name) {
  for (int k = 0; k < reducer_count; ++k)
    if (strcmp(reducers[k].name, name) == 0) return &reducers[k];
  fail_msg("no reducer is called %s", name);
  return NULL;
}

gpuarr_dtype result_dtype(const struct reducer* reducer, gpuarr_dtype dtype) {
  int whole = dtype < GPUARR_F16;
  switch (reducer->follows) {
    case sums:
      return !whole ? dtype : dtype >= GPUARR_U8 ? GPUARR_U64 : GPUARR_I64;
    case floating:
      return whole ? GPUARR_F64 : dtype;
    case index_of:
      return GPUARR_I64;
    case truth:
      return GPUARR_BOOL;
    default:
      return dtype;
  }
}

double reduced(const char* name, const gpuarr_array* x) {
  gpuarr_array* out = NULL;
  assert_ok(reducer_called(name)->call(&out, x, NULL, GPUARR_ALL_AXES, 0, NULL));
  double value = value_of(out);
  gpuarr_array_release(out);
  return value;
}
