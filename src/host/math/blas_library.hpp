// The system's BLAS, which on most machines is its LAPACK too, opened at run time.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/library.hpp"
#include "device/blas.hpp"

namespace gpuarr::host {

struct BlasLibrary {
  Library library;
  std::string description;   // "OpenBLAS 0.3.21 ... (/usr/lib/libopenblas.so.0)"
  bool wide = false;         // its integers have 64 bits
  const char* suffix = "_";  // of its Fortran names; or "_64_"

  /// The function called "sgemm" in Fortran; null if it has none.
  void* find(const std::string& name) const { return library.symbol((name + suffix).c_str()); }

  /// Fails where an extent does not fit its integers. Fortran takes them by their address: in those
  /// that fit, a library of either kind finds what it looks for at the address of an int64_t.
  void check_extent(int64_t extent) const {
    if (extent > INT32_MAX && !wide) fail_extent(extent);
  }

 private:
  [[noreturn]] void fail_extent(int64_t extent) const;
};

/// A number in the form of a dtype, which Fortran takes by its address.
struct BlasNumber {
  alignas(16) std::byte bytes[16];
};
BlasNumber number_of(std::complex<double> value, DType dtype);

const char* letter_of(MatrixOp op);  // that says the same to Fortran

/// $GPUARR_BLAS, or the first of OpenBLAS, MKL, BLIS and libblas that the loader finds; fails with
/// all that was tried and what to install. Kept as long as the process lives.
const BlasLibrary& blas_library();

/// open_library() for what may be OpenBLAS: fails with GPUARR_ERR_OUT_OF_MEMORY where its threads
/// or its memory could not be had, since it would end the process, or hang.
Library open_matrix_library(const std::string& name, std::string& tried);

}  // namespace gpuarr::host
