// gpuarr/decompose.h: check, convert, call.
#include "gpuarr/decompose.h"

#include "c/flags.hpp"
#include "c/guard.hpp"
#include "c/results.hpp"
#include "linalg/factors/decompose.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_cholesky(gpuarr_array** out, const gpuarr_array* a, int32_t upper,
                              gpuarr_array** info, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot factor = required_slot(out, "out"), codes = nullable_slot(info, "info");
    cholesky(deref(a, "a"), triangle_of(upper), factor, codes, stream_or_null(stream));
    hand_out_all({&factor, &codes});
  });
}

gpuarr_status gpuarr_lu(gpuarr_array** p, gpuarr_array** l, gpuarr_array** u, const gpuarr_array* a,
                        gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot rows = required_slot(p, "p"), lower = required_slot(l, "l"),
               upper = required_slot(u, "u");
    lu(deref(a, "a"), rows, lower, upper, stream_or_null(stream));
    hand_out_all({&rows, &lower, &upper});
  });
}

gpuarr_status gpuarr_lu_factor(gpuarr_array** lu, gpuarr_array** pivots, const gpuarr_array* a,
                               gpuarr_array** info, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot packed = required_slot(lu, "lu"), rows = required_slot(pivots, "pivots");
    ResultSlot codes = nullable_slot(info, "info");
    lu_factor(deref(a, "a"), packed, rows, codes, stream_or_null(stream));
    hand_out_all({&packed, &rows, &codes});
  });
}

gpuarr_status gpuarr_qr(gpuarr_array** q, gpuarr_array** r, const gpuarr_array* a, int32_t complete,
                        gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot left = nullable_slot(q, "q"), right = nullable_slot(r, "r");
    qr(deref(a, "a"), checked_flag(complete, "complete"), left, right, stream_or_null(stream));
    hand_out_all({&left, &right});
  });
}

gpuarr_status gpuarr_svd(gpuarr_array** u, gpuarr_array** s, gpuarr_array** vh,
                         const gpuarr_array* a, int32_t full_matrices, gpuarr_array** info,
                         gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot left = nullable_slot(u, "u"), values = required_slot(s, "s");
    ResultSlot right = nullable_slot(vh, "vh"), codes = nullable_slot(info, "info");
    const bool full = checked_flag(full_matrices, "full_matrices");
    svd(deref(a, "a"), full, left, values, right, codes, stream_or_null(stream));
    hand_out_all({&left, &values, &right, &codes});
  });
}

gpuarr_status gpuarr_svdvals(gpuarr_array** out, const gpuarr_array* a, gpuarr_array** info,
                             gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot none = nullable_slot(nullptr, ""), codes = nullable_slot(info, "info");
    ResultSlot values = required_slot(out, "out");
    svd(deref(a, "a"), false, none, values, none, codes, stream_or_null(stream));
    hand_out_all({&values, &codes});
  });
}

gpuarr_status gpuarr_eigh(gpuarr_array** w, gpuarr_array** v, const gpuarr_array* a, int32_t upper,
                          gpuarr_array** info, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot values = required_slot(w, "w"), vectors = required_slot(v, "v");
    ResultSlot codes = nullable_slot(info, "info");
    eigh(deref(a, "a"), triangle_of(upper), values, vectors, codes, stream_or_null(stream));
    hand_out_all({&values, &vectors, &codes});
  });
}

gpuarr_status gpuarr_eigvalsh(gpuarr_array** out, const gpuarr_array* a, int32_t upper,
                              gpuarr_array** info, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot values = required_slot(out, "out"), none = nullable_slot(nullptr, "");
    ResultSlot codes = nullable_slot(info, "info");
    eigh(deref(a, "a"), triangle_of(upper), values, none, codes, stream_or_null(stream));
    hand_out_all({&values, &codes});
  });
}

gpuarr_status gpuarr_eig(gpuarr_array** w, gpuarr_array** v, const gpuarr_array* a,
                         gpuarr_array** info, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot values = required_slot(w, "w"), vectors = required_slot(v, "v");
    ResultSlot codes = nullable_slot(info, "info");
    eig(deref(a, "a"), values, vectors, codes, stream_or_null(stream));
    hand_out_all({&values, &vectors, &codes});
  });
}

gpuarr_status gpuarr_eigvals(gpuarr_array** out, const gpuarr_array* a, gpuarr_array** info,
                             gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot values = required_slot(out, "out"), none = nullable_slot(nullptr, "");
    ResultSlot codes = nullable_slot(info, "info");
    eig(deref(a, "a"), values, none, codes, stream_or_null(stream));
    hand_out_all({&values, &codes});
  });
}
