// The hand-written sums. CMake compiles this file for the machine that it is compiled on, and lets
// the compiler add up in any order.
#include "host_ceiling_reduction.hpp"

#include <algorithm>
#include <mutex>

namespace ceiling {
namespace {

/// Many sums at once, so that no addition waits for the one before.
float squares(const float* x, int64_t n) {
  constexpr int lanes = 128;
  float sums[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int k = 0; k < lanes; ++k) sums[k] += x[i + k] * x[i + k];
  float sum = 0;
  for (; i < n; ++i) sum += x[i] * x[i];
  for (float s : sums) sum += s;
  return sum;
}

/// out += x^2 of some rows, of columns `first` ... `last` - 1; four rows for each pass over out.
void add_squares(const float* x, int64_t columns, int64_t first, int64_t last, int64_t row,
                 int64_t end, float* __restrict__ out) {
  for (; row + 4 <= end; row += 4) {
    const float* __restrict__ a = x + row * columns;
    const float *b = a + columns, *c = b + columns, *d = c + columns;
    for (int64_t j = first; j < last; ++j)
      out[j - first] += (a[j] * a[j] + b[j] * b[j]) + (c[j] * c[j] + d[j] * d[j]);
  }
  for (; row < end; ++row)
    for (int64_t j = first; j < last; ++j)
      out[j - first] += x[row * columns + j] * x[row * columns + j];
}

}  // namespace

double sum_of_squares(Threads& threads, Split split, const float* x, int64_t n) {
  std::atomic<double> sum = 0;
  threads.run(n, split, [&](int64_t first, int64_t last) {
    sum.fetch_add(squares(x + first, last - first), std::memory_order_relaxed);
  });
  return sum;
}

void sum_of_squares_of_rows(Threads& threads, const float* x, int64_t rows, int64_t columns,
                            float* out) {
  threads.run(rows, Split::even, [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) out[row] = squares(x + row * columns, columns);
  });
}

void sum_of_squares_of_columns(Threads& threads, Columns how, const float* x, int64_t rows,
                               int64_t columns, float* out) {
  if (how == Columns::strips) {
    threads.run(columns, Split::even, [&](int64_t first, int64_t last) {
      std::fill(out + first, out + last, 0.0F);
      add_squares(x, columns, first, last, 0, rows, out + first);
    });
    return;
  }
  std::mutex mutex;
  std::fill(out, out + columns, 0.0F);
  threads.run(rows, Split::even, [&](int64_t first, int64_t last) {
    thread_local std::vector<float> sums;
    sums.assign(static_cast<size_t>(columns), 0.0F);
    add_squares(x, columns, 0, columns, first, last, sums.data());
    const std::lock_guard lock(mutex);
    for (int64_t j = 0; j < columns; ++j) out[j] += sums[static_cast<size_t>(j)];
  });
}

}  // namespace ceiling
