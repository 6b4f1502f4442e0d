// Factorisations and solvers on the stand-ins for the driver, cuSOLVER and cuBLAS: every kernel
// around them compiles for GPUs and is launched, and nothing is left of a call.
#include <iostream>

#include "c/handles.hpp"
#include "cuda_fake.hpp"
#include "gpuarr.h"

namespace {

bool succeeded(gpuarr_status status) {
  if (status != GPUARR_OK) std::cerr << gpuarr_last_error() << '\n';
  return status == GPUARR_OK;
}

struct Made {
  gpuarr_array* array = nullptr;
  ~Made() { gpuarr_array_release(array); }
  operator gpuarr_array**() {
    gpuarr_array_release(array);
    array = nullptr;
    return &array;
  }
};

void call_all(gpuarr_device* device, gpuarr_dtype dtype, int64_t rows, int64_t columns) {
  const int64_t shape[] = {2, rows, columns};
  Made a, info, out[5];
  CHECK(succeeded(gpuarr_array_zeros(a, device, dtype, 3, shape, 0, nullptr)));
  gpuarr_array* x = a.array;
  CHECK(succeeded(gpuarr_lu(out[0], out[1], out[2], x, nullptr)));
  CHECK(succeeded(gpuarr_qr(out[0], out[1], x, 1, nullptr)));
  CHECK(succeeded(gpuarr_svd(out[0], out[1], out[2], x, 0, info, nullptr)));
  CHECK(succeeded(gpuarr_pinv(out[0], x, -1, info, nullptr)));
  CHECK(succeeded(gpuarr_matrix_rank(out[0], x, -1, info, nullptr)));
  CHECK(succeeded(gpuarr_lstsq(out[0], out[1], out[2], out[3], x, x, -1, info, nullptr)));
  if (rows != columns) return;
  CHECK(succeeded(gpuarr_cholesky(out[0], x, 0, nullptr, nullptr)));
  CHECK(succeeded(gpuarr_eigh(out[0], out[1], x, 1, nullptr, nullptr)));
  CHECK(succeeded(gpuarr_eig(out[0], out[1], x, info, nullptr)));
  CHECK(succeeded(gpuarr_solve(out[0], x, x, nullptr, nullptr)));
  CHECK(succeeded(gpuarr_inv(out[0], x, nullptr, nullptr)));
  CHECK(succeeded(gpuarr_det(out[0], x, nullptr)));
  CHECK(succeeded(gpuarr_slogdet(out[0], out[1], x, nullptr)));
  CHECK(succeeded(gpuarr_solve_triangular(out[0], x, x, 0, 2, 0, info, nullptr)));
  CHECK(succeeded(gpuarr_lu_factor(out[0], out[1], x, info, nullptr)));
  CHECK(succeeded(gpuarr_lu_solve(out[2], out[0].array, out[1].array, x, 1, nullptr)));
  CHECK(succeeded(gpuarr_cholesky_solve(out[2], out[0].array, x, 1, nullptr)));
}

}  // namespace

int main() {
  fake::require();
  fake::in_child("factorisations", [] {
    gpuarr_device* device = nullptr;
    CHECK(succeeded(gpuarr_device_open(&device, "cuda:0")));
    const char* compiler = nullptr;
    if (gpuarr_device_compiler(&compiler, device) != GPUARR_OK) {
      std::cout << "skipped: " << gpuarr_last_error() << '\n';
      return;
    }
    for (gpuarr_dtype dtype : {GPUARR_F64, GPUARR_C64}) {
      call_all(device, dtype, 3, 3);
      call_all(device, dtype, 5, 3);
    }
    CHECK_EQ(gpuarr_live_objects(), 0);
  });
  return check::result();
}
