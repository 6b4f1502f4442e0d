/* See sweep.h: factorisations and solvers. */
#include "sweep.h"

/* Nothing is left of matrices without elements for a library to do. */
void exercise_solvers(const struct stage* s) {
  static const int64_t none[] = {0, 0};
  gpuarr_array *a = POISON, *out[12] = {NULL}, *info = NULL;
  made(gpuarr_array_zeros(&a, s->device, GPUARR_F32, 2, none, 0, s->stream), &a);
  made(gpuarr_cholesky(&out[0], a, 0, &info, s->stream), &out[0]);
  made(gpuarr_lu(&out[1], &out[2], &out[3], a, s->stream), &out[3]);
  made(gpuarr_lu_factor(&out[4], &out[5], a, NULL, NULL), &out[5]);
  made(gpuarr_qr(&out[6], &out[7], a, 1, NULL), &out[7]);
  made(gpuarr_svd(&out[8], &out[9], &out[10], a, 1, NULL, s->stream), &out[9]);
  made(gpuarr_svdvals(&out[11], a, NULL, NULL), &out[11]);
  ok(gpuarr_eigh(&out[9], &out[10], a, 0, NULL, NULL));
  ok(gpuarr_eigvalsh(&out[9], a, 1, NULL, NULL));
  ok(gpuarr_solve(&out[0], a, a, NULL, NULL));
  ok(gpuarr_solve_triangular(&out[0], a, a, 0, 0, 1, NULL, NULL));
  ok(gpuarr_cholesky_solve(&out[0], a, a, 0, NULL));
  ok(gpuarr_lu_solve(&out[0], a, out[5], a, 0, NULL));
  ok(gpuarr_inv(&out[0], a, NULL, NULL));
  ok(gpuarr_lstsq(&out[0], NULL, NULL, NULL, a, a, -1, NULL, NULL));
  ok(gpuarr_pinv(&out[0], a, -1, NULL, NULL));
  for (int k = 0; k < 12; ++k) gpuarr_array_release(out[k]);
  gpuarr_array* more[6] = {NULL};
  made(gpuarr_eig(&more[0], &more[1], a, NULL, NULL), &more[0]);
  ok(gpuarr_eigvals(&more[0], a, NULL, NULL));
  made(gpuarr_det(&more[2], a, NULL), &more[2]);
  made(gpuarr_slogdet(&more[3], &more[4], a, s->stream), &more[4]);
  made(gpuarr_matrix_rank(&more[5], a, -1, NULL, NULL), &more[5]);
  for (int k = 0; k < 6; ++k) gpuarr_array_release(more[k]);
  gpuarr_array_release(a);
  gpuarr_array_release(info);
}
