/* See sweep.h: products of matrices. */
#include "sweep.h"

void exercise_linalg(const struct stage* s) {
  gpuarr_array *out[10] = {NULL}, *turned = POISON, *whole = POISON;
  const gpuarr_array* x = s->x;
  made(gpuarr_array_transpose(&turned, x, 0, NULL), &turned);
  made(gpuarr_array_astype(&whole, x, GPUARR_I32, s->stream), &whole);
  made(gpuarr_matmul(&out[0], x, turned, 0, s->stream), &out[0]);
  made(gpuarr_vdot(&out[1], x, x, s->stream), &out[1]);
  made(gpuarr_inner(&out[2], whole, whole, GPUARR_MATMUL_TF32, s->stream), &out[2]);
  made(gpuarr_outer(&out[3], x, x, s->stream), &out[3]);
  made(gpuarr_kron(&out[4], x, x, s->stream), &out[4]);
  made(gpuarr_tensordot(&out[5], x, x, NULL, NULL, 2, 0, s->stream), &out[5]);
  made(gpuarr_einsum(&out[6], "ij,ij->j", x, x, 0, s->stream), &out[6]);
  made(gpuarr_trace(&out[7], x, 1, 0, 1, s->stream), &out[7]);
  made(gpuarr_matrix_norm(&out[8], x, GPUARR_NORM_1, 0, s->stream), &out[8]);
  made(gpuarr_matrix_power(&out[9], out[0] != NULL ? out[0] : x, 2, 0, s->stream), &out[9]);
  for (int k = 0; k < 10; ++k) gpuarr_array_release(out[k]);
  gpuarr_array_release(whole);
  gpuarr_array_release(turned);
}
