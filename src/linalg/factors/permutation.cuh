// The body of an elementwise kernel: where each row of a matrix comes from, after all swaps that
// LAPACK's pivots, counted from 1, say. One i is a matrix.

const long long first = i * rows;
for (long long k = 0; k < rows; ++k) at[first + k] = k;
for (long long k = swaps - 1; k >= 0; --k) {
  const long long other = first + pivots[i * swaps + k] - 1, moved = at[first + k];
  at[first + k] = at[other];
  at[other] = moved;
}
