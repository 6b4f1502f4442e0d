// What is done to matrices before and after they are factorised: small kernels.
#pragma once

#include "array/array.hpp"
#include "device/reports.hpp"
#include "device/solver.hpp"
#include "ops/base/wanted.hpp"

namespace gpuarr {

/// target = one triangle of source and 0 elsewhere, with ones on the diagonal if `unit`. They have
/// one shape, and may be the same array.
void take_triangle(const Array& target, const Array& source, Triangle triangle, bool unit,
                   Stream& stream);

void fill_identity(const Array& target, Stream& stream);

/// Which row of P M the rows of M have become, from rows that were swapped; both (stack, rows),
/// without gaps, but of the pivots there may be fewer.
void permutation_of(const Array& rows, const Array& pivots, Stream& stream);

/// Pivots that count rows from 0, of those of LAPACK, from 1.
void pivots_from_zero(const Array& target, const Array& source, Stream& stream);
/// The other way; both (stack, rows). A pivot that is no row is reported, and its row stays in its
/// place: what is reported is the pivot, its place, the matrix and the number of rows.
void pivots_from_one(const Array& target, const Array& source, ReportCode code, uint64_t reports,
                     Stream& stream);

/// The determinants of L U with these rows swapped, or their signs and logarithms; `diagonals` of U
/// and pivots are (stack, n).
void determinant_of(const Array& diagonals, const Array& pivots, Wanted& det, Stream& stream);
void log_determinant_of(const Array& diagonals, const Array& pivots, Wanted& sign, Wanted& log,
                        Stream& stream);

/// codes = the number, from 1, of the first zero of each diagonal; 0 if there is none.
void find_zero(const Array& codes, const Array& diagonals, Stream& stream);

/// The same for elements whose real parts are not above 0.
void find_not_positive(const Array& codes, const Array& diagonals, Stream& stream);

/// codes = info_not_finite where a matrix has an element that is not finite, else 0.
void find_not_finite(const Array& codes, const Array& matrices, Stream& stream);
/// Matrices with such a code become 0.
void clear_not_finite(const Array& matrices, const Array& codes, Stream& stream);
/// codes = those found, where they are 0.
void merge_codes(const Array& codes, const Array& found, Stream& stream);

/// Eigenvectors out of the packed form, (stack, n, n); values are (stack, n).
void unpack_vectors(const Array& target, const Array& packed, const Array& values, Stream& stream);

/// target = 1 / value where it is above rcond times the first of its row, else 0.
void invert_values(const Array& target, const Array& values, double rcond, Stream& stream);
/// How many of each row are above rcond times the first, or above tol if that is not negative.
void count_values(const Array& counts, const Array& values, double rcond, double tol,
                  Stream& stream);
/// target = source times a factor for each row; factors are (stack, rows).
void scale_rows(const Array& target, const Array& source, const Array& factors, Stream& stream);
/// sums = the sum of |x|^2 down each column.
void square_sums(const Array& sums, const Array& x, Stream& stream);

}  // namespace gpuarr
