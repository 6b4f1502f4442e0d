// What came of each matrix of a stack: LAPACK's codes, for the caller or as an error.
#pragma once

#include <string>

#include "ops/base/wanted.hpp"

namespace gpuarr {

class Codes {
 public:
  /// All 0. `wanted` is info: if the caller does not want it, report() waits, which fails here in a
  /// stream that is being captured.
  Codes(Wanted& wanted, const Dims& stack, Stream& stream) : Codes(wanted, stack, stack, stream) {}
  /// The same where the matrices are a smaller stack, which broadcasts.
  Codes(Wanted& wanted, const Dims& stack, const Dims& matrices, Stream& stream);

  int32_t* data() const { return static_cast<int32_t*>(codes_.data); }
  const Array& array() const { return codes_; }

  /// Throws the error that a code means; `which` is "a", or "matrix 3 of the stack a".
  using Failure = void (*)(int32_t code, const std::string& which);

  /// Hands the codes to the caller; or waits, and fails for the first that is not 0.
  void report(const char* argument, Failure failure);

 private:
  Wanted& wanted_;
  Dims stack_;
  Stream& stream_;
  Array codes_;
};

// What codes mean.
void fail_singular(int32_t code, const std::string& which);
void fail_not_positive(int32_t code, const std::string& which);
void fail_no_convergence(int32_t code, const std::string& which);  // or not finite
void fail_zero_diagonal(int32_t code, const std::string& which);

}  // namespace gpuarr
