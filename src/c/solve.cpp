// gpuarr/solve.h: check, convert, call.
#include "gpuarr/solve.h"

#include "c/flags.hpp"
#include "c/guard.hpp"
#include "c/results.hpp"
#include "linalg/factors/solve.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_solve(gpuarr_array** out, const gpuarr_array* a, const gpuarr_array* b,
                           gpuarr_array** info, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot x = required_slot(out, "out"), codes = nullable_slot(info, "info");
    solve(deref(a, "a"), deref(b, "b"), x, codes, stream_or_null(stream));
    hand_out_all({&x, &codes});
  });
}

gpuarr_status gpuarr_solve_triangular(gpuarr_array** out, const gpuarr_array* a,
                                      const gpuarr_array* b, int32_t upper, int32_t op,
                                      int32_t unit_diagonal, gpuarr_array** info,
                                      gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot x = required_slot(out, "out"), codes = nullable_slot(info, "info");
    const TriangularForm form{triangle_of(upper), matrix_op_of(op),
                              checked_flag(unit_diagonal, "unit_diagonal")};
    solve_triangular(deref(a, "a"), deref(b, "b"), form, x, codes, stream_or_null(stream));
    hand_out_all({&x, &codes});
  });
}

gpuarr_status gpuarr_cholesky_solve(gpuarr_array** out, const gpuarr_array* factor,
                                    const gpuarr_array* b, int32_t upper, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot x = required_slot(out, "out");
    cholesky_solve(deref(factor, "factor"), deref(b, "b"), triangle_of(upper), x,
                   stream_or_null(stream));
    hand_out_all({&x});
  });
}

gpuarr_status gpuarr_lu_solve(gpuarr_array** out, const gpuarr_array* lu,
                              const gpuarr_array* pivots, const gpuarr_array* b, int32_t op,
                              gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot x = required_slot(out, "out");
    lu_solve(deref(lu, "lu"), deref(pivots, "pivots"), deref(b, "b"), matrix_op_of(op), x,
             stream_or_null(stream));
    hand_out_all({&x});
  });
}

gpuarr_status gpuarr_inv(gpuarr_array** out, const gpuarr_array* a, gpuarr_array** info,
                         gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot inverse = required_slot(out, "out"), codes = nullable_slot(info, "info");
    inv(deref(a, "a"), inverse, codes, stream_or_null(stream));
    hand_out_all({&inverse, &codes});
  });
}

gpuarr_status gpuarr_det(gpuarr_array** out, const gpuarr_array* a, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot determinant = required_slot(out, "out");
    det(deref(a, "a"), determinant, stream_or_null(stream));
    hand_out_all({&determinant});
  });
}

gpuarr_status gpuarr_slogdet(gpuarr_array** sign, gpuarr_array** logdet, const gpuarr_array* a,
                             gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot signs = required_slot(sign, "sign"), logs = required_slot(logdet, "logdet");
    slogdet(deref(a, "a"), signs, logs, stream_or_null(stream));
    hand_out_all({&signs, &logs});
  });
}

gpuarr_status gpuarr_lstsq(gpuarr_array** x, gpuarr_array** residuals, gpuarr_array** rank,
                           gpuarr_array** s, const gpuarr_array* a, const gpuarr_array* b,
                           double rcond, gpuarr_array** info, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot best = required_slot(x, "x"), rest = nullable_slot(residuals, "residuals");
    ResultSlot ranks = nullable_slot(rank, "rank"), values = nullable_slot(s, "s");
    ResultSlot codes = nullable_slot(info, "info");
    const LeastSquares results{best, rest, ranks, values, codes};
    lstsq(deref(a, "a"), deref(b, "b"), rcond, results, stream_or_null(stream));
    hand_out_all({&best, &rest, &ranks, &values, &codes});
  });
}

gpuarr_status gpuarr_pinv(gpuarr_array** out, const gpuarr_array* a, double rcond,
                          gpuarr_array** info, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot inverse = required_slot(out, "out"), codes = nullable_slot(info, "info");
    pinv(deref(a, "a"), rcond, inverse, codes, stream_or_null(stream));
    hand_out_all({&inverse, &codes});
  });
}

gpuarr_status gpuarr_matrix_rank(gpuarr_array** out, const gpuarr_array* a, double tol,
                                 gpuarr_array** info, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot ranks = required_slot(out, "out"), codes = nullable_slot(info, "info");
    matrix_rank(deref(a, "a"), tol, ranks, codes, stream_or_null(stream));
    hand_out_all({&ranks, &codes});
  });
}
