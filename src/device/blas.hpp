// Products of matrices, as a device's BLAS computes them.
#pragma once

#include <complex>
#include <cstdint>
#include <string>

#include "core/dtype.hpp"

namespace gpuarr {

class Stream;

enum class MatrixOp { none, transpose, conjugate_transpose };  // in the order of cuBLAS's codes

/// C = alpha op(A) op(B) + beta C for a batch of matrices, which lie in memory column by column.
/// There is something to do: no extent is 0. Where beta is 0, C is written and not read.
struct Gemm {
  struct Operand {
    const void* data;
    MatrixOp op;
    int64_t leading;  // elements from column to column, at least the rows
    int64_t step;     // elements from one matrix of the batch to the next; 0 repeats it
  };
  struct Result {
    void* data;
    int64_t leading;
    int64_t step;
  };

  DType dtype;      // of all three
  int64_t m, n, k;  // op(A) is m x k, op(B) is k x n
  int64_t batch = 1;
  Operand a, b;
  Result c;
  std::complex<double> alpha = 1, beta = 0;
  bool tf32 = false;  // float32 may be rounded to 10 bits of fraction before it is multiplied
};

class Blas {
 public:
  virtual ~Blas() = default;

  /// Of f32, f64, c64 and c128; and of f16 and bf16, added up as float32, where the device can.
  virtual bool takes(DType dtype) const = 0;
  /// In the order of the stream. Fails where an extent is too large for the library.
  virtual void gemm(const Gemm& gemm, Stream& stream) = 0;
  virtual std::string description() = 0;  // name, version, place
};

}  // namespace gpuarr
