// gpuarr/order.h: check, convert, call.
#include "gpuarr/order.h"

#include "c/guard.hpp"
#include "c/operation_arguments.hpp"
#include "c/results.hpp"
#include "ops/sort/order.hpp"

using namespace gpuarr;

namespace {

void run_quantile(gpuarr_array** out, const gpuarr_array* x, const QuantileRequest& request,
                  gpuarr_stream* stream) {
  const Array* given = given_output(out);
  const Array& from = deref(x, "x");
  hand_out(out, quantile(given, from, request, stream_of(stream, from.device())));
}

std::span<const double> checked_list(const double* q, int32_t count) {
  if (count < 1) fail(GPUARR_ERR_ARGUMENT, "q_count is {}; give 1 or more", count);
  if (q == nullptr) fail(GPUARR_ERR_ARGUMENT, "q is NULL; give numbers from 0 to 1");
  return {q, static_cast<size_t>(count)};
}

constexpr double one_half[] = {0.5};

}  // namespace

gpuarr_status gpuarr_unique(gpuarr_array** values, gpuarr_array** indices, gpuarr_array** inverse,
                            gpuarr_array** counts, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot found = required_slot(values, "*values"), first = nullable_slot(indices, "*indices");
    ResultSlot back = nullable_slot(inverse, "*inverse"), number = nullable_slot(counts, "*counts");
    const Array& from = deref(x, "x");
    unique({found, first, back, number}, from, stream_of(stream, from.device()));
    hand_out_all({&found, &first, &back, &number});
  });
}

gpuarr_status gpuarr_searchsorted(gpuarr_array** out, const gpuarr_array* sorted,
                                  const gpuarr_array* x, int32_t right, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    const Array &among = deref(sorted, "sorted"), &from = deref(x, "x");
    const bool behind = checked_flag(right, "right");
    return searchsorted(given, among, from, behind, stream_of(stream, from.device()));
  });
}

gpuarr_status gpuarr_histogram(gpuarr_array** counts, gpuarr_array** edges, const gpuarr_array* x,
                               int64_t bins, const double* range, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot found = required_slot(counts, "*counts"), between = nullable_slot(edges, "*edges");
    const Array& from = deref(x, "x");
    histogram(found, between, from, bins, range, stream_of(stream, from.device()));
    hand_out_all({&found, &between});
  });
}

gpuarr_status gpuarr_histogram_between(gpuarr_array** counts, const gpuarr_array* x,
                                       const gpuarr_array* edges, gpuarr_stream* stream) {
  const auto make = [&](const Array* given) {
    const Array &from = deref(x, "x"), &between = deref(edges, "edges");
    return histogram_between(given, from, between, stream_of(stream, from.device()));
  };
  return guard_result(__func__, counts, make, "*counts");
}

gpuarr_status gpuarr_bincount(gpuarr_array** out, const gpuarr_array* x,
                              const gpuarr_array* weights, int64_t minlength,
                              gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    const Array &from = deref(x, "x"), *weighing = deref_or_null(weights, "weights");
    Stream& in = stream_of(stream, from.device());
    return bincount(given, from, weighing, minlength, in);
  });
}

gpuarr_status gpuarr_median(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                            gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run_quantile(out, x, {one_half, axis, GPUARR_QUANTILE_MIDPOINT, false, false}, stream);
  });
}

gpuarr_status gpuarr_nanmedian(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                               gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run_quantile(out, x, {one_half, axis, GPUARR_QUANTILE_MIDPOINT, true, false}, stream);
  });
}

gpuarr_status gpuarr_quantile(gpuarr_array** out, const gpuarr_array* x, const double* q,
                              int32_t q_count, int32_t axis, int32_t method,
                              gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run_quantile(out, x, {checked_list(q, q_count), axis, method, false, true}, stream);
  });
}

gpuarr_status gpuarr_nanquantile(gpuarr_array** out, const gpuarr_array* x, const double* q,
                                 int32_t q_count, int32_t axis, int32_t method,
                                 gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run_quantile(out, x, {checked_list(q, q_count), axis, method, true, true}, stream);
  });
}
