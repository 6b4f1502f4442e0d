// Rows of up to 32 elements.

// A few threads sort a row: each counts the elements that come before its own.
extern "C" __global__ void __launch_bounds__(256) sort_few(const __grid_constant__ sort_args p) {
  const sort_long row = (blockIdx.x * 256ll + threadIdx.x) / few_threads;
  const int own = threadIdx.x % few_threads, n = (int)p.n;
  const bool has = row < p.rows && own < n;
  const sort_bits x = has ? p.in[row * n + own] : (sort_bits)0;
  const sort_word key = compared(ordered(x));
  int place = 0;
  for (int k = 0; k < n; ++k) {
    const sort_word other = __shfl_sync(~0u, key, k, few_threads);
    place += other < key || (other == key && k < own);
  }
  if (has && p.out) p.out[row * n + place] = x;
  if (has && p.index) p.index[row * n + place] = own;
}
