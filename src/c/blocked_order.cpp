// gpuarr/blocked_order.h: check, convert, call.
#include "gpuarr/blocked_order.h"

#include "c/blocked_result.hpp"
#include "c/reducer_names.hpp"
#include "team/compute/scan.hpp"
#include "team/compute/sort.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_blocked_sort(gpuarr_blocked** out, gpuarr_blocked* x, int32_t descending) {
  return guard(__func__, [&] {
    team::Blocked& from = *deref(x, "x");
    const bool falls = checked_flag(descending, "descending");
    if (from.grid().ndim() != 1)
      fail(GPUARR_ERR_SHAPE, "x has {} axes; give a vector", from.grid().ndim());
    with_result("gpuarr_blocked_sort", out, from.shared_team(), from.layout(),
                from.digest() * 2 + (falls ? 1 : 0),
                [&](team::Blocked& result) { team::sort(result, from, falls); });
  });
}

gpuarr_status gpuarr_blocked_scan(gpuarr_blocked** out, const char* name, gpuarr_blocked* x,
                                  int32_t axis, int32_t exclusive) {
  return guard(__func__, [&] {
    team::Blocked& from = *deref(x, "x");
    const Scanner scanner = scanner_named(name);
    const ScanRequest request{checked_axis(axis, from.grid().ndim()),
                              checked_flag(exclusive, "exclusive")};
    const uint64_t digest = (from.digest() * 8 + static_cast<uint64_t>(scanner)) * 64 +
                            static_cast<uint64_t>(request.axis * 2 + exclusive);
    with_result("gpuarr_blocked_scan", out, from.shared_team(),
                from.layout_as(result_dtype(scanner, from.dtype())), digest,
                [&](team::Blocked& result) { team::scan(result, from, scanner, request); });
  });
}
