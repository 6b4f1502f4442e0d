// Hand-written sums of squares for the CPU: what a good programmer would get out of the machine.
#pragma once

#include <cstdint>

#include "host_ceiling.hpp"

namespace ceiling {

/// The sum of x^2 over n floats, each thread's part on its own.
double sum_of_squares(Threads& threads, Split split, const float* x, int64_t n);

/// The same along the columns of a matrix in C order, to one float a row.
void sum_of_squares_of_rows(Threads& threads, const float* x, int64_t rows, int64_t columns,
                            float* out);

/// How the work on columns is given to threads: a strip of columns each, or rows, whose sums are
/// added at the end.
enum class Columns { strips, rows };

/// The same along the rows, to one float a column.
void sum_of_squares_of_columns(Threads& threads, Columns how, const float* x, int64_t rows,
                               int64_t columns, float* out);

}  // namespace ceiling
