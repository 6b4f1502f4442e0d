// Arrays as stacks of matrices, in the form that LAPACK works on.
#pragma once

#include <optional>

#include "array/array.hpp"
#include "device/solver.hpp"

namespace gpuarr {

/// Fails unless the array has two axes or more; `argument` names it in messages.
void check_matrix(const Array& a, const char* argument);
void check_square(const Array& a, const char* argument);

inline int64_t rows_of(const Array& a) { return a.layout.shape[a.ndim() - 2]; }
inline int64_t columns_of(const Array& a) { return a.layout.shape[a.ndim() - 1]; }
Dims stack_of(const Array& a);  // the axes before the last two
Dims with(Dims stack, int64_t extent);
Dims with(const Dims& stack, int64_t rows, int64_t columns);

/// What factorisations of such elements are computed in: whole numbers and bools in float64. Fails
/// for 16-bit floats, as NumPy does.
DType factor_dtype(const Array& a, const char* argument);
DType common_dtype(DType a, DType b);  // of two such
DType real_dtype(DType dtype);
DType complex_dtype(DType dtype);

/// The stream to work in: the given one, checked, or the current one of the array's device. Fails
/// where only the driver knows that it is being captured, since the memory in between would be
/// somebody else's when such a graph runs.
Stream& working_stream(const Array& a, Stream* given);

/// New matrices, column by column, the stack in C order.
Array column_major(Stream& stream, DType dtype, const Dims& stack, int64_t rows, int64_t columns);
/// The same with the elements of an array, which broadcasts to the stack.
Array column_major(const Array& x, DType dtype, const Dims& stack, Stream& stream);

/// An array from column_major(), or the first rows or columns of one, as the solver takes it.
Matrices matrices_of(const Array& a);

/// The matrices as they lie, if they lie as a solver can read them: column by column, or row by
/// row, when `turned` is set and they are the transposed ones.
std::optional<Matrices> matrices_in_place(const Array& a, bool& turned);

bool lies_by_row(const Array& a);  // neighbours in a row are closer than those in a column

Array turned(const Array& a);                    // a view with the last two axes exchanged
Array first_rows(const Array& a, int64_t rows);  // views
Array first_columns(const Array& a, int64_t columns);
Array main_diagonals(const Array& a);
Array with_axis(const Array& a,
                int from_last);  // with an axis of extent 1, from_last before the end
Array broadcast_stack(const Array& a, const Dims& stack);  // of matrices

}  // namespace gpuarr
