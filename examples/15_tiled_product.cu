// c = a * b, of shapes (rows, inner), (inner, columns) and (rows, columns). Each block makes one
// tile of c; its threads share the tiles of a and b that this takes, so each element is read from
// memory once for a tile and not once for a thread.
constexpr int tile = 16;

__global__ void tiled_product(const float* a, const float* b, float* c, int rows, int inner,
                              int columns) {
  __shared__ float a_tile[tile][tile], b_tile[tile][tile];
  int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < inner; first += tile) {
    int k = first + threadIdx.x, l = first + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < rows && k < inner ? a[row * inner + k] : 0;
    b_tile[threadIdx.y][threadIdx.x] = l < inner && column < columns ? b[l * columns + column] : 0;
    __syncthreads();  // the tiles are complete
    for (int m = 0; m < tile; ++m) sum += a_tile[threadIdx.y][m] * b_tile[m][threadIdx.x];
    __syncthreads();  // nobody reads them any more
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}
