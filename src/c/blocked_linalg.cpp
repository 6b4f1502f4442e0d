// gpuarr/blocked_linalg.h: check, convert, call.
#include "gpuarr/blocked_linalg.h"

#include "c/blocked_result.hpp"
#include "team/compute/matmul.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_blocked_matmul(gpuarr_blocked** out, gpuarr_blocked* x, gpuarr_blocked* y) {
  return guard(__func__, [&] {
    team::Blocked& left = *deref(x, "x");
    team::Blocked& right = *deref(y, "y");
    with_result("gpuarr_blocked_matmul", out, left.shared_team(), team::product_layout(left, right),
                left.digest() * 31 + right.digest(),
                [&](team::Blocked& result) { team::matmul(result, left, right); });
  });
}
