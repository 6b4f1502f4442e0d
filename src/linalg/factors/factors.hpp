// Factorisations as other functions use them: results column by column, codes not yet reported.
#pragma once

#include "linalg/factors/codes.hpp"
#include "linalg/factors/matrices.hpp"

namespace gpuarr {

/// L U with the numbers of swapped rows, from 1, as the solver writes and reads them.
struct LuFactors {
  Array lu;      // (stack, m, n)
  Array pivots;  // (stack, min(m, n))
};
LuFactors lu_factors(const Array& a, DType dtype, const Dims& stack, int32_t* info, Stream& stream);

enum class Vectors { none, thin, full };

/// u and vh have no elements where there are no vectors.
struct SvdFactors {
  Array u, s, vh;
};
SvdFactors svd_factors(const Array& a, DType dtype, Vectors vectors, const Codes& codes,
                       Stream& stream);

/// Before svd, eigh or eig on a device whose solver does not look for such elements itself:
/// matrices that have one become 0.
class NotFinite {
 public:
  NotFinite(const Array& work, Solver& solver, Stream& stream);
  void note(const Codes& codes, Stream& stream) const;  // after it

 private:
  std::optional<Array> found_;
};

}  // namespace gpuarr
