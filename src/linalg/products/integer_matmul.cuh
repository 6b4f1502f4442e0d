// Products of stacks of matrices of whole numbers. Expects T, the elements' type, U, what is
// computed in, and ADD(sum, a, b), the sum and the product of two numbers. A block makes a tile of
// 64 x 64 elements, or adds it to what is there.

struct Places {
  long long rows, columns, inner, tiles;
  long long x_row, x_column, x_step, y_row, y_column, y_step, out_row, out_column, out_step, adds;
};
static inline __device__ void put(T& out, U sum, const Places& p) {
  out = (T)(p.adds ? ADD(sum, (U)out, U(1)) : sum);
}
#ifdef __CUDACC_RTC__
// Each of 16 x 16 threads makes 4 x 4 elements, from pieces of 16 columns and rows.
static inline __device__ void make_tile(T* out, const T* x, const T* y, const Places& p,
                                        long long row, long long column) {
  __shared__ U xs[16][64], ys[16][64];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  U sums[4][4] = {};
  for (long long k = 0; k < p.inner; k += 16) {
    for (int q = 0; q < 4; ++q) {
      const long long i = row + tx + 16 * q, j = column + tx + 16 * q, l = k + ty;
      const bool in_x = i < p.rows && l < p.inner, in_y = j < p.columns && l < p.inner;
      xs[ty][tx + 16 * q] = in_x ? (U)x[i * p.x_row + l * p.x_column] : U(0);
      ys[ty][tx + 16 * q] = in_y ? (U)y[l * p.y_row + j * p.y_column] : U(0);
    }
    __syncthreads();
    for (int l = 0; l < 16; ++l)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          sums[a][b] = ADD(sums[a][b], xs[l][ty + 16 * a], ys[l][tx + 16 * b]);
    __syncthreads();
  }
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) {
      const long long i = row + ty + 16 * a, j = column + tx + 16 * b;
      if (i < p.rows && j < p.columns) put(out[i * p.out_row + j * p.out_column], sums[a][b], p);
    }
}
#else
// One thread makes all, from pieces of y that it packs.
static void make_tile(T* out, const T* x, const T* y, const Places& p, long long row,
                      long long column) {
  U ys[64][64], sums[64][64];
  const int rows = p.rows - row < 64 ? p.rows - row : 64;
  const int columns = p.columns - column < 64 ? p.columns - column : 64;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 64; ++j) sums[i][j] = 0;
  for (long long k = 0; k < p.inner; k += 64) {
    const int inner = p.inner - k < 64 ? p.inner - k : 64;
    for (int l = 0; l < inner; ++l)
      for (int j = 0; j < 64; ++j)
        ys[l][j] = j < columns ? (U)y[(k + l) * p.y_row + (column + j) * p.y_column] : U(0);
    for (int i = 0; i < rows; ++i)
      for (int l = 0; l < inner; ++l) {
        const U factor = (U)x[(row + i) * p.x_row + (k + l) * p.x_column];
        for (int j = 0; j < 64; ++j) sums[i][j] = ADD(sums[i][j], factor, ys[l][j]);
      }
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      put(out[(row + i) * p.out_row + (column + j) * p.out_column], sums[i][j], p);
}
#endif
extern "C" __global__ void integer_matmul(T* out, const T* x, const T* y, const Places p) {
  const long long stack = blockIdx.x / p.tiles, tile = blockIdx.x % p.tiles;
  const long long across = (p.columns + 63) / 64;
  make_tile(out + stack * p.out_step, x + stack * p.x_step, y + stack * p.y_step, p,
            tile / across * 64, tile % across * 64);
}
