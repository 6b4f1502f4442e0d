// What the kernels of short rows take.

typedef long long sort_long;
struct sort_args {
  const sort_bits* in;
  sort_bits* out;
  const void* index_in;
  void* index_out;
  sort_long* index;
  void *bins, *bins_out;
  int *lookback, *counters;
  sort_long rows, n, first, count, tiles, passes, pass;
};
#if SORT_KEY_BYTES == 8
typedef unsigned long long sort_word;
#else
typedef unsigned sort_word;
#endif
